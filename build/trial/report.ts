interface Line {
  readonly of: string;
  readonly what: string;
  readonly passed: boolean;
  readonly figure: string;
  readonly seconds: number;
}

/** What was tried, and how it went. */
export class Report {
  readonly #lines: Line[] = [];

  /** Does one thing; `work` gives what is worth telling of it. Its failure ends up in the table. */
  async step(of: string, what: string, work: () => Promise<string>): Promise<void> {
    process.stderr.write(`trial: ${of} ${what} ...\n`);
    const startMs = performance.now();
    const done = (passed: boolean, figure: string): void => {
      const seconds = (performance.now() - startMs) / 1_000;
      this.#lines.push({ of, what, passed, figure, seconds });
    };
    try {
      done(true, await work());
    } catch (error) {
      done(false, "");
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    }
  }

  get failed(): boolean {
    return this.#lines.some(({ passed }) => !passed);
  }

  /** A line for each thing. */
  table(): string {
    const rows = this.#lines.map(({ of, what, passed, figure, seconds }) => [
      passed ? "ok" : "FAILED",
      of,
      what,
      `${seconds.toFixed(1)} s`,
      figure,
    ]);
    const widths = [0, 1, 2, 3].map((column) =>
      Math.max(...rows.map((row) => row[column]?.length ?? 0)),
    );
    return rows
      .map((row) =>
        row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join("  ")
          .trimEnd(),
      )
      .join("\n");
  }
}

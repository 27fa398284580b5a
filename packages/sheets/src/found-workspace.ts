import { listOfCell } from "./foreign-cells.ts";
import type { Tracked } from "./sources/source.ts";

/** A brand that an export declares. */
export interface FoundEntity {
  readonly name: string;
  readonly domains: readonly string[];
  readonly aliases: readonly string[];
}

/** A prompt that an export has. */
export interface FoundPrompt {
  readonly text: string;
  /** Null: it has none. */
  readonly topic: string | null;
  /** Whether the other tool no longer asks it. */
  readonly isPaused: boolean;
}

/** What an export says of a workspace. */
export interface FoundWorkspace {
  /** Null: it does not say whose the export is. */
  readonly brand: FoundEntity | null;
  readonly competitors: readonly FoundEntity[];
  readonly prompts: readonly FoundPrompt[];
  /** Names that it lists as mentioned, and in how many rows: the most frequent first. */
  readonly names: readonly { readonly name: string; readonly rows: number }[];
}

/** As many as a workspace has at most. */
const promptsMax = 100_000;
const namesMax = 10_000;
const notAsked = new Set([
  ...["f", "false", "0", "no", "inactive", "paused", "archived", "disabled", "deleted"],
]);

/** Collects what the rows of an export say of a workspace. */
export class WorkspaceFinder {
  readonly #prompts = new Map<string, FoundPrompt>();
  readonly #names = new Map<string, number>();
  readonly #competitors = new Map<string, FoundEntity>();
  #brand: FoundEntity | null = null;

  /** A row, whose cells are found by their column's name. */
  addRow(tracks: Tracked, cellOf: (column: string) => string): void {
    const { prompt, topic, isAsked, names, brand, competitor } = tracks;
    const isPaused = isAsked !== undefined && notAsked.has(cellOf(isAsked).toLowerCase());
    if (prompt !== undefined) {
      this.addPrompt(cellOf(prompt), topic === undefined ? "" : cellOf(topic), isPaused);
    }
    const named = names === undefined ? "" : cellOf(names);
    for (const name of new Set(namesIn(named))) {
      const rows = this.#names.get(name);
      if (rows !== undefined || this.#names.size < namesMax) this.#names.set(name, (rows ?? 0) + 1);
    }
    if (brand !== undefined) this.#brand ??= entityOf(brand, cellOf);
    const rival = competitor === undefined ? null : entityOf(competitor, cellOf);
    if (rival !== null && !this.#competitors.has(rival.name)) {
      this.#competitors.set(rival.name, rival);
    }
  }

  addPrompt(text: string, topic: string, isPaused = false): void {
    const known = this.#prompts.get(text);
    if (text === "" || (known === undefined && this.#prompts.size >= promptsMax)) return;
    if (known !== undefined && (known.topic !== null || topic === "")) return;
    this.#prompts.set(text, {
      text,
      topic: topic === "" ? null : topic,
      isPaused: known?.isPaused ?? isPaused,
    });
  }

  found(): FoundWorkspace {
    const names = [...this.#names].map(([name, rows]) => ({ name, rows }));
    return {
      brand: this.#brand,
      competitors: [...this.#competitors.values()],
      prompts: [...this.#prompts.values()],
      names: names.toSorted((a, b) => b.rows - a.rows || (a.name < b.name ? -1 : 1)),
    };
  }
}

function namesIn(cell: string): readonly string[] {
  return listOfCell(cell, true)
    .flatMap((each) => (cell.trim().startsWith("[") ? [each] : each.split(/[,;|]/)))
    .map((each) => each.trim())
    .filter((each) => each !== "" && each.length <= 500);
}

function entityOf(
  { name: column, domains, aliases }: NonNullable<Tracked["brand"]>,
  cellOf: (column: string) => string,
): FoundEntity | null {
  const name = cellOf(column);
  if (name === "") return null;
  const listed = domains.flatMap((each) => listOfCell(cellOf(each), true));
  const others = aliases === undefined ? [] : listOfCell(cellOf(aliases), true);
  return { name, domains: [...new Set(listed)], aliases: [...new Set(others)] };
}

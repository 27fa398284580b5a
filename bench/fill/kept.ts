import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";

/** What was filled, and how long it took. */
export type Kept<Filled> = Filled & { readonly seconds: number };

/** How something is filled. */
export interface Filling<Filled> {
  /** Where to note that it is filled; beside it, not in it. */
  readonly noteFile: string;
  /** What it depends on: it is filled again when this changes. */
  readonly versions: object;
  readonly fill: () => Promise<Filled>;
}

/** Fills something unless it is filled already; a fill that did not end does not count. */
export async function keptOrFilled<Filled extends object>({
  noteFile,
  versions,
  fill,
}: Filling<Filled>): Promise<Kept<Filled>> {
  const wanted = JSON.stringify(versions);
  if (existsSync(noteFile)) {
    const note = JSON.parse(readFileSync(noteFile, "utf8")) as {
      readonly versions: string;
      readonly filled: Kept<Filled>;
    };
    if (note.versions === wanted) return note.filled;
  }
  rmSync(noteFile, { force: true });
  const started = performance.now();
  const filled = { ...(await fill()), seconds: (performance.now() - started) / 1000 };
  writeFileSync(noteFile, JSON.stringify({ versions: wanted, filled }));
  return filled;
}

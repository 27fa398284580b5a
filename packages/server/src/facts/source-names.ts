import type { Grouping } from "@sightline/contract";
import { readNames } from "./duckdb/read-results.ts";
import type { Chunks } from "./duckdb/run-statement.ts";
import type { Statement } from "./duckdb/statements.ts";
import { sourceNamesStatement } from "./duckdb/statements.ts";

/** What is kept of an account's names, in UTF-16 units: those asked for last. */
const keptUnitsMax = 1_000_000;

/** Sources whose names are wanted. */
export interface WantedNames {
  readonly groupBy: Grouping;
  readonly numbers: readonly number[];
  /** Those that may be wanted next: asked for along with others, and never by themselves. */
  readonly near: readonly number[];
}

/** The names of sources: a number keeps its name as long as the facts exist. */
export class SourceNames {
  readonly #kept: Readonly<Record<Grouping, Map<number, string>>> = {
    domain: new Map(),
    url: new Map(),
  };
  #units = 0;

  /** The names of some sources; the engine is asked when there is one that is not kept. */
  async of(
    { groupBy, numbers, near }: WantedNames,
    query: (statement: Statement) => Promise<Chunks>,
  ): Promise<ReadonlyMap<number, string>> {
    const kept = this.#kept[groupBy];
    const names = new Map<number, string>();
    const missing: number[] = [];
    for (const number of numbers) {
      const name = kept.get(number);
      if (name === undefined) missing.push(number);
      else names.set(number, name);
    }
    if (missing.length > 0) {
      // While answers come in, each batch brings other sources to a page: the engine takes as long
      // for one name as for a thousand.
      const asked = [...missing, ...near.filter((number) => !kept.has(number))];
      const read = readNames(await query(sourceNamesStatement(groupBy, asked)));
      for (const [number, name] of read) names.set(number, name);
    }
    this.#keep(kept, names);
    return names;
  }

  /** Puts names last, which is where the newest are, and forgets the oldest. */
  #keep(kept: Map<number, string>, names: ReadonlyMap<number, string>): void {
    for (const [number, name] of names) {
      if (!kept.delete(number)) this.#units += name.length;
      kept.set(number, name);
    }
    for (const [number, name] of kept) {
      if (this.#units <= keptUnitsMax) break;
      kept.delete(number);
      this.#units -= name.length;
    }
  }
}

import { type Codes, type RowSelection, rowsOf } from "./plan.ts";
import type { Selection } from "./question.ts";

/** How names that nobody tracks are computed from the facts. */
export interface NamesPlan {
  /** Rows of names. */
  readonly rows: RowSelection;
  /** The same answers, by appearances. */
  readonly answers: RowSelection;
  /** Of the names of more answers and prompts than one, those of the most answers. */
  readonly namesMax: number;
}

/** The most names among which brands are found. */
const namesMax = 3_000;

/** What the facts say of a name, summed over its answers. */
export interface NameCounts {
  /** What stands for it. */
  readonly number: number;
  readonly answers: number;
  readonly marked: number;
  readonly leads: number;
  readonly owned: number;
  readonly cited: number;
  readonly kin: number;
  readonly besideKin: number;
  readonly onlyMarked: number;
  /** The largest number of an entity whose it seems to be; 0: nobody's. */
  readonly owner: number;
  /** The sum of its places. */
  readonly places: number;
  /** The first answer in the record. */
  readonly sequence: number;
}

/** How widely the answers of a name are spread. */
export interface NameSpread {
  readonly number: number;
  readonly prompts: number;
  readonly providers: number;
}

/** How many answers of the account write a word in lower case, and with a capital. */
export interface NameWord {
  readonly word: number;
  readonly lower: number;
  readonly capital: number;
}

/** Where a name stands in an answer. */
export interface NamePlace {
  readonly number: number;
  readonly sequence: number;
  readonly begins: number;
  readonly ends: number;
}

/** How many answers with a name cite a domain whose label equals it. */
interface NameDomain {
  readonly number: number;
  readonly domain: string;
  readonly answers: number;
}

/** Answers to a prompt that name somebody whom nobody tracks, and nobody who is tracked. */
interface UnknownAnswers {
  readonly prompt: number;
  readonly answers: number;
  readonly unknown: number;
}

/** What is read of some names. */
export interface NamesRead {
  readonly plan: NamesPlan;
  readonly numbers: readonly number[];
}

/** What a page of names and the share beside it are made of. */
export interface NamesPageRead extends NamesRead {
  /** Those of the page. */
  readonly page: readonly number[];
}

/** What the facts say of a page of names, and which answers name nobody else. */
export interface NamesPageFound {
  readonly domains: readonly NameDomain[];
  readonly unknown: readonly UnknownAnswers[];
}

/** Names whose first places are read. */
export interface NamePlacesRead {
  readonly plan: NamesPlan;
  readonly names: readonly Pick<NameCounts, "number" | "sequence">[];
}

/** The plan of names; null when no row can pass the filters. */
export function planNames(
  selection: Selection,
  textsFromMs: number,
  codes: Codes,
): NamesPlan | null {
  // Names are texts: where those were removed, facts that are not rebuilt yet still have them.
  const fromMs = Math.min(Math.max(selection.fromMs, textsFromMs), selection.toMs);
  const rows = rowsOf({ ...selection, fromMs }, "names", codes);
  const answers = rowsOf({ ...selection, fromMs }, "appearances", codes);
  return rows && answers && { rows, answers, namesMax };
}

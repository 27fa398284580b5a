import { AnswerReader } from "./answer-reader.ts";
import { type Cue, type CueTable, compileTable } from "./cue-table.ts";
import { english } from "./cues/english.ts";
import { french } from "./cues/french.ts";
import { german } from "./cues/german.ts";
import { japanese } from "./cues/japanese.ts";
import { spanish } from "./cues/spanish.ts";
import { LanguageFinder } from "./language.ts";
import type { NamedPlace } from "./words.ts";

export { type FlagAccuracy, portrayalAccuracy } from "./accuracy.ts";
export { type Cue, type PortrayalFlag, portrayalFlags } from "./cue-table.ts";
export type { NamedPlace } from "./words.ts";

/** How an answer speaks of the entities that it names. */
export interface Portrayal {
  /**
   * BCP 47 primary subtag of the answer ("en", "de", "fr", "es", "ja") or null: no table reads it.
   */
  readonly language: string | null;
  /** By entity (as in the places given), its cues in the order of the text. */
  readonly cues: ReadonlyMap<number, readonly Cue[]>;
}

const tables: readonly CueTable[] = [english, german, french, spanish, japanese];
const compiled = new Map(tables.map((table) => [table.language, compileTable(table)]));
const finder = new LanguageFinder(
  new Map([...compiled].map(([language, { words }]) => [language, words])),
);

/** Incremented with every change of code that can alter a flag. */
const readerVersion = 2;

/** The version of the reader with its tables: when it changes, flags are read again. */
export const portrayalVersion: number =
  readerVersion + tables.reduce((sum, { version }) => sum + version, 0);

/**
 * Reads how an answer speaks of the entities named in it, by its structure and the cue table of its
 * language. Pure, linear in the text; never throws, on any text.
 *
 * @param places every place at which an entity is named.
 */
export function portray(text: string, places: readonly NamedPlace[]): Portrayal {
  const found = finder.languageOf(text);
  const table = found === null ? undefined : compiled.get(found);
  if (table === undefined) return { language: null, cues: new Map() };
  const named = disjoint(text, places);
  if (named.length === 0) return { language: found, cues: new Map() };
  const cues = [...new AnswerReader(table, text, named).read()];
  return { language: found, cues: new Map(cues.map(([entity, own]) => [entity, ordered(own)])) };
}

/** The places inside the text, ascending; of those that overlap the first. */
function disjoint(text: string, places: readonly NamedPlace[]): readonly NamedPlace[] {
  let free = 0;
  const sorted = isAscending(places) ? places : places.toSorted((a, b) => a.start - b.start);
  return sorted.filter(({ start, end }) => {
    if (!(start >= free && end > start && end <= text.length)) return false;
    free = end;
    return true;
  });
}

function isAscending(places: readonly NamedPlace[]): boolean {
  let last = 0;
  for (const { start } of places) {
    if (start < last) return false;
    last = start;
  }
  return true;
}

/** In the order of the text, each once. */
function ordered(cues: readonly Cue[]): readonly Cue[] {
  if (cues.length < 2) return cues;
  const sorted = cues.toSorted((a, b) => a.start - b.start || a.end - b.end);
  return sorted.filter(({ flag, start, end }, at) => {
    for (let before = at - 1; before >= 0; before -= 1) {
      const cue = sorted[before];
      if (cue?.start !== start || cue.end !== end) return true;
      if (cue.flag === flag) return false;
    }
    return true;
  });
}

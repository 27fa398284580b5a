import { CharacterBits } from "./character-table.ts";
import { type ComparableText, comparableText, reusedRoom } from "./comparable-text.ts";
import type { EntityRule } from "./entity-rule.ts";
import { type KnownName, NameAutomaton } from "./name-automaton.ts";

/** So short a name (HP, LG) is also an ordinary word or abbreviation in another case. */
const ownCaseCharactersMax = 2;

const { capital, hangul, unit, unspaced, variant, word } = CharacterBits;

/** What is compared when the case counts. */
const casedUnit = unit | capital | variant;

/** Scripts at whose words other letters may stand. */
const unboundedScripts = unspaced | hangul;

/** A place in the text where a name stands, in code units of the text as compared. */
interface Match {
  readonly start: number;
  readonly end: number;
  readonly entity: number;
}

/** Gives the entities that a prose mentions, by their indexes, in the order of first mention. */
export type NameMatcher = (prose: string) => number[];

/**
 * Compiles the names of entities. Names that consist of nothing comparable (spaces, asterisks)
 * match nothing.
 */
export function compileNameMatcher(entities: readonly EntityRule[]): NameMatcher {
  const automaton = compileAutomaton(entities);
  const room = reusedRoom();
  return (prose) => {
    const found = new Set<number>();
    let free = 0;
    for (const match of longestAtEachStart(automaton, comparableText(prose, room))) {
      if (match.start < free) continue;
      free = match.end;
      found.add(match.entity);
    }
    return [...found];
  };
}

function compileAutomaton(entities: readonly EntityRule[]): NameAutomaton {
  const names = entities.flatMap(({ names }, entity) =>
    names.map(({ text, caseSensitive }) => ({ entity, caseSensitive, units: nameUnits(text) })),
  );
  const automaton = new NameAutomaton(names.reduce((sum, { units }) => sum + units.length, 0));
  for (const { entity, caseSensitive, units } of names) {
    if (units.length === 0) continue;
    const ownCase = caseSensitive || charactersIn(units) <= ownCaseCharactersMax;
    const cased = ownCase ? units.map((bits) => bits & casedUnit) : null;
    automaton.add(Uint16Array.from(units), { entity, cased });
  }
  automaton.link();
  return automaton;
}

/** A name as compared, without the space at its beginning; at the end none is written. */
function nameUnits(text: string): Int32Array {
  const { units, length } = comparableText(text);
  const start = ((units[0] ?? 0) & CharacterBits.space) === 0 ? 0 : 1;
  return units.slice(start, length);
}

function charactersIn(units: Int32Array): number {
  return units.filter((bits) => (bits & 0xfc00) !== 0xdc00).length;
}

/**
 * The longest name that stands as a whole word at each place where one does, from left to right.
 */
function longestAtEachStart(automaton: NameAutomaton, text: ComparableText): Iterable<Match> {
  const longest = new Map<number, Match>();
  let ordered = true;
  let lastStart = -1;
  let state = 0;
  let before = 0;
  const { units, length } = text;
  for (let at = 0; at < length; at += 1) {
    const bits = units[at] ?? 0;
    // Outside names, only a place where a word can start is worth a look.
    const insideWord = (before & bits & word) !== 0 && ((before | bits) & unboundedScripts) === 0;
    before = bits;
    if (insideWord && state === 0) continue;
    state = automaton.step(state, bits & unit);
    if (state === 0 || !automaton.endsName(state) || !canEnd(text, at + 1)) continue;
    for (let named = state; named !== 0; named = automaton.shorter(named)) {
      const start = at + 1 - automaton.depth(named);
      const entity = canStart(text, start) ? ownerAt(automaton.names(named), text, start) : -1;
      if (entity === -1) continue;
      longest.set(start, { start, end: at + 1, entity }); // ends ascend: the later is the longer
      ordered &&= start >= lastStart;
      lastStart = start;
    }
  }
  return ordered ? longest.values() : [...longest.values()].sort((a, b) => a.start - b.start);
}

/** The first entity that owns one of the names in the case that stands at `start`, or -1. */
function ownerAt(names: readonly KnownName[], { units }: ComparableText, start: number): number {
  for (const { cased, entity } of names) {
    if (cased === null) return entity;
    if (cased.every((each, offset) => each === ((units[start + offset] ?? 0) & casedUnit))) {
      return entity;
    }
  }
  return -1;
}

/** Whether no word runs over the place `at` from the left into a name that starts there. */
function canStart({ units }: ComparableText, at: number): boolean {
  const before = units[at - 1] ?? 0;
  const after = units[at] ?? 0;
  if ((before & after & word) === 0 || ((before | after) & unspaced) !== 0) return true;
  return ((before ^ after) & hangul) !== 0;
}

/**
 * Whether no word runs over the place `at` out of a name that ends there. Hangul's particles may
 * follow.
 */
function canEnd({ units, length }: ComparableText, at: number): boolean {
  const before = units[at - 1] ?? 0;
  const after = at < length ? (units[at] ?? 0) : 0;
  return (before & after & word) === 0 || ((before | after) & unboundedScripts) !== 0;
}

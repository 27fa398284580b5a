import { CharacterBits } from "./character-table.ts";
import { type ComparableText, comparableText } from "./comparable-text.ts";
import type { EntityRule } from "./entity-rule.ts";
import { type KnownName, NameAutomaton } from "./name-automaton.ts";
import { NameSkips } from "./name-skips.ts";
import { reusedRoom } from "./room.ts";

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
  const names = compileNames(entities);
  const room = reusedRoom((units) => new Int32Array(units));
  return (prose) => {
    const found = new Set<number>();
    let free = 0;
    for (const match of longestAtEachStart(names, comparableText(prose, room))) {
      if (match.start < free) continue;
      free = match.end;
      found.add(match.entity);
    }
    return [...found];
  };
}

/** The names of all entities, ready to be looked for. */
interface CompiledNames {
  readonly automaton: NameAutomaton;
  readonly skips: NameSkips;
}

function compileNames(entities: readonly EntityRule[]): CompiledNames {
  const names = entities
    .flatMap(({ names }, entity) =>
      names.map(({ text, caseSensitive }) => ({ entity, caseSensitive, bits: nameUnits(text) })),
    )
    .filter(({ bits }) => bits.length > 0)
    .map((name) => ({ ...name, units: Uint16Array.from(name.bits) }));
  const automaton = new NameAutomaton(names.reduce((sum, { units }) => sum + units.length, 0));
  for (const { entity, caseSensitive, bits, units } of names) {
    const ownCase = caseSensitive || charactersIn(bits) <= ownCaseCharactersMax;
    automaton.add(units, { entity, cased: ownCase ? bits.map((each) => each & casedUnit) : null });
  }
  automaton.link();
  return { automaton, skips: new NameSkips(names.map(({ units }) => units)) };
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
function longestAtEachStart(
  { automaton, skips }: CompiledNames,
  text: ComparableText,
): Iterable<Match> {
  const longest = new Map<number, Match>();
  let ordered = true;
  let lastStart = -1;
  let state = 0;
  const { units, length } = text;
  for (let at = 0; at < length; at += 1) {
    if (state === 0) {
      at = skips.next(text, at);
      if (at === length) break;
    }
    const bits = units[at] ?? 0;
    state = automaton.step(state, bits & unit);
    // No name begins inside a word: such a place is worth no longer look.
    if (automaton.depth(state) === 1 && isInsideWord(units[at - 1] ?? 0, bits)) state = 0;
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

/** Whether a place between these is inside a word of a script that sets words apart. */
function isInsideWord(before: number, after: number): boolean {
  return (before & after & word) !== 0 && ((before | after) & unboundedScripts) === 0;
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

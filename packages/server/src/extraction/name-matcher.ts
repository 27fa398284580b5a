import { CharacterBits } from "./character-table.ts";
import { type ComparableText, comparableText, tracedText } from "./comparable-text.ts";
import { linkCuts } from "./cut-links.ts";
import { publicHost } from "./domains.ts";
import type { EntityRule } from "./entity-rule.ts";
import { type KnownName, NameAutomaton } from "./name-automaton.ts";
import { type EditTrace, edited, type TextEdit, type TextSpan, traceOf } from "./text-edits.ts";

/** A name this short (HP, LG) is also an ordinary word or abbreviation in another case. */
const ownCaseCharactersMax = 2;

const { capital, hangul, unit, unspaced, variant, word } = CharacterBits;

/** The compared bits when case counts. */
const casedUnit = unit | capital | variant;

/** Scripts whose words may be followed directly by other letters. */
const unboundedScripts = unspaced | hangul;

/** A name in a text: its position, in UTF-16 units, and its entity. */
export interface NameMatch extends TextSpan {
  /** The index of the entity. */
  readonly entity: number;
  /** The name as in the entity's rule. */
  readonly name: string;
}

/**
 * Finds the names of entities in a text as it was recorded, which is Markdown: every mention with
 * its position, in order.
 */
export type NameMatcher = (text: string) => readonly NameMatch[];

/**
 * Compiles the names of entities, and the phrases inside which they do not count. Names without
 * comparable characters (spaces, asterisks) match nothing.
 */
export function compileNameMatcher(entities: readonly EntityRule[]): NameMatcher {
  const names = compileNames(entities);
  // A label that is only a host name is a name, or only a part of one.
  const isName = (label: string) => names.hasHosts && isWholeName(names, nameUnits(label));
  return (text) => {
    const cuts = linkCuts(text, isName);
    const { comparable, spanOf } = tracedText(edited(text, cuts));
    const inText = cuts.length === 0 ? spanOf : traced(spanOf, cuts);
    const found: NameMatch[] = [];
    for (const match of disjoint(longestAtEachStart(names, comparable))) {
      const { entity, name } = match;
      if (entity !== null) found.push({ entity, name, ...inText(match) });
    }
    return found;
  };
}

/** Maps ranges of a prose back to the text from which links were cut; made for the first range. */
function traced(spanOf: EditTrace, cuts: readonly TextEdit[]): EditTrace {
  let trace: EditTrace | null = null;
  return (span) => {
    trace ??= traceOf(cuts);
    return trace(spanOf(span));
  };
}

/** A name, or a phrase that is not a mention. */
type Match = Omit<NameMatch, "entity"> & Pick<KnownName, "entity">;

/** Of overlapping matches in order of their starts, the leftmost. */
function* disjoint(matches: Iterable<Match>): Generator<Match> {
  let free = 0;
  for (const match of matches) {
    if (match.start < free) continue;
    free = match.end;
    yield match;
  }
}

/** The compiled names of all entities. */
interface CompiledNames {
  readonly automaton: NameAutomaton;
  readonly skips: NameSkips;
  /** Whether one of the names is a host name. */
  readonly hasHosts: boolean;
}

function compileNames(entities: readonly EntityRule[]): CompiledNames {
  // Phrases come last: where one is also the name of an entity, it is a mention of that.
  const names = [
    ...entities.flatMap(({ names }, entity) => names.map((name) => ({ ...name, entity }))),
    ...entities.flatMap(({ except = [] }) =>
      except.map((text) => ({ text, caseSensitive: false, entity: null })),
    ),
  ]
    .map((name) => ({ ...name, bits: nameUnits(name.text) }))
    .filter(({ bits }) => bits.length > 0)
    .map((name) => ({ ...name, units: Uint16Array.from(name.bits) }));
  const automaton = new NameAutomaton(names.reduce((sum, { units }) => sum + units.length, 0));
  for (const { entity, text, caseSensitive, bits, units } of names) {
    const ownCase = caseSensitive || charactersIn(bits) <= ownCaseCharactersMax;
    const cased = ownCase ? bits.map((each) => each & casedUnit) : null;
    automaton.add(units, { entity, text, cased });
  }
  automaton.link();
  const hasHosts = names.some(({ entity, text }) => entity !== null && publicHost(text) !== null);
  return { automaton, skips: new NameSkips(names.map(({ units }) => units)), hasHosts };
}

/** A name in compared form, without the leading space; a trailing one is never written. */
function nameUnits(text: string): Int32Array {
  const { units, length } = comparableText(text);
  const start = ((units[0] ?? 0) & CharacterBits.space) === 0 ? 0 : 1;
  return units.slice(start, length);
}

function isWholeName({ automaton }: CompiledNames, bits: Int32Array): boolean {
  const state = bits.reduce((at, each) => automaton.step(at, each & unit), 0);
  if (state === 0 || automaton.depth(state) !== bits.length) return false;
  const owner = ownerAt(automaton.names(state), { units: bits }, 0);
  return owner !== null && owner.entity !== null;
}

function charactersIn(units: Int32Array): number {
  return units.filter((bits) => (bits & 0xfc00) !== 0xdc00).length;
}

/** The longest name that is a whole word at each position with a match, from left to right. */
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
    // No name begins inside a word: skip such a position.
    if (automaton.depth(state) === 1 && isInsideWord(units[at - 1] ?? 0, bits)) state = 0;
    if (state === 0 || !automaton.endsName(state) || !canEnd(text, at + 1)) continue;
    for (let named = state; named !== 0; named = automaton.shorter(named)) {
      const start = at + 1 - automaton.depth(named);
      const owner = canStart(text, start) ? ownerAt(automaton.names(named), text, start) : null;
      if (owner === null) continue;
      const { entity, text: name } = owner;
      longest.set(start, { start, end: at + 1, entity, name }); // the later is the longer
      ordered &&= start >= lastStart;
      lastStart = start;
    }
  }
  return ordered ? longest.values() : [...longest.values()].sort((a, b) => a.start - b.start);
}

/** Whether a position between these is inside a word of a script that separates words. */
function isInsideWord(before: number, after: number): boolean {
  return (before & after & word) !== 0 && ((before | after) & unboundedScripts) === 0;
}

/** The first of the names at `start` whose case matches; null when there is none. */
function ownerAt(
  names: readonly KnownName[],
  { units }: Pick<ComparableText, "units">,
  start: number,
): KnownName | null {
  for (const name of names) {
    const { cased } = name;
    if (cased === null) return name;
    if (cased.every((each, offset) => each === ((units[start + offset] ?? 0) & casedUnit))) {
      return name;
    }
  }
  return null;
}

/**
 * Whether a name may start at `at`: no word continues into it from the left. A sign at its
 * beginning makes no difference: `.NET` is not in `asp.net`.
 */
function canStart({ units }: ComparableText, at: number): boolean {
  const before = units[at - 1] ?? 0;
  const after = units[at] ?? 0;
  if ((before & word) === 0 || ((before | after) & unspaced) !== 0) return true;
  return ((before ^ after) & hangul) !== 0;
}

/** Whether a name may end at `at`: no word continues out of it. Hangul's particles may follow. */
function canEnd({ units, length }: ComparableText, at: number): boolean {
  const before = units[at - 1] ?? 0;
  const after = at < length ? (units[at] ?? 0) : 0;
  return (before & after & word) === 0 || ((before | after) & unboundedScripts) !== 0;
}

/** The number of low bits of a unit that are compared. */
const lowBits = 8;
const lowMask = (1 << lowBits) - 1;

/** A longer name counts by its first units. */
const windowMax = 255;

/**
 * Skips positions where no name can begin, several at a time: the last two units of a window as
 * long as the shortest name say how far it must move before they could be in one (Wu and Manber, "A
 * fast algorithm for multi-pattern searching", 1994).
 */
class NameSkips {
  readonly #shortest: number;
  readonly #window: number;
  /** By the low bits of two units: how many positions to move; 0 when a name may begin here. */
  readonly #skips: Uint8Array;

  /** `names`: their units in compared form. */
  constructor(names: readonly Uint16Array[]) {
    this.#shortest = names.reduce((least, { length }) => Math.min(least, length), windowMax);
    this.#window = Math.max(this.#shortest, 2);
    this.#skips = new Uint8Array(2 ** (2 * lowBits)).fill(this.#window - 1);
    for (const name of names) this.#add(name);
  }

  /**
   * The first position from `from` on at which a name may begin; the text's length when there is
   * none.
   */
  next({ units, length }: ComparableText, from: number): number {
    const [skips, end] = [this.#skips, this.#window - 1];
    const last = length - this.#shortest;
    for (let at = from; at <= last; ) {
      const skip = skips[pairOf(units[at + end - 1] ?? 0, units[at + end] ?? 0)] ?? 0;
      if (skip === 0) return at;
      at += skip;
    }
    return length;
  }

  #add(name: Uint16Array): void {
    const [first = 0] = name;
    // A name of one unit may be followed by anything.
    if (name.length === 1) this.#skips.fill(0, pairOf(first, 0), pairOf(first, lowMask) + 1);
    for (let end = 1; end < Math.min(name.length, this.#window); end += 1) {
      const pair = pairOf(name[end - 1] ?? 0, name[end] ?? 0);
      this.#skips[pair] = Math.min(this.#skips[pair] ?? 0, this.#window - 1 - end);
    }
  }
}

function pairOf(first: number, second: number): number {
  return ((first & lowMask) << lowBits) | (second & lowMask);
}

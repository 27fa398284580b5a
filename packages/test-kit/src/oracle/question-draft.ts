import fc from "fast-check";
import { startOfBucket, startOfDay } from "./calendar.ts";
import { type Filters, type Interval, operations, type Question, type Range } from "./model.ts";

/** A place in time, relative to what an account has. */
interface MomentDraft {
  /** One of the account's moments, by index. */
  readonly pick: number;
  readonly edge: "itself" | "day" | "week" | "month" | "year" | "next day" | "next month";
  readonly distance: number;
}

/** The end of a range. */
type SpanDraft =
  | { readonly kind: "length"; readonly ms: number }
  | { readonly kind: "moment"; readonly to: MomentDraft };

/** An id of a filter: one of the account's (or one that nobody has), in either case. */
interface IdDraft {
  readonly index: number;
  readonly unknown: boolean;
  readonly upper: boolean;
}

/** The two filters that exclude each other, unless one is empty. */
interface ScopeDraft {
  readonly topics: readonly IdDraft[] | null;
  readonly promptIds: readonly IdDraft[] | null;
}

/** How an instant is written. */
export interface InstantSpelling {
  readonly offset: number;
  readonly lower: boolean;
  /** Whether zeros at the fraction's end are cut, or added. */
  readonly fraction: "full" | "short" | "long";
}

/** A question that fits any account: what it names is chosen by index. */
export interface QuestionDraft {
  readonly operation: number;
  readonly interval: Interval;
  readonly groupBy: "domain" | "url";
  readonly limit: number;
  readonly offset: number;
  readonly from: MomentDraft;
  readonly span: SpanDraft;
  readonly spelling: readonly [InstantSpelling, InstantSpelling];
  readonly providers: readonly string[] | null;
  readonly regions: readonly string[] | null;
  readonly scope: ScopeDraft;
  readonly branded: boolean | null;
}

/** What a draft's choices are made from. */
export interface QuestionMaterial {
  /** Instants at which something is, in any order; not empty. */
  readonly moments: readonly number[];
  readonly topicId: (draft: IdDraft) => string;
  readonly promptId: (draft: IdDraft) => string;
}

const dayMs = 86_400_000;
const firstMs = Date.parse("0001-01-01T00:00:00.000Z");
const lastMs = Date.parse("9999-12-31T23:59:59.999Z");

const arbitraryMoment: fc.Arbitrary<MomentDraft> = fc.record({
  pick: fc.nat({ max: 1_000_000 }),
  edge: fc.constantFrom("itself", "day", "week", "month", "year", "next day", "next month"),
  distance: fc.oneof(
    { weight: 16, arbitrary: fc.constantFrom(0, 0, 0, 1, -1, dayMs, -dayMs) },
    { weight: 6, arbitrary: fc.integer({ min: -20 * dayMs, max: 20 * dayMs }) },
    // Far outside the data.
    { weight: 1, arbitrary: fc.integer({ min: -80_000, max: 80_000 }).map((n) => n * dayMs) },
  ),
});

/** About the most buckets that are given, of each interval. */
const longDays = [3_999, 4_000, 4_001, 27_993, 28_000, 28_007, 121_700, 122_000];
const shortMs = [1, 2, dayMs - 1, dayMs, dayMs + 1, 7 * dayMs];
const usualDays = [14, 29, 31, 90, 366];

const arbitrarySpan: fc.Arbitrary<SpanDraft> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("moment" as const), to: arbitraryMoment }),
  },
  { weight: 4, arbitrary: lengths(shortMs) },
  { weight: 8, arbitrary: lengths(usualDays.map((days) => days * dayMs)) },
  { weight: 1, arbitrary: lengths(longDays.map((days) => days * dayMs)) },
);

function lengths(some: readonly number[]): fc.Arbitrary<SpanDraft> {
  return fc.record({ kind: fc.constant("length" as const), ms: fc.constantFrom(...some) });
}

const arbitraryId: fc.Arbitrary<IdDraft> = fc.record({
  // Topics are the first three; an index beyond them is an id that the account does not have.
  index: fc.oneof(fc.nat({ max: 2 }), fc.nat({ max: 23 })),
  unknown: fc.constantFrom(false, false, false, true),
  upper: fc.boolean(),
});

const arbitraryIds: fc.Arbitrary<IdDraft[]> = fc.oneof(
  { weight: 4, arbitrary: fc.array(arbitraryId, { maxLength: 4, size: "max" }) },
  // So many that an engine may look for them in another way.
  { weight: 1, arbitrary: manyIds() },
);
/** Ids of most of what there is, those that an account lacks among them. */
function manyIds(): fc.Arbitrary<IdDraft[]> {
  const all = Array.from({ length: 24 }, (_, index) => index);
  const some = fc.shuffledSubarray(all, { minLength: 15 });
  return fc
    .tuple(some, fc.array(arbitraryId, { maxLength: 4 }))
    .map(([indexes, others]) => [
      ...indexes.map((index) => ({ index, unknown: false, upper: index % 3 === 0 })),
      ...others,
    ]);
}

const none = fc.constantFrom<[null, never[]]>(null, []);

const arbitraryScope: fc.Arbitrary<ScopeDraft> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ topics: none, promptIds: none }) },
  { weight: 4, arbitrary: fc.record({ topics: arbitraryIds, promptIds: none }) },
  { weight: 4, arbitrary: fc.record({ topics: none, promptIds: arbitraryIds }) },
  { weight: 1, arbitrary: fc.record({ topics: arbitraryIds, promptIds: arbitraryIds }) },
);

const arbitrarySpelling: fc.Arbitrary<InstantSpelling> = fc.record({
  offset: fc.constantFrom(0, 0, 330, -480, 840, -1),
  lower: fc.boolean(),
  fraction: fc.constantFrom("full", "short", "long"),
});

/** Any question: every operation, interval and combination of filters, also those to refuse. */
export const arbitraryQuestion: fc.Arbitrary<QuestionDraft> = fc.record({
  operation: fc.nat({ max: operations.length - 1 }),
  interval: fc.constantFrom("daily", "weekly", "monthly"),
  groupBy: fc.constantFrom("domain", "url"),
  limit: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 100 })),
  offset: fc.oneof(
    { weight: 3, arbitrary: fc.constant(0) },
    { weight: 3, arbitrary: fc.nat({ max: 12 }) },
    { weight: 1, arbitrary: fc.constantFrom(99, 10_000, Number.MAX_SAFE_INTEGER) },
  ),
  from: arbitraryMoment,
  span: arbitrarySpan,
  spelling: fc.tuple(arbitrarySpelling, arbitrarySpelling),
  providers: sometimes(fc.constantFrom("OPENAI", "GEMINI", "GROK", "COPILOT")),
  regions: sometimes(fc.constantFrom("US", "us", "de", "Gb", "zz")),
  scope: arbitraryScope,
  branded: fc.constantFrom(null, null, null, true, false),
});

/** Left out, empty, or a few items, duplicates among them. */
function sometimes<Item>(item: fc.Arbitrary<Item>): fc.Arbitrary<Item[] | null> {
  return fc.oneof(
    { weight: 5, arbitrary: fc.constant(null) },
    { weight: 2, arbitrary: fc.array(item, { maxLength: 4, size: "max" }) },
  );
}

/** The question that a draft means for an account. */
export function questionOf(draft: QuestionDraft, material: QuestionMaterial): Question {
  const range = rangeOf(draft, material.moments);
  const [from, to] = draft.spelling;
  const { providers, regions, branded } = draft;
  const { topics, promptIds } = draft.scope;
  const filters: Filters = {
    timeRange: { from: spelledInstant(range.fromMs, from), to: spelledInstant(range.toMs, to) },
    ...(providers === null ? {} : { providers }),
    ...(regions === null ? {} : { regions: regions.map((code) => ({ code })) }),
    ...(topics === null ? {} : { topics: topics.map((id) => ({ id: material.topicId(id) })) }),
    ...(promptIds === null ? {} : { promptIds: promptIds.map(material.promptId) }),
    ...(branded === null ? {} : { branded }),
  };
  const operation = operations[draft.operation] ?? "sources";
  const { interval, limit, offset, groupBy } = draft;
  if (operation !== "sources") return { operation, body: { interval, filters }, ...range };
  return { operation, body: { limit, offset, groupBy, filters }, ...range };
}

function rangeOf({ from, span }: QuestionDraft, moments: readonly number[]): Range {
  const one = momentOf(from, moments);
  const other = span.kind === "length" ? one + span.ms : momentOf(span.to, moments);
  const [least, most] = one <= other ? [one, other] : [other, one];
  const fromMs = Math.min(Math.max(least, firstMs), lastMs - 1);
  return { fromMs, toMs: Math.min(Math.max(most, fromMs + 1), lastMs) };
}

function momentOf({ pick, edge, distance }: MomentDraft, moments: readonly number[]): number {
  return edgeOf(moments[pick % moments.length] ?? 0, edge) + distance;
}

function edgeOf(ms: number, edge: MomentDraft["edge"]): number {
  switch (edge) {
    case "itself":
      return ms;
    case "day":
      return startOfDay(ms);
    case "week":
      return startOfBucket(ms, "weekly");
    case "month":
      return startOfBucket(ms, "monthly");
    case "year":
      return new Date(startOfBucket(ms, "monthly")).setUTCMonth(0);
    case "next day":
      return startOfDay(ms) + dayMs;
    case "next month":
      return startOfBucket(startOfBucket(ms, "monthly") + 31 * dayMs, "monthly");
  }
}

/** An instant as RFC 3339 text with an offset; where its local year could not be written, UTC. */
export function spelledInstant(ms: number, { offset, lower, fraction }: InstantSpelling): string {
  const local = ms + offset * 60_000;
  const minutes = local < firstMs || local > lastMs ? 0 : offset;
  const digits = new Date(ms + minutes * 60_000).toISOString().slice(0, -1);
  const [seconds = "", fractionDigits = ""] = digits.split(".");
  const short = fractionDigits.replace(/0+$/, "");
  const written = { full: fractionDigits, short, long: `${fractionDigits}000` }[fraction];
  const text = `${seconds}${written === "" ? "" : `.${written}`}${zone(minutes)}`;
  return lower ? text.toLowerCase() : text;
}

function zone(minutes: number): string {
  if (minutes === 0) return "Z";
  const two = (count: number): string => String(count).padStart(2, "0");
  const size = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

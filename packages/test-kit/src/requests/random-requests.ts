import {
  bucketsMax,
  contributionGroupings,
  contributionsMax,
  domainMetricNames,
  evidenceRoles,
  groupings,
  type Interval,
  intervals,
  metricNames,
  providers,
  sourceOrders,
  summaryGroupings,
  surfaces,
} from "@sightline/contract";
import fc from "fast-check";
import { sampleIds, sampleRange } from "../sample-account.ts";

const dayMs = 86_400_000;
/** No bucket of the interval is shorter. */
const shortestMs: Readonly<Record<Interval, number>> = {
  daily: dayMs,
  weekly: 7 * dayMs,
  monthly: 28 * dayMs,
};
const firstMs = Date.parse("0001-01-02T00:00:00.000Z");
const lastMs = Date.parse("9999-12-30T00:00:00.000Z");

/** An instant as text, in any of the ways in which RFC 3339 lets it be written. */
function dateTime(instantMs: number): fc.Arbitrary<string> {
  return fc
    .record({
      minutes: fc.oneof(fc.constant(0), fc.integer({ min: -1_439, max: 1_439 })),
      zulu: fc.constantFrom("Z", "z", null),
      letter: fc.constantFrom("T", "t"),
      moreDigits: fc.stringMatching(/^\d{0,12}$/),
    })
    .map(({ minutes, zulu, letter, moreDigits }) => {
      const offset = zulu === null ? minutes : 0;
      const local = new Date(instantMs + offset * 60_000).toISOString();
      const text = local.replace("T", letter).replace("Z", moreDigits);
      return text + (zulu ?? offsetText(offset));
    });
}

function offsetText(minutes: number): string {
  const size = Math.abs(minutes);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** Few buckets mostly, sometimes nearly all that are allowed; near the sample mostly. */
function timeRange(bucketMs: number): fc.Arbitrary<object> {
  const near = Date.parse(sampleRange.from);
  const longestMs = (bucketsMax - 2) * bucketMs;
  return fc
    .record({
      fromMs: fc.oneof(
        { weight: 4, arbitrary: fc.integer({ min: near - 20 * dayMs, max: near + 20 * dayMs }) },
        { weight: 1, arbitrary: fc.integer({ min: firstMs, max: lastMs - dayMs }) },
      ),
      lengthMs: fc.oneof(
        { weight: 20, arbitrary: fc.integer({ min: 1, max: 40 * bucketMs }) },
        { weight: 1, arbitrary: fc.integer({ min: 1, max: longestMs }) },
      ),
    })
    .chain(({ fromMs, lengthMs }) =>
      fc.record({ from: dateTime(fromMs), to: dateTime(Math.min(fromMs + lengthMs, lastMs)) }),
    );
}

const anyCase = (text: string) => fc.constantFrom(text, text.toUpperCase(), text.toLowerCase());
const uuid = fc
  .oneof(
    fc.constantFrom(...Object.values(sampleIds)),
    fc.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/),
  )
  .chain(anyCase);
const region = fc
  .oneof(fc.constantFrom("US", "DE"), fc.stringMatching(/^[A-Z]{2}$/))
  .chain(anyCase);

const few = { maxLength: 6 };
const optional = <Value>(arbitrary: fc.Arbitrary<Value>) =>
  fc.option(arbitrary, { nil: undefined, freq: 1 });

function filters(bucketMs: number): fc.Arbitrary<object> {
  const topics = fc.array(fc.record({ id: uuid }), few);
  const promptIds = fc.array(uuid, few);
  const either = fc.oneof(
    fc.constant({}),
    topics.map((items) => ({ topics: items })),
    promptIds.map((items) => ({ promptIds: items })),
    topics.map((items) => ({ topics: items, promptIds: [] })),
    promptIds.map((items) => ({ topics: [], promptIds: items })),
  );
  const rest = fc.record({
    timeRange: timeRange(bucketMs),
    providers: optional(fc.array(fc.constantFrom(...providers), few)),
    regions: optional(fc.array(fc.record({ code: region }), few)),
    branded: optional(fc.boolean()),
  });
  return fc.tuple(rest, either).map(([some, more]) => withoutUndefined({ ...some, ...more }));
}

/** The filters of insights, with those that the interface does not have. */
function insightFilters(bucketMs: number): fc.Arbitrary<object> {
  const more = fc.record({
    models: optional(fc.array(fc.constantFrom("alpha", "gpt-5.1", "\ud800", "A"), few)),
    surfaces: optional(fc.array(fc.constantFrom(...surfaces), few)),
    tags: optional(fc.array(fc.constantFrom("buying", " New\u00a0home", "\ud800", " "), few)),
  });
  return fc.tuple(filters(bucketMs), more).map(([all, own]) => ({
    ...all,
    ...withoutUndefined(own),
  }));
}

function withoutUndefined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Requests of operations 1 to 4 that must be answered. */
export const seriesRequests: fc.Arbitrary<object> = fc
  .constantFrom(...intervals)
  .chain((interval) =>
    fc.record({ interval: fc.constant(interval), filters: filters(shortestMs[interval]) }),
  );

/** Requests of POST /v1/insights/series that must be answered. */
export const countedRequests: fc.Arbitrary<object> = fc
  .tuple(fc.constantFrom(...metricNames), seriesRequests)
  .map(([metric, request]) => ({ metric, ...request }));

/** Requests of operation 5 that must be answered. */
export const sourcesRequests: fc.Arbitrary<object> = fc.record({
  limit: fc.integer({ min: 1, max: 100 }),
  offset: fc.oneof(fc.integer({ min: 0, max: 5 }), fc.maxSafeNat()),
  groupBy: fc.constantFrom(...groupings),
  filters: filters(dayMs),
});

const sourceText = fc.oneof(
  fc.constantFrom("example.org", "https://example.org/x", "http://", "\0", "\ud800"),
  fc.string({ unit: "binary", minLength: 1, maxLength: 100 }),
);
const citedSource = { domain: optional(sourceText), url: optional(sourceText) };

/** Requests of POST /v1/evidence that must be answered. */
export const evidenceRequests: fc.Arbitrary<object> = fc
  .record({
    entityId: optional(uuid),
    role: fc.constantFrom(...evidenceRoles),
    ...citedSource,
    limit: optional(fc.integer({ min: 1, max: 100 })),
    filters: insightFilters(dayMs),
  })
  .map(withoutUndefined);

const comparison = fc
  .record({
    compare: optional(fc.record({ filters: insightFilters(dayMs) })),
    threshold: optional(
      fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true })),
    ),
  })
  .map(withoutUndefined);

/** A comparison of a request: with other prompts, so that no time is compared with itself. */
function comparedTo(
  request: { readonly filters?: { readonly branded?: boolean } },
  { compare, ...more }: { readonly compare?: { readonly filters: object } },
): object {
  if (compare === undefined) return more;
  const branded = request.filters?.branded !== true;
  return { ...more, compare: { filters: { ...compare.filters, branded } } };
}

/** Requests of POST /v1/insights/summary that must be answered. */
export const summaryRequests: fc.Arbitrary<object> = fc
  .tuple(
    fc.record({
      groupBy: fc.constantFrom(...summaryGroupings),
      filters: insightFilters(dayMs),
      entityIds: optional(fc.array(uuid, few)),
    }),
    comparison,
  )
  .map(([request, more]) => withoutUndefined({ ...request, ...comparedTo(request, more) }));

/** Requests of POST /v1/insights/sources that must be answered. */
export const gapsRequests: fc.Arbitrary<object> = fc
  .tuple(
    sourcesRequests,
    comparison,
    fc.record({ ...citedSource, orderBy: optional(fc.constantFrom(...sourceOrders)) }),
  )
  .map(([request, more, own]) =>
    withoutUndefined({ ...request, ...comparedTo(request, more), ...own }),
  );

/** Requests of POST /v1/insights/changes that must be answered. */
export const changesRequests: fc.Arbitrary<object> = fc
  .tuple(
    fc.record({
      entityId: uuid,
      metric: fc.constantFrom(...domainMetricNames),
      by: fc.constantFrom(...contributionGroupings),
      limit: fc.integer({ min: 1, max: contributionsMax }),
      filters: insightFilters(dayMs),
    }),
    fc.record({ filters: insightFilters(dayMs) }),
    fc.record({ rankThreshold: optional(fc.double({ min: 0, max: 100, noNaN: true })) }),
  )
  .map(([request, compare, more]) =>
    withoutUndefined({ ...request, ...comparedTo(request, { compare, ...more }) }),
  );

// What stands for a piece of a request: wrong types, values out of range, hostile texts.
const junk: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -0, -1, 0.5, 101, 1e21, 2 ** 53, [], {}, ""),
  fc.constantFrom<unknown>([[]], [null], { id: null }, { "": "" }, { toString: 1 }, "null"),
  fc.constantFrom("daily", "DAILY", "GROK", "us", "USA", "2026-01-01", "0000-00-00T00:00:00Z"),
  fc.constantFrom("2026-13-01T00:00:00Z", "9999-12-31T23:59:60Z", "2026-01-01T24:00:00Z"),
  fc.constantFrom("\0", "\ud800", "\u202e", "a".repeat(20_000), "9".repeat(400), "'; --"),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: "binary", maxLength: 40 }),
);

const names = fc.oneof(
  fc.constantFrom("__proto__", "constructor", "prototype", "provider", "from", "limit", "a/b~c"),
  fc.string({ unit: "binary", maxLength: 20 }),
);

/** What is done to one piece of a request, as text that takes the piece's place. */
const mutation: fc.Arbitrary<(piece: unknown) => string> = fc.oneof(
  junk.map((value) => () => JSON.stringify(value)),
  fc
    .constantFrom("1e400", "-1e400", "-0", "1E2", "10.0", "NaN", "undefined", "'a'", "01", "")
    .map((text) => () => text),
  fc.tuple(names, junk).map(
    ([name, value]) =>
      (piece: unknown) =>
        added(piece, name, value),
  ),
  fc.constant((piece: unknown) => `[${JSON.stringify(piece)}]`),
  fc.constant((piece: unknown) => JSON.stringify(JSON.stringify(piece))),
  fc.integer({ min: 1, max: 20_000 }).map((depth) => () => "[".repeat(depth) + "]".repeat(depth)),
);

function added(piece: unknown, name: string, value: unknown): string {
  if (Array.isArray(piece)) return JSON.stringify([...piece, value]);
  if (typeof piece !== "object" || piece === null) return JSON.stringify({ [name]: value });
  return JSON.stringify({ ...piece, [name]: value });
}

/** A request with one piece of it changed: often outside the schema, sometimes still inside. */
function mutated(requests: fc.Arbitrary<object>): fc.Arbitrary<string> {
  return fc.tuple(requests, fc.nat(), fc.boolean(), mutation).map(([request, at, drop, change]) => {
    const places = placesIn(request);
    const place = places[at % places.length] ?? [];
    if (drop && place.length > 0) return JSON.stringify(changed(request, place, undefined));
    const mark = "the piece's place";
    const text = JSON.stringify(changed(request, place, mark));
    return text.replace(JSON.stringify(mark), () => change(pieceAt(request, place)));
  });
}

type Place = readonly string[];

function placesIn(value: unknown): readonly Place[] {
  if (typeof value !== "object" || value === null) return [[]];
  const inner = Object.entries(value).flatMap(([name, piece]) =>
    placesIn(piece).map((place) => [name, ...place]),
  );
  return [[], ...inner];
}

function pieceAt(value: unknown, [name, ...rest]: Place): unknown {
  return name === undefined ? value : pieceAt((value as Record<string, unknown>)[name], rest);
}

function changed(value: unknown, [name, ...rest]: Place, piece: unknown): unknown {
  if (name === undefined) return piece;
  const inner = changed(pieceAt(value, [name]), rest, piece);
  if (Array.isArray(value)) return value.with(Number(name), inner);
  return { ...(value as object), [name]: inner };
}

/** Bytes that are most often no request at all. */
function garbled(requests: fc.Arbitrary<object>): fc.Arbitrary<Buffer> {
  const bytes = requests.map((request) => Buffer.from(JSON.stringify(request)));
  return fc.oneof(
    fc.tuple(bytes, fc.nat()).map(([all, end]) => all.subarray(0, end % all.length)),
    fc.tuple(bytes, fc.nat(), fc.nat(255)).map(([all, at, byte]) => {
      all[at % all.length] = byte;
      return all;
    }),
    fc.tuple(bytes, fc.nat(), fc.uint8Array({ maxLength: 8 })).map(([all, at, more]) => {
      const place = at % all.length;
      return Buffer.concat([all.subarray(0, place), more, all.subarray(place)]);
    }),
    bytes.map((all) => Buffer.concat([all, all])),
    bytes.map((all) => Buffer.from(all.toString(), "utf16le")),
    bytes.map((all) => Buffer.concat([Buffer.from("\ufeff"), all])),
    fc.uint8Array({ maxLength: 64 }).map((all) => Buffer.from(all)),
    junk.map((value) => Buffer.from(JSON.stringify(value))),
  );
}

/** Bodies near a request and far from it, most of them to be refused. */
export function strangeBodies(requests: fc.Arbitrary<object>): fc.Arbitrary<Buffer> {
  return fc.oneof(
    { weight: 3, arbitrary: mutated(requests).map((text) => Buffer.from(text)) },
    { weight: 1, arbitrary: garbled(requests) },
  );
}

import {
  evidenceRoles,
  groupings,
  intervals,
  providers,
  seriesMetricNames,
  sourceOrders,
  surfaces,
} from "@sightline/contract";
import fc from "fast-check";
import { bucketsOf } from "../../../server/src/facts/plan/buckets.ts";
import type { EvidenceQuestion } from "../../../server/src/facts/plan/places-plan.ts";
import type {
  CitedSource,
  Selection,
  SourcesQuestion,
  TimeSeriesQuestion,
} from "../../../server/src/facts/plan/question.ts";
import type { SourceGapsQuestion } from "../../../server/src/facts/plan/source-questions.ts";
import { factsSnapshot, pageOf } from "./arbitrary-facts.ts";

const dayMs = 86_400_000;
const firstMs = Date.UTC(2025, 11, 20);

/** A null, or some of the items. */
const someOf = <Item extends string>(items: readonly Item[]) =>
  fc.option(fc.uniqueArray(fc.constantFrom(...items), { minLength: 1 }), { nil: null, freq: 2 });

const unknownId = "ffffffff-0000-4000-8000-000000000000";

const arbitraryItems = {
  providers: someOf(providers),
  topicIds: someOf([...factsSnapshot.topics, unknownId]),
  promptIds: someOf([...factsSnapshot.prompts.map(({ id }) => id), unknownId]),
  regions: someOf(["US", "DE", "FR"]),
  models: someOf(["one", "two", "three"]),
  surfaces: someOf(surfaces),
  tags: someOf(["even", "first", "nobody's"]),
};

/** Ranges around the instants of arbitraryFact, of whole days and others. */
const arbitrarySelection: fc.Arbitrary<Selection> = fc
  .record({
    fromDay: fc.integer({ min: 0, max: 45 }),
    days: fc.integer({ min: 0, max: 50 }),
    offsets: fc.constantFrom([0, 0], [0, 0], [1, 0], [0, 3_600_001], [7_200_000, 500]),
    ...arbitraryItems,
    branded: fc.constantFrom(true, false, null, null),
    exclude: fc.option(fc.record(arbitraryItems), { freq: 1 }),
  })
  .map(({ fromDay, days, offsets, ...filters }) => {
    const fromMs = firstMs + fromDay * dayMs + (offsets[0] ?? 0);
    return { fromMs, toMs: fromMs + days * dayMs + (offsets[1] ?? 0) + 1_000, ...filters };
  });

/** Questions for time series. */
export const arbitrarySeries: fc.Arbitrary<TimeSeriesQuestion> = fc
  .record({
    metric: fc.constantFrom(...seriesMetricNames),
    interval: fc.constantFrom(...intervals),
    selection: arbitrarySelection,
  })
  .map(({ metric, interval, selection }) => {
    const buckets = bucketsOf(interval, selection.fromMs, selection.toMs);
    return { metric, selection, buckets };
  });

/** Sources as arbitraryFact names them, some that nothing cites among them; null: none. */
const arbitraryCited: fc.Arbitrary<CitedSource | null> = fc.option(
  fc.record({
    domain: fc.constantFrom("site0.com", "site1.com", "site3.com", "other.com", "a\0\ud800", null),
    url: fc.constantFrom(...[0, 5, 8].map((page) => pageOf(page).url), "https://other.com/", null),
  }),
);

/** Questions for pages of sources, also of pages that are empty. */
export const arbitrarySources: fc.Arbitrary<
  SourcesQuestion & Pick<SourceGapsQuestion, "listed" | "orderBy" | "forms">
> = fc.record({
  listed: arbitraryCited.map(orNull),
  groupBy: fc.constantFrom(...groupings),
  orderBy: fc.constantFrom(...sourceOrders),
  forms: fc.oneof(
    { weight: 2, arbitrary: fc.constant(null) },
    fc.constant(["list", "other"] as const),
  ),
  selection: arbitrarySelection,
  limit: fc.constantFrom(1, 2, 3, 100),
  offset: fc.constantFrom(0, 0, 1, 2, 50),
});

/** Questions for lists of answers, of short pages too. */
export const arbitraryEvidence: fc.Arbitrary<EvidenceQuestion> = fc.record({
  selection: fc.oneof(arbitrarySelection, arbitrarySelection.map(withoutFilters)),
  entityId: fc.constantFrom(null, ...factsSnapshot.entities.map(({ id }) => id), unknownId),
  role: fc.constantFrom(...evidenceRoles),
  cites: arbitraryCited.map(orNull),
  limit: fc.constantFrom(1, 3, 100),
  after: fc.constant(null),
});

const noFilters = {
  providers: null,
  topicIds: null,
  promptIds: null,
  regions: null,
  models: null,
  surfaces: null,
  tags: null,
  branded: null,
  exclude: null,
} as const;

function orNull(source: CitedSource | null): CitedSource | null {
  return source === null || (source.domain === null && source.url === null) ? null : source;
}

function withoutFilters({ fromMs }: Selection): Selection {
  return { ...noFilters, fromMs, toMs: fromMs + 50 * dayMs };
}

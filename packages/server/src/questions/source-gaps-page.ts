import type { InsightsSourcesResponse } from "@sightline/contract";
import type { SourceGapsQuestion } from "../facts/plan/question.ts";
import type { SeriesEntity } from "../facts/plan/series.ts";
import type { SourceGapsFacts } from "../facts/plan/source-gaps.ts";
import { judgingOf } from "./changes.ts";
import type { Discontinuity } from "./discontinuity.ts";
import { type Emptiness, emptyPart } from "./emptiness.ts";
import { sourceChanges } from "./source-changes.ts";
import { comparedPart, type SummarySide } from "./summary.ts";

/** What the facts say to a page of sources with gaps, and whose sources they are. */
export interface ClassifiedSources extends SourceGapsFacts {
  /** In the order of the series: the brand first. */
  readonly entities: readonly SeriesEntity[];
  /** Of each source of the page: its owner's place in the series; null: of no tracked entity. */
  readonly owners: readonly (number | null)[];
  /** Null: some answer that passes cites a page. */
  readonly empty: Emptiness | null;
  /** Null: nothing is compared. */
  readonly comparedSide: SummarySide | null;
  /** Of the comparison; nothing without one. */
  readonly discontinuity: Discontinuity;
}

/** The most bytes that a reply takes, nearly: of a hundred long URLs. */
export const sourceGapsBytesMost = 300_000;

/** The reply of POST /v1/insights/sources, as JSON. It can be paused after each source. */
export function* sourceGapsJson(
  { groupBy, limit, offset, selection, compare, threshold }: SourceGapsQuestion,
  facts: ClassifiedSources,
): Generator<void, Buffer, void> {
  const { total, citations, page, owners, entities, comparedSide } = facts;
  const judging = {
    ...judgingOf([selection, compare ?? selection], threshold),
    isContinuous: facts.discontinuity.providers.length === 0,
  };
  const judged = compare && (yield* sourceChanges(facts.compared ?? nothing, page.length, judging));
  const reply: InsightsSourcesResponse = {
    groupBy,
    sources: page.map(({ source, citations: own, ...counts }, place) => {
      const owner = owners[place] ?? null;
      const change = judged?.changes[place];
      return {
        source,
        share: own / citations,
        citations: own,
        ...counts,
        class: classOf(owner),
        entityId: owner === null ? null : (entities[owner]?.id ?? null),
        ...(change === undefined ? {} : { change }),
      };
    }),
    pagination: { total, limit, offset, hasMore: offset + page.length < total },
    tests: judged?.tests ?? 0,
    empty: emptyPart(facts.empty),
    ...(compare === null || comparedSide === null
      ? {}
      : { compare: comparedPart(compare, comparedSide, facts.discontinuity) }),
  };
  return Buffer.from(JSON.stringify(reply));
}

/** No answer can pass the filters of the comparison. */
const nothing = { before: [], after: [] };

function classOf(owner: number | null) {
  if (owner === null) return "thirdParty";
  return owner === 0 ? "own" : "competitor";
}

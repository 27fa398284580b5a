import type { Grouping, InsightsSourcesResponse } from "@sightline/contract";
import { compileDomainTable } from "../extraction/index.ts";
import {
  allAnswers,
  allCitations,
  type ComparedSources,
  planSourceGaps,
  type SourceGapsFacts,
  type SourcePromptSum,
} from "../facts/plan/insight-plans.ts";
import { noPlan, usedBy } from "../facts/plan/plan.ts";
import type { SourceGapsQuestion } from "../facts/plan/question.ts";
import type { SeriesEntity } from "../facts/plan/series.ts";
import type { Snapshot } from "../facts/snapshot.ts";
import { type Emptiness, emptyPart } from "./account-views.ts";
import { type Change, Changes, type Judging, judgingOf } from "./changes/changes.ts";
import { estimate } from "./changes/clusters.ts";
import type { Cluster } from "./changes/moments.ts";
import {
  answersAlone,
  comparedPart,
  continuous,
  type Discontinuity,
  emptyOf,
  type Reading,
  readDiscontinuity,
  readSide,
  type SummarySide,
  uncited,
} from "./reading.ts";
import { canonicalSource } from "./sources.ts";

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

/** What the facts say to a page of sources with gaps. */
export async function readClassifiedSources(
  reading: Reading,
  asked: SourceGapsQuestion,
): Promise<ClassifiedSources> {
  const { entities, facts } = reading.view;
  const question = { ...asked, listed: canonicalSource(asked.listed) };
  const { selection, compare, groupBy } = question;
  const comparedSide = compare && (await readSide(reading, compare, answersAlone));
  const discontinuity = compare
    ? await readDiscontinuity(reading, { selection, compare }, null)
    : continuous;
  const plan = facts && planSourceGaps(question, facts.codes);
  if (facts === null || plan === null) {
    const empty = await emptyOf(reading, selection, null);
    return { ...noSources, entities, empty, comparedSide, discontinuity };
  }
  const found = await reading.engine.sourceGaps(
    reading.accountId,
    {
      generation: facts.generation,
      plan: {
        page: plan,
        compare: compare && planSourceGaps({ ...question, selection: compare }, facts.codes),
      },
    },
    reading.signal,
  );
  const sources = found.page.map(({ source }) => source);
  return {
    ...found,
    entities,
    owners: sourceOwners(facts.snapshot, groupBy, sources),
    empty: found.citations === 0 ? await uncited(reading, selection) : null,
    comparedSide,
    discontinuity,
    used: usedBy(plan),
  };
}

const noSources = {
  total: 0,
  citations: 0,
  page: [],
  owners: [],
  compared: null,
  used: noPlan,
} as const;

/** The most bytes that a reply takes, nearly: of a hundred long URLs. */
export const sourceGapsBytesMax = 300_000;

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

/** The changes of the shares of a page's sources, in their order, and how many were tested. */
interface SourceChanges {
  readonly changes: readonly Change[];
  readonly tests: number;
}

/** How the changes of sources are judged. */
interface SourceJudging extends Judging {
  readonly isContinuous: boolean;
}

/** Compares the shares of a page's sources. It can be paused after each source. */
function* sourceChanges(
  { before, after }: ComparedSources,
  sources: number,
  { isContinuous, ...judging }: SourceJudging,
): Generator<void, SourceChanges, void> {
  const [first, second] = [sideOf(before), sideOf(after)];
  const prompts = [...new Set([...first.prompts, ...second.prompts])];
  const commonPrompts = first.prompts.size + second.prompts.size - prompts.length;
  const changes = new Changes(judging);
  for (let source = 0; source < sources; source += 1) {
    const clustersOf = (side: Side, among: Iterable<number>): readonly Cluster[] =>
      [...among].map((prompt) => ({
        numerator: side.sums.get(source)?.get(prompt) ?? 0,
        denominator: side.sums.get(allCitations)?.get(prompt) ?? 0,
      }));
    changes.add({
      before: clustersOf(first, prompts),
      after: clustersOf(second, prompts),
      estimateBefore: estimate(clustersOf(first, first.prompts), "share"),
      estimateAfter: estimate(clustersOf(second, second.prompts), "share"),
      commonPrompts,
      isContinuous,
      scale: "share",
    });
    yield;
  }
  return changes.judged();
}

interface Side {
  /** Those with answers. */
  readonly prompts: ReadonlySet<number>;
  /** By what is counted, then by prompt. */
  readonly sums: ReadonlyMap<number, ReadonlyMap<number, number>>;
}

function sideOf(rows: readonly SourcePromptSum[]): Side {
  const sums = new Map<number, Map<number, number>>();
  for (const { prompt, counted, sum } of rows) {
    const own = sums.get(counted) ?? new Map<number, number>();
    sums.set(counted, own.set(prompt, sum));
  }
  return { prompts: new Set(sums.get(allAnswers)?.keys()), sums };
}

/**
 * The place of each source's owner in the series, the first if there are several; null: of no
 * tracked entity. A domain is an entity's when all of its pages are.
 */
function sourceOwners(
  { entities }: Snapshot,
  groupBy: Grouping,
  sources: readonly string[],
): readonly (number | null)[] {
  const owners = compileDomainTable(entities);
  return sources.map((source) => {
    const found = owners(groupBy === "url" ? source : `https://${source}/`);
    return found.length === 0 ? null : Math.min(...found.map(({ entity }) => entity));
  });
}

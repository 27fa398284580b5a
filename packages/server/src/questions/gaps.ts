import type { FileSource, Grouping, InsightsSourcesResponse } from "@sightline/contract";
import { compileDomainTable, domainOf } from "../extraction/index.ts";
import { compileClassifier, formOf, type SourceClassifier } from "../facts/kinds/source-kinds.ts";
import {
  allAnswers,
  allCitations,
  type ComparedSources,
  planSourceGaps,
  type SourceGapsFacts,
  type SourceSums,
} from "../facts/plan/gap-plans.ts";
import { noPlan, usedBy } from "../facts/plan/plan.ts";
import type { Selection } from "../facts/plan/question.ts";
import type { SeriesEntity } from "../facts/plan/series.ts";
import type { SourceGapsQuestion } from "../facts/plan/source-questions.ts";
import type { Snapshot } from "../facts/snapshot.ts";
import { type Emptiness, emptyPart } from "./account-views.ts";
import { continuous, type Discontinuity, ofProviders } from "./discontinuity.ts";
import {
  answersAlone,
  comparedPart,
  emptyOf,
  factsPart,
  type Measured,
  type Reading,
  readDiscontinuity,
  readSide,
  type SummarySide,
  uncited,
} from "./reading.ts";
import { type ClassShare, readClasses } from "./source-classes.ts";
import { canonicalSource } from "./sources.ts";
import { changeOf, pairsFrom, type Side } from "./statistics/change.ts";
import { opportunityOf } from "./statistics/estimates.ts";
import type { Cluster } from "./statistics/moments.ts";
import { Changes, judgingOf } from "./statistics/verdicts.ts";

/** What the facts say to a page of sources with gaps, and whose sources they are. */
export interface ClassifiedSources extends SourceGapsFacts {
  /** In the order of the series: the brand first. */
  readonly entities: readonly SeriesEntity[];
  /** Of each source of the page: its owner's place in the series; null: of no tracked entity. */
  readonly owners: readonly (number | null)[];
  readonly classifier: SourceClassifier;
  /** The citations of each class; null: they were not asked for. */
  readonly classes: readonly ClassShare[] | null;
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
  rules: readonly FileSource[],
): Promise<ClassifiedSources> {
  const { entities, facts } = reading.view;
  const question = { ...asked, listed: canonicalSource(asked.listed) };
  const { selection, compare, groupBy } = question;
  const comparedSide = compare && (await readSide(reading, compare, answersAlone));
  const discontinuity = compare
    ? await readDiscontinuity(reading, { before: compare, after: selection }, null)
    : continuous;
  const classifier = compileClassifier(rules);
  const { classes, named } = await readClasses(reading, question, classifier);
  const by = facts && { codes: facts.codes, named };
  const plan = by && planSourceGaps(question, by);
  if (facts === null || plan === null) {
    const empty = await emptyOf(reading, selection, null);
    return { ...noSources, classifier, classes, entities, empty, comparedSide, discontinuity };
  }
  const planOf = (side: Selection | null) =>
    side && by && planSourceGaps({ ...question, selection: side }, by);
  const providers = discontinuity.groups.get(0)?.continuing ?? [];
  const [page, kept] = [selection, compare].map((side) =>
    planOf(side && ofProviders(side, providers)),
  );
  const continuing = page && kept ? { page, compare: kept } : null;
  const found = await reading.engine.sourceGaps(
    reading.accountId,
    { generation: facts.generation, plan: { page: plan, compare: planOf(compare), continuing } },
    reading.signal,
  );
  const sources = found.page.map(({ source }) => source);
  return {
    ...found,
    entities,
    owners: sourceOwners(facts.snapshot, groupBy, sources),
    classifier,
    classes,
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
  all: { answers: 0, citing: 0, gaps: 0 },
  owners: [],
  compared: null,
  used: noPlan,
} as const;

type SourceChange = NonNullable<InsightsSourcesResponse["sources"][number]["change"]>;

/** The most bytes that a reply takes, nearly: of a hundred long URLs. */
export const sourceGapsBytesMax = 300_000;

/** The reply of POST /v1/insights/sources, as JSON. It can be paused after each source. */
export function* sourceGapsJson(
  question: SourceGapsQuestion,
  facts: Measured<ClassifiedSources>,
): Generator<void, Buffer, void> {
  const { groupBy, limit, offset, selection, compare } = question;
  const { total, citations, page, all, owners, entities, comparedSide, classifier } = facts;
  const changes = new Changes(judgingOf([selection, compare ?? selection], question));
  if (compare !== null) yield* addChanges(facts, changes);
  const judged = compare && changes.judged();
  const reply: InsightsSourcesResponse = {
    groupBy,
    sources: page.map((each, place) => {
      const { source, citations: own, promptSquares, firstCitedMs, lastCitedMs, ...counts } = each;
      const owner = owners[place] ?? null;
      const change = judged?.changes[place];
      return {
        source,
        share: own / citations,
        citations: own,
        ...counts,
        class: classOf(owner),
        entityId: owner === null ? null : (entities[owner]?.id ?? null),
        sourceClass:
          groupBy === "domain"
            ? classifier.ofDomain(source)
            : classifier.ofPage(source, domainOf(source)),
        form: groupBy === "domain" ? null : formOf(source, null),
        firstCitedAt: new Date(firstCitedMs).toISOString(),
        lastCitedAt: new Date(lastCitedMs).toISOString(),
        opportunity: opportunityOf({ promptSquares, ...counts }, all),
        ...(change === undefined ? {} : { change: change as SourceChange }),
      };
    }),
    pagination: { total, limit, offset, hasMore: offset + page.length < total },
    tests: judged?.tests ?? 0,
    ...(facts.classes === null ? {} : { classes: [...facts.classes] }),
    empty: emptyPart(facts.empty),
    ...factsPart(facts.measured?.own),
    ...(compare === null || comparedSide === null
      ? {}
      : { compare: comparedPart(compare, comparedSide, facts) }),
  };
  return Buffer.from(JSON.stringify(reply));
}

function classOf(owner: number | null) {
  if (owner === null) return "thirdParty";
  return owner === 0 ? "own" : "competitor";
}

/** No answer can pass the filters of the comparison. */
const nothing: SourceSums = { prompts: [], pairs: [], days: [] };

/** Adds the changes of the shares of a page's sources, in order. It can be paused after each. */
function* addChanges(
  { page, compared, discontinuity }: ClassifiedSources,
  changes: Changes,
): Generator<void, void, void> {
  const changeIn = sourceChanges(compared ?? { before: nothing, after: nothing });
  const continuingIn = compared?.continuing ? sourceChanges(compared.continuing) : null;
  const weight = discontinuity.groups.get(0)?.weight ?? 0;
  for (const source of page.keys()) {
    changes.add({
      change: changeIn(source),
      scale: "rate",
      discontinuity: weight,
      continuing: continuingIn?.(source) ?? null,
    });
    yield;
  }
}

/** The change of each source's share. */
function sourceChanges({ before, after }: Pick<ComparedSources, "before" | "after">) {
  const [first, second] = [sourceSides(before), sourceSides(after)];
  return (source: number) => changeOf(first(source), second(source));
}

/** The side of each source's share. */
function sourceSides({ prompts, pairs, days }: SourceSums): (source: number) => Side {
  const [byPrompt, byPair, byDay] = [
    sumsOf(prompts, ({ prompt }) => prompt),
    sumsOf(pairs, ({ pair }) => pair),
    sumsOf(days, ({ day }) => day),
  ];
  const asked = byDay(allAnswers);
  return (source) => ({
    clusters: clustersOf(byPrompt(source), byPrompt(allCitations)),
    pairsOf: () => pairsFrom(clustersOf(byPair(source), byPair(allCitations))),
    days: [...asked].map(([day, own]) => {
      const [numerator, denominator] = [byDay(source), byDay(allCitations)].map(
        (sums) => sums.get(day) ?? 0,
      );
      return { numerator: numerator ?? 0, denominator: denominator ?? 0, prompts: own };
    }),
    prompts: byPrompt(allAnswers).size,
  });
}

interface CountedSum {
  readonly counted: number;
  readonly sum: number;
}

/** The sums of what is counted, by a key. */
function sumsOf<Row extends CountedSum>(rows: readonly Row[], keyOf: (row: Row) => number) {
  const byCounted = new Map(
    [...Map.groupBy(rows, ({ counted }) => counted)].map(([counted, own]) => [
      counted,
      new Map(own.map((row) => [keyOf(row), row.sum])),
    ]),
  );
  return (counted: number): ReadonlyMap<number, number> => byCounted.get(counted) ?? new Map();
}

function clustersOf(
  numerators: ReadonlyMap<number, number>,
  denominators: ReadonlyMap<number, number>,
): ReadonlyMap<number, Cluster> {
  return new Map(
    [...denominators].map(([key, denominator]) => {
      return [key, { numerator: numerators.get(key) ?? 0, denominator }];
    }),
  );
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

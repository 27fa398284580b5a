import type { Bound, NumberColumns, Row, RowShape, Statement } from "../../platform/sql.ts";
import { providersOf, regionsOf } from "../codes.ts";
import type { ComparedSourcesPlan, FactsCoverage, Planned, SourcesFacts } from "../engine.ts";
import {
  allCitations,
  type SourceGapsFacts,
  type SourceGapsPlan,
  type SourcePromptSum,
} from "../plan/gap-plans.ts";
import type {
  DaySumsPlan,
  DomainHitsPlan,
  LanguagesPlan,
  OriginsPlan,
  PairSumsPlan,
  PromptSumsPlan,
  ReadingsPlan,
  StabilityPlan,
} from "../plan/insight-plans.ts";
import type { MeasurementPlan } from "../plan/measurement-plan.ts";
import type { NamePlacesRead, NamesPageRead, NamesPlan, NamesRead } from "../plan/names-plan.ts";
import { type DrawablePlan, type DrawPlan, type PlacesPlan, pageOf } from "../plan/places-plan.ts";
import type { SourcesPlan, TimeSeriesPlan } from "../plan/plan.ts";
import type { CitedSource } from "../plan/question.ts";
import type { SeriesFacts } from "../plan/series.ts";
import type { CitedNamesPlan, LifePlan, QueriesPlan } from "../plan/source-plans.ts";
import { lifeStatement } from "./citation-life.ts";
import {
  type coverageShape,
  coverageStatement,
  daySumsStatement,
  domainHitsStatement,
  languagesStatement,
  originsStatement,
  pairSumsStatement,
  promptSumsStatement,
  readingsStatement,
  sourceDaysStatement,
  sourcePairsStatement,
  sourcePromptsStatement,
  type sumShape,
  timeSeriesStatement,
} from "./counts.ts";
import type { CitedNumbers, Dialect, pageShape, spreadShape } from "./dialect.ts";
import { citedNamesStatement, type gapsShape } from "./gaps.ts";
import { readMeasurement } from "./measurement.ts";
import {
  readNameCounts,
  readNamePlaces,
  readNameSpread,
  readNamesPage,
  readNameWords,
} from "./names.ts";
import {
  dayCountsStatement,
  drawableStatement,
  drawnStatement,
  placesStatement,
} from "./places.ts";
import { readQueries } from "./queries.ts";

/** A page of sources with their gaps, and the numbers of its sources in the same order. */
export interface GapsPage extends Pick<SourceGapsFacts, "total" | "citations" | "page" | "all"> {
  readonly numbers: Bound;
}

/** One account's facts while a question reads them; its signal ends each statement. */
export interface FactsReader {
  readonly dialect: Dialect;
  readonly query: <Shape extends RowShape>(
    statement: Statement<Shape>,
  ) => Promise<readonly Row<Shape>[]>;
  /** The same rows as columns, where there are many. */
  readonly columns: <Name extends string>(
    statement: Statement<Readonly<Record<Name, "number">>>,
  ) => Promise<NumberColumns<Name>>;
  readonly citedNumbers: (source: CitedSource) => Promise<CitedNumbers>;
  readonly gapsPage: (plan: SourceGapsPlan) => Promise<GapsPage>;
}

/** The questions of FactsEngine, which are the same for every engine. */
export abstract class FactsQuestions {
  /** Lets `work` read the facts of a generation. */
  protected abstract read<Result>(
    accountId: string,
    reading: { readonly generation: string; readonly signal: AbortSignal },
    work: (reader: FactsReader) => Promise<Result>,
  ): Promise<Result>;

  series(accountId: string, { generation, plan }: Planned<TimeSeriesPlan>, signal: AbortSignal) {
    return this.read(accountId, { generation, signal }, async ({ query, dialect }) =>
      sumsOf(await query(timeSeriesStatement(plan, dialect)), plan),
    );
  }

  countedSeries(
    accountId: string,
    { generation, plan }: Planned<TimeSeriesPlan>,
    signal: AbortSignal,
  ) {
    return this.read(accountId, { generation, signal }, async ({ query, dialect }) =>
      countedSumsOf(await query(dialect.spread(plan)), plan),
    );
  }

  promptSums(
    accountId: string,
    { generation, plan }: Planned<PromptSumsPlan>,
    signal: AbortSignal,
  ) {
    return this.read(accountId, { generation, signal }, ({ query, dialect }) =>
      query(promptSumsStatement(plan, dialect)),
    );
  }

  pairSums(accountId: string, { generation, plan }: Planned<PairSumsPlan>, signal: AbortSignal) {
    return this.read(accountId, { generation, signal }, ({ columns, dialect }) =>
      columns(pairSumsStatement(plan, dialect)),
    );
  }

  daySums(accountId: string, { generation, plan }: Planned<DaySumsPlan>, signal: AbortSignal) {
    return this.read(accountId, { generation, signal }, ({ query, dialect }) =>
      query(daySumsStatement(plan, dialect)),
    );
  }

  languages(accountId: string, { generation, plan }: Planned<LanguagesPlan>, signal: AbortSignal) {
    return this.read(accountId, { generation, signal }, ({ query, dialect }) =>
      query(languagesStatement(plan, dialect)),
    );
  }

  origins(accountId: string, { generation, plan }: Planned<OriginsPlan>, signal: AbortSignal) {
    return this.read(accountId, { generation, signal }, ({ query, dialect }) =>
      query(originsStatement(plan, dialect)),
    );
  }

  domainHits(
    accountId: string,
    { generation, plan }: Planned<DomainHitsPlan>,
    signal: AbortSignal,
  ) {
    return this.read(accountId, { generation, signal }, ({ query, dialect }) =>
      query(domainHitsStatement(plan, dialect)),
    );
  }

  readings(accountId: string, { generation, plan }: Planned<ReadingsPlan>, signal: AbortSignal) {
    return this.read(accountId, { generation, signal }, ({ query, dialect }) =>
      query(readingsStatement(plan, dialect)),
    );
  }

  stability(accountId: string, { generation, plan }: Planned<StabilityPlan>, signal: AbortSignal) {
    return this.read(accountId, { generation, signal }, ({ query, dialect }) =>
      query(dialect.stability(plan)),
    );
  }

  measurement(
    accountId: string,
    { generation, plan }: Planned<MeasurementPlan>,
    signal: AbortSignal,
  ) {
    return this.read(accountId, { generation, signal }, (reader) => readMeasurement(reader, plan));
  }

  sources(accountId: string, { generation, plan }: Planned<SourcesPlan>, signal: AbortSignal) {
    return this.read(accountId, { generation, signal }, async ({ query, dialect }) =>
      sourcesOf(await query(dialect.sources(plan))),
    );
  }

  citedNames(
    accountId: string,
    { generation, plan }: Planned<CitedNamesPlan>,
    signal: AbortSignal,
  ) {
    return this.read(accountId, { generation, signal }, ({ query, dialect }) =>
      query(citedNamesStatement(plan, dialect)),
    );
  }

  citationLives(accountId: string, { generation, plan }: Planned<LifePlan>, signal: AbortSignal) {
    return this.read(accountId, { generation, signal }, ({ query, dialect }) =>
      query(lifeStatement(plan, dialect)),
    );
  }

  searchQueries(
    accountId: string,
    { generation, plan }: Planned<QueriesPlan>,
    signal: AbortSignal,
  ) {
    return this.read(accountId, { generation, signal }, (reader) => readQueries(reader, plan));
  }

  nameCounts(accountId: string, { generation, plan }: Planned<NamesPlan>, signal: AbortSignal) {
    return this.read(accountId, { generation, signal }, (reader) => readNameCounts(reader, plan));
  }

  nameWords(
    accountId: string,
    { generation, plan }: Planned<readonly number[]>,
    signal: AbortSignal,
  ) {
    return this.read(accountId, { generation, signal }, (reader) => readNameWords(reader, plan));
  }

  namePlaces(
    accountId: string,
    { generation, plan }: Planned<NamePlacesRead>,
    signal: AbortSignal,
  ) {
    return this.read(accountId, { generation, signal }, (reader) => readNamePlaces(reader, plan));
  }

  nameSpread(accountId: string, { generation, plan }: Planned<NamesRead>, signal: AbortSignal) {
    return this.read(accountId, { generation, signal }, (reader) => readNameSpread(reader, plan));
  }

  namesPage(accountId: string, { generation, plan }: Planned<NamesPageRead>, signal: AbortSignal) {
    return this.read(accountId, { generation, signal }, (reader) => readNamesPage(reader, plan));
  }

  sourceGaps(
    accountId: string,
    { generation, plan }: Planned<ComparedSourcesPlan>,
    signal: AbortSignal,
  ) {
    return this.read(accountId, { generation, signal }, async ({ query, dialect, gapsPage }) => {
      const { numbers, ...found } = await gapsPage(plan.page);
      const promptsOf = (side: SourceGapsPlan) =>
        query(sourcePromptsStatement(side, numbers, dialect));
      const compare = async (before: SourceGapsPlan, after: SourceGapsPlan) => {
        const prompts = [await promptsOf(before), await promptsOf(after)] as const;
        const of = { sources: numbers, without: oneSidedCitations(...prompts) };
        const rest = async (side: SourceGapsPlan) => ({
          pairs: await query(sourcePairsStatement(side, of, dialect)),
          days: await query(sourceDaysStatement(side, numbers, dialect)),
        });
        return {
          before: { prompts: prompts[0], ...(await rest(before)) },
          after: { prompts: prompts[1], ...(await rest(after)) },
        };
      };
      const { page, compare: other, continuing } = plan;
      const compared = other && {
        ...(await compare(other, page)),
        continuing: continuing && (await compare(continuing.compare, continuing.page)),
      };
      return { ...found, compared };
    });
  }

  places(accountId: string, { generation, plan }: Planned<PlacesPlan>, signal: AbortSignal) {
    return this.read(accountId, { generation, signal }, async ({ query, dialect, ...reader }) => {
      const cites = plan.cites && (await reader.citedNumbers(plan.cites));
      const counts = await query(dayCountsStatement(plan, cites, dialect));
      const { total, days } = pageOf(plan, counts);
      const places = days && (await query(placesStatement(plan, { days, cites }, dialect)));
      return { total, places: places ?? [] };
    });
  }

  drawable(accountId: string, { generation, plan }: Planned<DrawablePlan>, signal: AbortSignal) {
    return this.read(accountId, { generation, signal }, ({ query, dialect }) =>
      query(drawableStatement(plan, dialect)),
    );
  }

  drawn(accountId: string, { generation, plan }: Planned<DrawPlan>, signal: AbortSignal) {
    return this.read(accountId, { generation, signal }, ({ query, dialect }) =>
      query(drawnStatement(plan, dialect)),
    );
  }

  coverage(accountId: string, generation: string, signal: AbortSignal) {
    return this.read(accountId, { generation, signal }, async ({ query, dialect }) =>
      coverageOf(await query(coverageStatement(dialect))),
    );
  }
}

/** The prompts with citations on one side only. */
function oneSidedCitations(
  before: readonly SourcePromptSum[],
  after: readonly SourcePromptSum[],
): readonly number[] {
  const [first, second] = [before, after].map(
    (rows) =>
      new Set(rows.filter(({ counted }) => counted === allCitations).map((row) => row.prompt)),
  );
  const only = (own = new Set<number>(), other = new Set<number>()) =>
    [...own].filter((prompt) => !other.has(prompt));
  return [...only(first, second), ...only(second, first)];
}

/** The sums of each of a plan's measures: entity × buckets + bucket; see SeriesFacts. */
function sumsOf(
  rows: readonly Row<typeof sumShape>[],
  { entities, startsMs, firstBucket, measures }: TimeSeriesPlan,
): readonly Float64Array[] {
  const buckets = startsMs.length;
  const sums = new Float64Array((entities + 1) * buckets);
  const mentioned = new Float64Array(measures.length > 1 ? sums.length : 0);
  for (const { bucket, entity, sum, mentions } of rows) {
    const place = entity * buckets + bucket - firstBucket;
    sums[place] = (sums[place] ?? 0) + sum;
    if (measures.length > 1) mentioned[place] = (mentioned[place] ?? 0) + mentions;
  }
  return measures.length > 1 ? [sums, mentioned] : [sums];
}

/** The same with how prompts vary; each bucket and entity has one row. */
function countedSumsOf(
  rows: readonly Row<typeof spreadShape>[],
  plan: TimeSeriesPlan,
): Pick<SeriesFacts, "sums" | "spread"> {
  const sums = sumsOf(rows, plan);
  const buckets = plan.startsMs.length;
  const size = (plan.entities + 1) * buckets;
  const spread = {
    prompts: new Float64Array(size),
    numeratorSquares: new Float64Array(size),
    denominatorSquares: new Float64Array(size),
    products: new Float64Array(size),
  };
  for (const { bucket, entity, ...row } of rows) {
    const column = bucket - plan.firstBucket;
    const place = entity * buckets + column;
    spread.prompts[place] = row.prompts;
    spread.numeratorSquares[place] = row.numeratorSquares;
    spread.denominatorSquares[place] = row.denominatorSquares;
    spread.products[place] = row.products;
  }
  return { sums, spread };
}

/** A page of sources with their gaps; one row without a source says that it is empty. */
export function gapsOf(rows: readonly Row<typeof gapsShape>[]): Omit<GapsPage, "numbers"> {
  const [first] = rows;
  const page = rows.flatMap(({ source, ...row }) => {
    if (source === null) return [];
    const { citations, answers, promptSquares, withBrand, withBrandOnly, withCompetitorOnly } = row;
    const { firstCitedMs, lastCitedMs } = row;
    return [
      {
        source,
        citations: citations ?? 0,
        answers: answers ?? 0,
        promptSquares: promptSquares ?? 0,
        withBrand: withBrand ?? 0,
        withBrandOnly: withBrandOnly ?? 0,
        withCompetitorOnly: withCompetitorOnly ?? 0,
        firstCitedMs: firstCitedMs ?? 0,
        lastCitedMs: lastCitedMs ?? 0,
      },
    ];
  });
  return {
    total: first?.total ?? 0,
    citations: first?.allCitations ?? 0,
    all: {
      answers: first?.allAnswers ?? 0,
      citing: first?.allCiting ?? 0,
      gaps: first?.allGaps ?? 0,
    },
    page,
  };
}

/** A page of sources; rows without a source say that it is empty. */
function sourcesOf(rows: readonly Row<typeof pageShape>[]): Omit<SourcesFacts, "used"> {
  const [first] = rows;
  const page = rows.flatMap(({ source, citations }) =>
    source === null || citations === null ? [] : [{ source, citations }],
  );
  return { total: first?.total ?? 0, citations: first?.allCitations ?? 0, page };
}

/** What an account's answers cover. */
function coverageOf(rows: readonly Row<typeof coverageShape>[]): FactsCoverage {
  const [first] = rows;
  return {
    providers: providersOf(new Set(rows.map(({ provider }) => provider))),
    regions: regionsOf(new Set(rows.map(({ region }) => region))),
    answers: rows.reduce((sum, { answers }) => sum + answers, 0),
    firstMs: first?.firstMs ?? null,
    lastMs: first?.lastMs ?? null,
    used: { name: "daily", refused: [] },
  };
}

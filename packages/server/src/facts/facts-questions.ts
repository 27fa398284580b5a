import type { Row, RowShape } from "../platform/row-shape.ts";
import type { Bound, Statement } from "../platform/sql.ts";
import type { ComparedSourcesPlan, Planned } from "./facts-engine.ts";
import { countedSumsOf, coverageOf, sourcesOf, sumsOf } from "./facts-of-rows.ts";
import type { CitedSource } from "./plan/cited-source.ts";
import type {
  OriginsPlan,
  PromptSumsPlan,
  SourceGapsPlan,
  StabilityPlan,
} from "./plan/insight-plans.ts";
import { type PlacesPlan, pageOf } from "./plan/places-plan.ts";
import type { SourcesPlan, TimeSeriesPlan } from "./plan/plan.ts";
import type { SourceGapsFacts } from "./plan/source-gaps.ts";
import {
  coverageStatement,
  originsStatement,
  promptSumsStatement,
  sourcePromptsStatement,
  timeSeriesStatement,
} from "./statements/counts.ts";
import type { CitedNumbers, Dialect } from "./statements/dialect.ts";
import { dayCountsStatement, placesStatement } from "./statements/places.ts";

/** A page of sources with their gaps, and the numbers of its sources in the same order. */
export interface GapsPage extends Pick<SourceGapsFacts, "total" | "citations" | "page"> {
  readonly numbers: Bound;
}

/** One account's facts while a question reads them; its signal ends each statement. */
export interface FactsReader {
  readonly dialect: Dialect;
  readonly query: <Shape extends RowShape>(
    statement: Statement<Shape>,
  ) => Promise<readonly Row<Shape>[]>;
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

  origins(accountId: string, { generation, plan }: Planned<OriginsPlan>, signal: AbortSignal) {
    return this.read(accountId, { generation, signal }, ({ query, dialect }) =>
      query(originsStatement(plan, dialect)),
    );
  }

  stability(accountId: string, { generation, plan }: Planned<StabilityPlan>, signal: AbortSignal) {
    return this.read(accountId, { generation, signal }, ({ query, dialect }) =>
      query(dialect.stability(plan)),
    );
  }

  sources(accountId: string, { generation, plan }: Planned<SourcesPlan>, signal: AbortSignal) {
    return this.read(accountId, { generation, signal }, async ({ query, dialect }) =>
      sourcesOf(await query(dialect.sources(plan))),
    );
  }

  sourceGaps(
    accountId: string,
    { generation, plan }: Planned<ComparedSourcesPlan>,
    signal: AbortSignal,
  ) {
    return this.read(accountId, { generation, signal }, async ({ query, dialect, gapsPage }) => {
      const { numbers, ...found } = await gapsPage(plan.page);
      const sums = (side: SourceGapsPlan) => query(sourcePromptsStatement(side, numbers, dialect));
      const compared = plan.compare && {
        before: await sums(plan.compare),
        after: await sums(plan.page),
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

  coverage(accountId: string, generation: string, signal: AbortSignal) {
    return this.read(accountId, { generation, signal }, async ({ query, dialect }) =>
      coverageOf(await query(coverageStatement(dialect))),
    );
  }
}

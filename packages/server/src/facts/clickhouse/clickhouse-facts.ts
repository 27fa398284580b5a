import type { Pool } from "pg";
import type { OriginsPlan, PromptSumsPlan, StabilityPlan } from "../../analytics/insight-plans.ts";
import { type PlacesPlan, pageOf } from "../../analytics/places-plan.ts";
import type { SourcesPlan, TimeSeriesPlan } from "../../analytics/plan.ts";
import type { Deployment } from "../../answers/clickhouse/create-table.ts";
import type { Clickhouse } from "../../platform/clickhouse/clickhouse.ts";
import type { Logger } from "../../platform/logger.ts";
import type { FactsCoverage } from "../coverage.ts";
import type { FactRows } from "../fact-rows.ts";
import {
  type ComparedSourcesPlan,
  type FactsEngine,
  type FactsState,
  GenerationGoneError,
  type Planned,
} from "../facts-engine.ts";
import { countedSumsOf, coverageOf, sourcesOf, sumsOf } from "../facts-of-rows.ts";
import type { Snapshot } from "../snapshot.ts";
import { dropLeftRegularly, dropRetired } from "./drop-retired.ts";
import { eraseFacts } from "./erase-facts.ts";
import { factInsertions } from "./fact-insertions.ts";
import { factsFailure } from "./facts-failure.ts";
import { foldWhenDoubled } from "./fold.ts";
import { currentState, type GenerationState } from "./generation-rows.ts";
import {
  commitBatch,
  insertGeneration,
  type Reservation,
  reserveBatch,
  SupersededError,
  switchTo,
  updateSnapshot,
  type Writer,
} from "./generation-writes.ts";
import {
  originsStatement,
  promptSumsStatement,
  spreadStatement,
  stabilityStatement,
} from "./insight-statements.ts";
import { KnownSnapshots } from "./known-snapshots.ts";
import { dayCountsStatement, placesStatement } from "./places-statement.ts";
import { readSourceGaps } from "./source-gaps.ts";
import { coverageStatement, sourcesStatement, timeSeriesStatement } from "./statements.ts";

/** What the facts are kept with. */
export interface ClickhouseFactsOptions {
  readonly clickhouse: Clickhouse;
  readonly pool: Pool;
  readonly deployment: Deployment;
  readonly logger: Logger;
  /** The number of the lease under which an account is projected; throws when it is lost. */
  readonly fence: (accountId: string) => number;
  /** The most accounts whose snapshots stay in memory. */
  readonly openMax: number;
  /** How long a generation stays after it was replaced: questions may still read it. */
  readonly keepRetiredMs?: number;
  /** How often to look for generations that stayed for longer. */
  readonly dropLeftEveryMs?: number;
  /** How many rows of rollups come before they are folded. */
  readonly foldRowsMin?: number;
}

/** Longer than any question takes. */
const keepRetiredMs = 60_000;
const dropLeftEveryMs = 600_000;

/** To fold fewer rows costs more than it saves. */
const foldRowsMin = 20_000;

/** Facts in ClickHouse; PostgreSQL says which of its rows count (docs/decisions/cluster.md). */
export class ClickhouseFacts implements FactsEngine {
  readonly #options: ClickhouseFactsOptions;
  readonly #keepRetiredMs: number;
  readonly #snapshots: KnownSnapshots;
  readonly #drops = new Set<NodeJS.Timeout>();
  readonly #endDropping: () => void;

  constructor(options: ClickhouseFactsOptions) {
    this.#options = options;
    this.#keepRetiredMs = options.keepRetiredMs ?? keepRetiredMs;
    this.#snapshots = new KnownSnapshots(options.pool, options.openMax);
    const context = { ...options, keepMs: this.#keepRetiredMs };
    this.#endDropping = dropLeftRegularly(context, options.dropLeftEveryMs ?? dropLeftEveryMs);
  }

  state(accountId: string): Promise<FactsState | null> {
    return failing(async () => {
      const state = await currentState(this.#options.pool, accountId);
      return state && this.#snapshots.factsState(state);
    });
  }

  series(accountId: string, { generation, plan }: Planned<TimeSeriesPlan>, signal: AbortSignal) {
    return this.#read(accountId, { generation, signal }, async (counted) => {
      const statement = timeSeriesStatement(plan, counted);
      return sumsOf(await this.#options.clickhouse.query(statement, signal), plan);
    });
  }

  countedSeries(accountId: string, planned: Planned<TimeSeriesPlan>, signal: AbortSignal) {
    const { generation, plan } = planned;
    return this.#read(accountId, { generation, signal }, async (counted) => {
      const rows = await this.#options.clickhouse.query(spreadStatement(plan, counted), signal);
      return countedSumsOf(rows, plan);
    });
  }

  promptSums(accountId: string, planned: Planned<PromptSumsPlan>, signal: AbortSignal) {
    const { generation, plan } = planned;
    return this.#read(accountId, { generation, signal }, (counted) =>
      this.#options.clickhouse.query(promptSumsStatement(plan, counted), signal),
    );
  }

  origins(accountId: string, { generation, plan }: Planned<OriginsPlan>, signal: AbortSignal) {
    return this.#read(accountId, { generation, signal }, (counted) =>
      this.#options.clickhouse.query(originsStatement(plan, counted), signal),
    );
  }

  stability(accountId: string, { generation, plan }: Planned<StabilityPlan>, signal: AbortSignal) {
    return this.#read(accountId, { generation, signal }, (counted) =>
      this.#options.clickhouse.query(stabilityStatement(plan, counted), signal),
    );
  }

  sourceGaps(accountId: string, planned: Planned<ComparedSourcesPlan>, signal: AbortSignal) {
    const { generation, plan } = planned;
    const { clickhouse } = this.#options;
    return this.#read(accountId, { generation, signal }, (counted) =>
      readSourceGaps({ clickhouse, counted, signal }, plan),
    );
  }

  sources(accountId: string, { generation, plan }: Planned<SourcesPlan>, signal: AbortSignal) {
    return this.#read(accountId, { generation, signal }, async (counted) =>
      sourcesOf(await this.#options.clickhouse.query(sourcesStatement(plan, counted), signal)),
    );
  }

  places(accountId: string, { generation, plan }: Planned<PlacesPlan>, signal: AbortSignal) {
    const { clickhouse } = this.#options;
    return this.#read(accountId, { generation, signal }, async (counted) => {
      const counts = await clickhouse.query(dayCountsStatement(plan, counted), signal);
      const { total, days } = pageOf(plan, counts);
      const places = days && (await clickhouse.query(placesStatement(plan, days, counted), signal));
      return { total, places: places ?? [] };
    });
  }

  coverage(accountId: string, generation: string, signal: AbortSignal): Promise<FactsCoverage> {
    return this.#read(accountId, { generation, signal }, async (counted) => {
      const rows = await this.#options.clickhouse.query(coverageStatement(counted), signal);
      const instants = { firstMs: counted.firstMs ?? 0, lastMs: counted.lastMs ?? 0 };
      return coverageOf(rows.map((row) => ({ ...row, ...instants })));
    });
  }

  append(accountId: string, generation: string, rows: FactRows): Promise<FactsState> {
    return failing(async () => {
      const { clickhouse, pool } = this.#options;
      const writer = this.#writer(accountId);
      const reserved = await reserveBatch(pool, writer, numberOf(generation));
      if (!isNext(reserved, rows)) return this.#snapshots.factsState(reserved.state);
      const { fold } = reserved.state;
      const key = {
        accountId,
        generation: reserved.state.generation,
        batch: reserved.number,
        fold,
      };
      const { insertions, rollupRows } = await factInsertions(rows, key);
      await Promise.all(insertions.map((insertion) => clickhouse.insert(insertion)));
      const state = await commitBatch(pool, writer, { reserved, rows, rollupRows });
      return this.#snapshots.factsState(await this.#folded(state, writer));
    });
  }

  extend(accountId: string, generation: string, snapshot: Snapshot): Promise<FactsState> {
    return failing(async () => {
      const extension = { generation: numberOf(generation), snapshot };
      const writer = this.#writer(accountId);
      const state = await updateSnapshot(this.#options.pool, writer, extension);
      return this.#snapshots.factsState(state);
    });
  }

  begin(accountId: string, snapshot: Snapshot): Promise<FactsState> {
    return failing(async () => {
      const writer = this.#writer(accountId);
      const state = await insertGeneration(this.#options.pool, writer, snapshot);
      this.#dropLater(accountId);
      return this.#snapshots.factsState(state);
    });
  }

  finish(accountId: string, generation: string): Promise<void> {
    return failing(async () => {
      await switchTo(this.#options.pool, this.#writer(accountId), numberOf(generation));
      this.#dropLater(accountId);
    });
  }

  /** ClickHouse checks the sums of its parts whenever it reads them. */
  async repair(): Promise<null> {
    return null;
  }

  erase(accountId: string): Promise<void> {
    return failing(() => eraseFacts({ ...this.#options, accountId }));
  }

  /** What it knows is of a generation, which no other account has. */
  async release(_accountId: string): Promise<void> {}

  async close(): Promise<void> {
    for (const drop of this.#drops) clearTimeout(drop);
    this.#drops.clear();
    this.#endDropping();
  }

  #writer(accountId: string): Writer {
    return { accountId, fence: this.#options.fence(accountId) };
  }

  #read<Result>(
    accountId: string,
    { generation, signal }: { readonly generation: string; readonly signal: AbortSignal },
    work: (state: GenerationState) => Promise<Result>,
  ): Promise<Result> {
    return failing(async () => {
      signal.throwIfAborted();
      const state = await currentState(this.#options.pool, accountId);
      if (String(state?.generation) !== generation) throw new GenerationGoneError(generation);
      return work(state as GenerationState);
    }, signal);
  }

  /** A batch counts whether its rollups can be folded or not: what fails is done with the next. */
  async #folded(state: GenerationState, writer: Writer): Promise<GenerationState> {
    try {
      return await foldWhenDoubled(state, { foldRowsMin, ...this.#options, writer });
    } catch (error) {
      const { accountId } = writer;
      this.#options.logger.warn({ accountId, error: String(error) }, "folding rollups failed");
      return state;
    }
  }

  #dropLater(accountId: string): void {
    const drop = setTimeout(() => {
      this.#drops.delete(drop);
      const context = { ...this.#options, keepMs: this.#keepRetiredMs };
      dropRetired(accountId, context).catch((error: unknown) => {
        const { logger } = this.#options;
        logger.warn({ accountId, error: String(error) }, "dropping old facts failed");
      });
    }, this.#keepRetiredMs + 1);
    drop.unref();
    this.#drops.add(drop);
  }
}

/** Whether rows go on from the mark. @throws SupersededError when others went on meanwhile. */
function isNext({ state }: Reservation, { mark, answers }: FactRows): boolean {
  if (mark.sequence === state.mark.sequence && mark.stamp === state.mark.stamp) return false;
  const [first] = answers.sequence;
  const isAfter = first === undefined || first > state.mark.sequence;
  if (isAfter && mark.sequence > state.mark.sequence) return true;
  throw new SupersededError(state.accountId);
}

/** @throws GenerationGoneError when it is not one of ours. */
function numberOf(generation: string): number {
  if (!/^\d{1,10}$/.test(generation)) throw new GenerationGoneError(generation);
  return Number(generation);
}

async function failing<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    signal?.throwIfAborted();
    throw factsFailure(error);
  }
}

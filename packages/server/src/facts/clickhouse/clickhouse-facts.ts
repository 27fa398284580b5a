import type { Pool } from "pg";
import type { Deployment } from "../../answers/clickhouse/tables.ts";
import { LeaseLostError } from "../../control/leases.ts";
import type { Clickhouse } from "../../platform/clickhouse/clickhouse.ts";
import { ClickhouseError } from "../../platform/clickhouse/clickhouse-error.ts";
import type { Logger } from "../../platform/logger.ts";
import { PostgresUnavailableError, withUnavailable } from "../../platform/postgres.ts";
import type { FactRows } from "../columns.ts";
import { type FactsEngine, FactsError, type FactsState, GenerationGoneError } from "../engine.ts";
import type { Snapshot } from "../snapshot.ts";
import { FactsQuestions, type FactsReader } from "../statements/facts-questions.ts";
import { readerOf } from "./dialect.ts";
import { factInsertions } from "./fact-insertions.ts";
import { dropLeftRegularly, dropRetired, eraseFacts } from "./facts-tables.ts";
import {
  currentState,
  type GenerationState,
  readSkippedPrompts,
  readSnapshot,
} from "./generation-rows.ts";
import {
  commitBatch,
  foldWhenDoubled,
  insertGeneration,
  type Reservation,
  reserveBatch,
  SupersededError,
  switchTo,
  updateSnapshot,
  type Writer,
} from "./generation-writes.ts";

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
export class ClickhouseFacts extends FactsQuestions implements FactsEngine {
  readonly #options: ClickhouseFactsOptions;
  readonly #keepRetiredMs: number;
  readonly #snapshots: KnownSnapshots;
  readonly #drops = new Set<NodeJS.Timeout>();
  readonly #endDropping: () => void;

  constructor(options: ClickhouseFactsOptions) {
    super();
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

  protected override read<Result>(
    accountId: string,
    { generation, signal }: { readonly generation: string; readonly signal: AbortSignal },
    work: (reader: FactsReader) => Promise<Result>,
  ): Promise<Result> {
    return failing(async () => {
      signal.throwIfAborted();
      const state = await currentState(this.#options.pool, accountId);
      if (state === null || String(state.generation) !== generation) {
        throw new GenerationGoneError(generation);
      }
      return work(readerOf(this.#options.clickhouse, state, signal));
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

interface Known {
  readonly generation: number;
  readonly snapshotNumber: number;
  readonly snapshot: Snapshot;
  readonly skippedCount: number;
  readonly skippedPrompts: ReadonlySet<string>;
}

/**
 * Snapshots that were read: a question reads its account's state each time, and a snapshot may have
 * megabytes. Snapshots and lists of skipped prompts have numbers by which they are read once.
 */
class KnownSnapshots {
  readonly #pool: Pool;
  readonly #most: number;
  readonly #accounts = new Map<string, Promise<Known>>();

  constructor(pool: Pool, most: number) {
    this.#pool = pool;
    this.#most = most;
  }

  /** A generation's state for those who plan by it. @throws GenerationGoneError. */
  async factsState(state: GenerationState): Promise<FactsState> {
    const { snapshot, skippedPrompts } = await this.#known(state);
    const { generation, mark } = state;
    return { generation: String(generation), snapshot, mark, skippedPrompts };
  }

  async #known(state: GenerationState): Promise<Known> {
    const key = `${state.accountId}/${state.generation}`;
    const found = this.#accounts.get(key);
    const known = await found?.catch(() => undefined);
    if (known !== undefined && isUpToDate(known, state)) {
      this.#keep(key, Promise.resolve(known));
      return known;
    }
    // One reading for all who ask at the same time.
    const latest = this.#accounts.get(key);
    if (latest !== undefined && latest !== found) return this.#known(state);
    const reading = this.#read(state, known);
    this.#keep(key, reading);
    return reading;
  }

  async #read(state: GenerationState, known: Known | undefined): Promise<Known> {
    const { generation, skippedCount, snapshotNumber } = state;
    const isSame = known?.snapshotNumber === snapshotNumber;
    const read = isSame
      ? { snapshot: known.snapshot, number: snapshotNumber }
      : await readSnapshot(this.#pool, generation);
    if (read === null) throw new GenerationGoneError(String(generation));
    const skippedPrompts =
      skippedCount === 0 ? new Set<string>() : await readSkippedPrompts(this.#pool, generation);
    return {
      generation,
      skippedPrompts,
      skippedCount: skippedPrompts.size,
      snapshot: read.snapshot,
      snapshotNumber: read.number,
    };
  }

  #keep(key: string, known: Promise<Known>): void {
    this.#accounts.delete(key);
    this.#accounts.set(key, known);
    const [oldest] = this.#accounts.keys();
    if (this.#accounts.size > this.#most && oldest !== undefined) this.#accounts.delete(oldest);
  }
}

function isUpToDate(known: Known, { snapshotNumber, skippedCount }: GenerationState): boolean {
  return known.snapshotNumber >= snapshotNumber && known.skippedCount >= skippedCount;
}

/** An error of ClickHouse or PostgreSQL as one of the facts; what says enough stays what it is. */
function factsFailure(error: unknown): unknown {
  if (isOurs(error)) return error;
  if (error instanceof ClickhouseError) {
    return new FactsError(error.fault === "unavailable" ? "unavailable" : "other", error);
  }
  const failure = withUnavailable(error);
  if (failure instanceof PostgresUnavailableError) return new FactsError("unavailable", failure);
  return failure instanceof TypeError ? failure : new FactsError("other", failure);
}

function isOurs(error: unknown): boolean {
  return [FactsError, GenerationGoneError, LeaseLostError].some((each) => error instanceof each);
}

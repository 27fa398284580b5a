import { revisionOf, workspaceOf } from "../../accounts/account-store.ts";
import { type AnswerStore, OtherRecordError } from "../../answers/answer-store.ts";
import type { ControlEngine } from "../../control/control-engine.ts";
import type { Logger } from "../../platform/logger.ts";
import type { Metrics } from "../../platform/metrics.ts";
import type { FactsEngine, FactsState } from "../facts-engine.ts";
import { type Snapshot, snapshotOf } from "../snapshot.ts";
import type { BatchReader } from "./batch-reader.ts";
import { compareSnapshots, type RebuildReason } from "./compare-snapshots.ts";
import { copyAnswers } from "./copy-answers.ts";

/** What projecting is done with. */
export interface ProjectionTools {
  readonly control: ControlEngine;
  readonly answers: AnswerStore;
  readonly engine: FactsEngine;
  readonly reader: BatchReader;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** What one run goes by. */
export interface ProjectionTask {
  readonly accountId: string;
  /** Of the workspace, before it is read. */
  readonly revision: number;
  /** Whether the account ever had facts. */
  readonly hadFacts: boolean;
  /** Whether the engine is to check the facts first. */
  readonly isSuspect: boolean;
  /** The generation that is known to be of this revision; null: it must be compared. */
  readonly comparedGeneration: string | null;
  readonly signal: AbortSignal;
}

/** A first import of no more answers is there in an instant: nobody needs to see it grow. */
const builtWhole = 4_000;

/** How long a run goes on with what was recorded since it began. */
const runMs = 1_000;

/**
 * Brings one account's facts up to its record and its workspace; of what is recorded meanwhile,
 * that of the first second, since answers may never cease to come. May be stopped anywhere, also
 * by `kill -9`, and goes on where it was.
 */
export class AccountProjection {
  readonly #tools: ProjectionTools;
  readonly #task: ProjectionTask;
  readonly #endMs = performance.now() + runMs;

  constructor(tools: ProjectionTools, task: ProjectionTask) {
    this.#tools = tools;
    this.#task = task;
  }

  /**
   * @returns the facts' state; `none`: there are no answers, and no facts; `again`: the workspace
   * changed meanwhile, or the signal aborted.
   * @throws FactsError, RecordError, or what the extraction failed with.
   */
  async run(): Promise<FactsState | "none" | "again"> {
    const { engine, answers, logger } = this.#tools;
    const { accountId, isSuspect } = this.#task;
    const repair = isSuspect ? await engine.repair(accountId) : null;
    if (repair !== null) {
      const { damage: error, place: file } = repair;
      logger.error({ accountId, file, error }, "facts are damaged: set aside");
    }
    // Facts answer whatever becomes of their record.
    const state = await engine.state(accountId);
    const { sequence: recorded } = await answers.end(accountId);
    if (state !== null) return (await this.#follow(state, recorded)) ?? "again";
    if (recorded === 0) return "none";
    const isFirst = repair === null && !this.#task.hadFacts;
    if (isFirst && recorded > builtWhole) return (await this.#first(recorded)) ?? "again";
    const wanted = await this.#wanted();
    const reason = repair === null ? "absent" : "damaged";
    return (await this.#rebuild(wanted, reason, recorded)) ?? "again";
  }

  /** Facts of the first import answer from its first batch on. */
  async #first(recorded: number): Promise<FactsState | null> {
    const { engine, metrics } = this.#tools;
    const { accountId } = this.#task;
    metrics.factsRebuilds.inc({ reason: "absent" });
    const empty = await engine.begin(accountId, await this.#wanted());
    await engine.finish(accountId, empty.generation);
    return this.#copy(empty, recorded);
  }

  async #follow(state: FactsState, recorded: number): Promise<FactsState | null> {
    const { engine, logger } = this.#tools;
    const { accountId, comparedGeneration } = this.#task;
    let current = state;
    if (state.generation !== comparedGeneration) {
      const wanted = await this.#wanted();
      const comparison = await compareSnapshots(state.snapshot, wanted, state.skippedPrompts);
      if (comparison.kind === "rebuild") {
        return this.#rebuild(wanted, comparison.reason, recorded);
      }
      if (comparison.kind === "extended") {
        current = await engine.extend(accountId, state.generation, comparison.snapshot);
      }
    }
    try {
      return await this.#copy(current, recorded);
    } catch (error) {
      if (!(error instanceof OtherRecordError)) throw error;
      const { sequence: watermark } = state.mark;
      logger.warn({ accountId, watermark }, "the record is another one");
      return this.#rebuild(await this.#wanted(), "record", recorded);
    }
  }

  async #wanted(): Promise<Snapshot> {
    const { accountId } = this.#task;
    const workspace = await workspaceOf(this.#tools.control, accountId);
    if (workspace === null) throw new Error(`there is no account ${accountId}`);
    return snapshotOf(workspace);
  }

  /** Null: it did not end, and must be begun again. */
  async #rebuild(
    wanted: Snapshot,
    reason: RebuildReason,
    recorded: number,
  ): Promise<FactsState | null> {
    const { engine, logger, metrics } = this.#tools;
    const { accountId } = this.#task;
    const started = performance.now();
    metrics.factsRebuilds.inc({ reason });
    const begun = await engine.begin(accountId, wanted);
    const built = await this.#copy(begun, recorded);
    if (built === null || this.#task.signal.aborted) return null;
    await engine.finish(accountId, begun.generation);
    const { sequence: watermark } = built.mark;
    const ms = Math.round(performance.now() - started);
    logger.info({ accountId, reason, watermark, ms }, "facts were built");
    return built;
  }

  async #copy(from: FactsState, recorded: number): Promise<FactsState | null> {
    const { answers, engine, reader, metrics, control } = this.#tools;
    const { accountId, revision, signal } = this.#task;
    // Most often after a start there is nothing to copy, and no need of the extracting thread.
    if (recorded === from.mark.sequence && (await answers.has(accountId, from.mark))) return from;
    return copyAnswers(from, {
      read: (after, snapshot, limit) => reader.read(accountId, snapshot, { after, limit }),
      append: async (rows) => {
        const appended = await engine.append(accountId, from.generation, rows);
        metrics.answersProjected.inc(rows.answersRead);
        return appended;
      },
      isRevised: async () => (await revisionOf(control, accountId)) !== revision,
      recorded,
      endMs: this.#endMs,
      signal,
    });
  }
}

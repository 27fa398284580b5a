import { setTimeout } from "node:timers/promises";
import { revisionOf, workspaceOf } from "../../accounts/account-store.ts";
import { type AnswerStore, OtherRecordError, type RecordMark } from "../../answers/answer-store.ts";
import type { ControlEngine } from "../../control/control-engine.ts";
import type { Logger } from "../../platform/logger.ts";
import type { Metrics } from "../../platform/metrics.ts";
import { eachInTurns } from "../../platform/turns.ts";
import type { FactRows } from "../columns.ts";
import type { FactsEngine, FactsState } from "../engine.ts";
import { type Snapshot, type SnapshotPrompt, snapshotOf } from "../snapshot.ts";
import type { BatchReader, KeyedSnapshot } from "./batch-reader.ts";

/** What projecting is done with. */
export interface ProjectionTools {
  readonly control: ControlEngine;
  readonly answers: AnswerStore;
  readonly engine: FactsEngine;
  readonly reader: Pick<BatchReader, "read">;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** What one run goes by. */
interface ProjectionTask {
  readonly accountId: string;
  /** Of the workspace, before it is read. */
  readonly revision: number;
  /** Whether the facts are to have the names that nobody tracks. */
  readonly asksNames: boolean;
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
   * changed or answers were removed meanwhile, or the signal aborted.
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
    return this.#fill(empty, recorded);
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
    const { accountId, asksNames } = this.#task;
    const workspace = await workspaceOf(this.#tools.control, accountId);
    if (workspace === null) throw new Error(`there is no account ${accountId}`);
    return snapshotOf(workspace, asksNames);
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
    const built = await this.#fill(begun, recorded);
    if (built === null || this.#task.signal.aborted) return null;
    await engine.finish(accountId, begun.generation);
    const { sequence: watermark } = built.mark;
    const ms = Math.round(performance.now() - started);
    logger.info({ accountId, reason, watermark, ms }, "facts were built");
    return built;
  }

  /** As `#copy`, from the record's beginning. Null also: an answer that was read was removed. */
  async #fill(empty: FactsState, recorded: number): Promise<FactsState | null> {
    try {
      return await this.#copy(empty, recorded);
    } catch (error) {
      if (error instanceof OtherRecordError) return null;
      throw error;
    }
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

/** What copying is done with, and how far. */
interface CopyTask {
  /** Reads and extracts; null: there are no more answers. */
  readonly read: (
    after: RecordMark,
    snapshot: KeyedSnapshot,
    limit: number,
  ) => Promise<FactRows | null>;
  readonly append: (rows: FactRows) => Promise<FactsState>;
  /** Whether the workspace changed since its snapshot was made. */
  readonly isRevised: () => Promise<boolean>;
  /** The last place that must be copied. */
  readonly recorded: number;
  /** As `performance.now` counts: until then, what is recorded meanwhile is copied too. */
  readonly endMs: number;
  readonly signal: AbortSignal;
}

/**
 * The most answers that become facts in one transaction. What a batch takes the engine whatever its
 * size (looking through all URLs, the commit) is paid once for all that waits.
 */
const batchAnswers = 8_000;

/** So many answers together are an import's: the next come soon, and are looked for meanwhile. */
const importedTogether = 500;

/**
 * Copies recorded answers into facts, from their mark on: the next batch is read and extracted
 * while one is appended.
 * @returns the state then; null when it must be begun again: the workspace changed, or the signal
 * aborted.
 */
async function copyAnswers(from: FactsState, task: CopyTask): Promise<FactsState | null> {
  const { snapshot, generation } = from;
  const { length } = snapshot.prompts;
  const keyed = { key: `${generation} ${length} ${snapshot.topics.length}`, snapshot };
  const read = (after: RecordMark) => task.read(after, keyed, batchAnswers);
  let state = from;
  let rows = await read(from.mark);
  while (rows !== null) {
    // Answers of prompts that are unknown yet would be left out for good.
    const isStale = rows.skippedPrompts.length > 0 && (await task.isRevised());
    if (isStale || task.signal.aborted) return null;
    const { mark, answersRead } = rows;
    const appended = task.append(rows);
    if (mark.sequence >= task.recorded && performance.now() > task.endMs) return appended;
    const next = () => read(mark);
    const reading = answersRead >= importedTogether ? readMeanwhile(next, appended) : next();
    await Promise.allSettled([reading, appended]); // when one fails, the other has ended too
    [rows, state] = await Promise.all([reading, appended]);
  }
  return state;
}

/** Between two looks at a record that may get answers any moment. */
const betweenLooksMs = 20;

/**
 * Reads what comes next while work goes on: looks again and again until there is something, and
 * once more when the work is over, also when it failed. Null: there is nothing then.
 */
export async function readMeanwhile<Next>(
  read: () => Promise<Next | null>,
  work: Promise<unknown>,
): Promise<Next | null> {
  let isOver = false;
  const over = Promise.allSettled([work]).then(() => {
    isOver = true;
  });
  for (;;) {
    const isLast = isOver;
    const next = await read();
    if (next !== null || isLast) return next;
    await Promise.race([over, setTimeout(betweenLooksMs)]);
  }
}

/** How facts that were built by one snapshot stand to another. */
type Comparison =
  | { readonly kind: "same" }
  /** Only new prompts and topics: the facts go on with this snapshot, nothing is read again. */
  | { readonly kind: "extended"; readonly snapshot: Snapshot }
  | { readonly kind: "rebuild"; readonly reason: RebuildReason };

/** Why facts are rebuilt. */
type RebuildReason = "absent" | "damaged" | "names" | "record" | "version" | "workspace";

/**
 * How the facts built by `built` stand to what is wanted now. `skipped`: prompts whose answers were
 * read and left out, being retired; when one of them is back its answers must be read again.
 */
export async function compareSnapshots(
  built: Snapshot,
  wanted: Snapshot,
  skipped: ReadonlySet<string>,
): Promise<Comparison> {
  if (
    built.factsVersion !== wanted.factsVersion ||
    built.extractionVersion !== wanted.extractionVersion
  ) {
    return { kind: "rebuild", reason: "version" };
  }
  if (built.names !== wanted.names) return { kind: "rebuild", reason: "names" };
  const rebuild = { kind: "rebuild", reason: "workspace" } as const;
  if (JSON.stringify(built.entities) !== JSON.stringify(wanted.entities)) return rebuild;
  const topics = await extended(built.topics, wanted.topics, topicItems);
  const prompts = await extended(built.prompts, wanted.prompts, promptItems);
  if (topics === null || prompts === null) return rebuild;
  if (prompts.added.some(({ id }) => skipped.has(id))) return rebuild;
  if (topics.added.length + prompts.added.length === 0) return { kind: "same" };
  const all = {
    topics: [...built.topics, ...topics.added],
    prompts: [...built.prompts, ...prompts.added],
  };
  return { kind: "extended", snapshot: { ...built, ...all } };
}

/** How items of a list are told apart and compared: field by field, since there are 100,000. */
interface Items<Item> {
  readonly idOf: (item: Item) => string;
  readonly isSame: (a: Item, b: Item) => boolean;
}

const topicItems: Items<string> = { idOf: (topic) => topic, isSame: (a, b) => a === b };
const promptItems: Items<SnapshotPrompt> = {
  idOf: ({ id }) => id,
  isSame: (a, b) => a.id === b.id && a.topicId === b.topicId && a.branded === b.branded,
};

/** What is new in `wanted`; null when something of `built` changed or went. Made in turns. */
async function extended<Item>(
  built: readonly Item[],
  wanted: readonly Item[],
  { idOf, isSame }: Items<Item>,
): Promise<{ readonly added: readonly Item[] } | null> {
  const rest = new Map<string, Item>();
  await eachInTurns(wanted, (item) => rest.set(idOf(item), item));
  let isKept = true;
  await eachInTurns(built, (item) => {
    const now = rest.get(idOf(item));
    if (now === undefined || !isSame(now, item)) isKept = false;
    else rest.delete(idOf(item));
  });
  return isKept ? { added: [...rest.values()] } : null;
}

import { OtherRecordError, type RecordMark, recordBeginning } from "../answers/answer-store.ts";
import type { Control } from "../control/control.ts";
import type { Logger } from "../platform/logger.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { AccountFacts } from "./account-facts.ts";
import type { BatchReader } from "./batch-reader.ts";
import type { FactsState } from "./duckdb/facts-file.ts";
import { engineFailure, FactsUnavailableError } from "./engine-failure.ts";
import type { FactRows } from "./fact-rows.ts";
import { readMeanwhile } from "./read-meanwhile.ts";
import {
  type Comparison,
  compareSnapshots,
  hashOf,
  type RebuildReason,
  type Snapshot,
  snapshotOf,
} from "./snapshot.ts";

/** What projecting is done with. */
export interface ProjectionTools {
  readonly control: Control;
  readonly reader: BatchReader;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/**
 * The most answers that become facts in one transaction. What a batch takes the engine whatever its
 * size (looking through all URLs, the commit) is paid once for all that waits.
 */
const batchAnswers = 8_000;

/** How long a run goes on with what was recorded since it began. */
const runMs = 1_000;

/** A batch this large is from an import: more answers follow soon, and are polled for. */
const importedAtOnce = 500;

/** Brings one account's facts up to its record and its workspace. */
export class AccountProjection {
  readonly #accountId: string;
  readonly #facts: AccountFacts;
  readonly #tools: ProjectionTools;
  /** The engine is to check the facts before they are used again. */
  #isSuspect = false;
  #damaged = false;
  #wanted: Wanted | null = null;

  constructor(accountId: string, facts: AccountFacts, tools: ProjectionTools) {
    this.#accountId = accountId;
    this.#facts = facts;
    this.#tools = tools;
  }

  /** Says that the facts may be damaged: the engine checks them at the next `open`. */
  suspect(): void {
    this.#isSuspect = true;
  }

  /**
   * Opens the facts that are on the disk, so that they answer. Those that the engine's own check
   * calls damaged are set aside. @throws FactsUnavailableError when they cannot be read otherwise.
   */
  async open(): Promise<void> {
    try {
      await this.#openGood();
    } catch (error) {
      throw new FactsUnavailableError(error);
    }
  }

  async #openGood(): Promise<void> {
    if (!this.#isSuspect) {
      try {
        return await this.#facts.open();
      } catch (error) {
        if (engineFailure(error) !== "suspect") throw error;
      }
    }
    const damage = await this.#facts.damage();
    if (damage !== null) await this.#setAside(damage);
    this.#isSuspect = false;
    await this.#facts.open();
  }

  /**
   * Projects until the facts hold what the record holds, by today's workspace; of what is recorded
   * meanwhile, that of the first second, since answers may never cease to come. May be stopped
   * anywhere, also by `kill -9`, and goes on where it was.
   */
  async run(recorded: number, signal: AbortSignal): Promise<void> {
    const endMs = performance.now() + runMs;
    for (let done = false; !done && !signal.aborted; ) {
      const wanted = await this.#wantedNow();
      if (wanted === null) return;
      done = await this.#follow(wanted, { revision: wanted.revision, recorded, endMs, signal });
    }
  }

  /** What the workspace asks for; null: there is no such account. Read anew when it changed. */
  async #wantedNow(): Promise<Wanted | null> {
    const revision = await this.#revision();
    if (this.#wanted?.revision === revision) return this.#wanted;
    const workspace = await this.#tools.control.workspace(this.#accountId);
    if (workspace === null) return null;
    this.#wanted = { revision, snapshot: snapshotOf(workspace) };
    return this.#wanted;
  }

  async #setAside(error: string): Promise<void> {
    const file = await this.#facts.setAside();
    this.#damaged = true;
    const { logger } = this.#tools;
    logger.error({ accountId: this.#accountId, file, error }, "facts are damaged: set aside");
  }

  /** @returns false when the workspace changed meanwhile, so that it must be looked at again. */
  async #follow(wanted: Wanted, run: RunState): Promise<boolean> {
    const { snapshot } = wanted;
    const state = this.#facts.state;
    if (state === null) {
      return this.#rebuild(snapshot, this.#damaged ? "damaged" : "absent", run);
    }
    const comparison = this.#compare(state, wanted);
    if (comparison.kind === "rebuild") return this.#rebuild(snapshot, comparison.reason, run);
    try {
      if (comparison.kind === "extended") await this.#facts.extend(comparison.snapshot);
      return await this.#copy(
        { snapshot: this.#facts.state?.snapshot ?? snapshot, after: state.mark },
        (rows) => this.#facts.append(rows),
        run,
      );
    } catch (error) {
      if (error instanceof OtherRecordError) {
        const { logger } = this.#tools;
        const { sequence: watermark } = state.mark;
        logger.warn({ accountId: this.#accountId, watermark }, "the record is another one");
        return this.#rebuild(snapshot, "record", run);
      }
      if (engineFailure(error) === "suspect") this.suspect();
      throw error;
    }
  }

  #compare({ snapshot: built, passedOver }: FactsState, wanted: Wanted): Comparison {
    if (built === wanted.snapshot) return { kind: "same" };
    const comparison = compareSnapshots(built, wanted.snapshot, passedOver);
    // One copy is enough; the next comparison is by identity.
    if (comparison.kind === "same") this.#wanted = { ...wanted, snapshot: built };
    return comparison;
  }

  async #rebuild(wanted: Snapshot, reason: RebuildReason, run: RunState): Promise<boolean> {
    const { logger, metrics } = this.#tools;
    const started = performance.now();
    metrics.factsRebuilds.inc({ reason });
    const next = await this.#facts.beginNext(wanted);
    const complete = await this.#copy(
      { snapshot: wanted, after: recordBeginning },
      (rows) => next.append(rows),
      run,
    );
    if (!complete || run.signal.aborted) return false;
    const { sequence: watermark } = next.state.mark;
    await this.#facts.finishNext();
    this.#damaged = false;
    const ms = Math.round(performance.now() - started);
    logger.info({ accountId: this.#accountId, reason, watermark, ms }, "facts were built");
    return true;
  }

  /** Reads and extracts one batch while the one before is appended. */
  async #copy(
    from: { readonly snapshot: Snapshot; readonly after: RecordMark },
    append: (rows: FactRows) => Promise<void>,
    run: RunState,
  ): Promise<boolean> {
    const snapshot = { key: keyOf(from.snapshot), snapshot: from.snapshot };
    const read = (after: RecordMark) =>
      this.#tools.reader.read(this.#accountId, snapshot, { after, limit: batchAnswers });
    let rows = await read(from.after);
    while (rows !== null && !run.signal.aborted) {
      if (rows.passedOver.length > 0 && (await this.#revision()) !== run.revision) return false;
      const { mark, answersRead } = rows;
      const appended = append(rows).then(() => {
        this.#tools.metrics.answersProjected.inc(answersRead);
      });
      if (mark.sequence >= run.recorded && performance.now() > run.endMs) {
        await appended;
        return true;
      }
      const next = () => read(mark);
      const isImport = answersRead >= importedAtOnce;
      const reading = isImport ? readMeanwhile(next, appended) : next();
      await Promise.allSettled([reading, appended]); // when one fails, the other has ended too
      [rows] = await Promise.all([reading, appended]);
    }
    return true;
  }

  async #revision(): Promise<number> {
    const accounts = await this.#tools.control.accounts();
    return accounts.find(({ id }) => id === this.#accountId)?.revision ?? 0;
  }
}

/** Of snapshots that are there still. */
const keys = new WeakMap<Snapshot, string>();

/** Another text for each snapshot that extracts otherwise. */
function keyOf(snapshot: Snapshot): string {
  const key = keys.get(snapshot) ?? hashOf(snapshot);
  keys.set(snapshot, key);
  return key;
}

/** What a workspace asks for. */
interface Wanted {
  /** It is this one's, or a newer one's. */
  readonly revision: number;
  readonly snapshot: Snapshot;
}

interface RunState {
  /** The workspace's revision that this run goes by. */
  readonly revision: number;
  /** The place of the last answer that was recorded when it began. */
  readonly recorded: number;
  /** As `performance.now` counts. */
  readonly endMs: number;
  readonly signal: AbortSignal;
}

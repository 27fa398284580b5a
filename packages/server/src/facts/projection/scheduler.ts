import { setTimeout } from "node:timers/promises";
import {
  type AccountProgress,
  accountsBehind,
  changesAfter,
  forgetRecordings,
  noteProjected,
  type ProjectionNote,
  progressOf,
  recordingAccounts,
  totalsOf,
} from "../../accounts/progress-store.ts";
import type { Clock } from "../../platform/clock.ts";
import { whyFailed } from "../../platform/failed-work.ts";
import { PostgresUnavailableError } from "../../platform/postgres.ts";
import { FactsError } from "../engine.ts";
import { projectionRules } from "../snapshot.ts";
import { AccountProjection, type ProjectionTools } from "./account-projection.ts";
import {
  type CurrentAccount,
  type FailingAccount,
  FailingAccounts,
  isOfSame,
  isSame,
  LeasedAccounts,
} from "./scheduled-accounts.ts";

/** What the scheduler works with. */
export interface SchedulerOptions extends ProjectionTools {
  readonly clock: Clock;
}

/** How often control is looked at: an imported answer counts well within a second. */
const lookEveryMs = 100;
/** Accounts that are projected side by side: one thread reads for all, and another batch waits. */
const runningMax = 4;
/** An import repeats its note every ten minutes; one that has not since then was killed. */
const recordingForgottenMs = 3_600_000;
const forgetEveryMs = 60_000;
/** So long another process may write control before it is worth a line of the log. */
const busyMs = 10_000;
/** Accounts that are asked are looked at this often, should their record be another one. */
const verifyEveryMs = 5_000;

/** What is to be done for an account. */
interface Due {
  isSuspect: boolean;
}

/**
 * Keeps every account's facts up to its record and workspace. What changed is found by one look at
 * control, where writers note it: an account that nothing happens to costs nothing. It asks and
 * answers no question.
 */
export class ProjectionScheduler {
  readonly #options: SchedulerOptions;
  readonly #failing: FailingAccounts;
  readonly #leased: LeasedAccounts;
  readonly #due = new Map<string, Due>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #current = new Map<string, CurrentAccount>();
  /** Done, and not yet noted in control. */
  readonly #notes = new Map<string, ProjectionNote>();
  readonly #stop = new AbortController();
  /** Accounts that were behind at the start and were not tried since; null: not looked yet. */
  #starting: Set<string> | null = null;
  /** The place in control's order of changes up to which all were seen; null: not known. */
  #cursor: number | null = null;
  /** How often an account was forgotten. */
  #forgotten = 0;
  /** Why control could not be looked at the last time; null: it could. */
  #lookFailure: string | null = null;
  /** As `performance.now` counts. */
  #forgetAtMs = 0;
  #busySinceMs: number | null = null;
  #loop: Promise<void> = Promise.resolve();

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#failing = new FailingAccounts(options);
    this.#leased = new LeasedAccounts(options.control.leases);
  }

  start(): void {
    this.#loop = this.#loopOn();
  }

  /** Looks at an account that is asked, unless it did so lately: its record may be another one. */
  readonly verify = (accountId: string): void => {
    const { atMs = Number.NEGATIVE_INFINITY } = this.#current.get(accountId) ?? {};
    if (this.#options.clock.elapsed() - atMs < verifyEveryMs) return;
    if (this.#failing.isDue(accountId)) this.#want(accountId);
  };

  /** As `verify`, and has the engine check the facts: they may be damaged. */
  readonly suspect = (accountId: string): void => {
    this.#want(accountId).isSuspect = true;
  };

  /**
   * The accounts that were behind at the start and are not caught up since, without those that
   * failed; `*`: not known yet.
   */
  notReady(): readonly string[] {
    return this.#starting === null ? ["*"] : [...this.#starting];
  }

  /** The accounts whose facts do not follow their record now, and why. */
  failing(): readonly FailingAccount[] {
    return this.#failing.list();
  }

  /** Sets the metrics that are sums over all accounts; NaN while PostgreSQL is away. */
  async measure(): Promise<void> {
    const { control, metrics } = this.#options;
    await this.#writeNotes().catch(() => undefined); // control is busy: later
    const totals = await totalsOf(control).catch((error: unknown) => {
      if (error instanceof PostgresUnavailableError) return null;
      throw error;
    });
    metrics.projectionLag.set(totals?.behind ?? Number.NaN);
    metrics.answersRecorded.set(totals?.recorded ?? Number.NaN);
    metrics.lastImport.set(totals === null ? Number.NaN : (totals.recordedAtMs ?? 0) / 1000);
  }

  /** Nothing is to be done for a deleted account; the next change may get its place again. */
  async forget(accountId: string): Promise<void> {
    await this.#running.get(accountId);
    this.#due.delete(accountId);
    this.#current.delete(accountId);
    this.#notes.delete(accountId);
    this.#starting?.delete(accountId);
    this.#leased.forget(accountId);
    this.#failing.recovered(accountId);
    this.#forgotten++;
    this.#cursor = null;
  }

  /**
   * Resolves when everything that was recorded and declared for the account before the call is in
   * its facts. @throws what the projection failed with, if it did.
   */
  async waitUntilCurrent(accountId: string): Promise<void> {
    const { control, answers } = this.#options;
    for (;;) {
      await this.#look();
      const failure = this.#failing.errorOf(accountId);
      const running = this.#running.get(accountId);
      if (running !== undefined) await running;
      else if (failure !== null) throw failure;
      else if (this.#due.has(accountId)) await setTimeout(lookEveryMs);
      else {
        const progress = await progressOf(control, accountId);
        const { sequence } = await answers.end(accountId);
        const current = this.#current.get(accountId);
        if (progress === null) return;
        if (current && isOfSame(current, progress) && current.recorded === sequence) return;
        this.#want(accountId);
      }
    }
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#loop;
    await Promise.all(this.#running.values());
    await this.#writeNotes().catch(() => undefined); // the next start looks at those accounts
  }

  async #loopOn(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        await this.#look();
        await this.#writeNotes();
        await this.#forgetRecordings();
        this.#lookFailure = null;
        this.#busySinceMs = null;
      } catch (error) {
        this.#noteLookFailure(error);
      }
      await setTimeout(lookEveryMs, null, { signal }).catch(() => undefined); // closing
    }
  }

  /**
   * Once, not at every look. Another process that writes control for a moment is not a failure: the
   * next look tries again.
   */
  #noteLookFailure(cause: unknown): void {
    if (whyFailed(cause) === "busy") {
      const now = this.#options.clock.elapsed();
      this.#busySinceMs ??= now;
      if (now - this.#busySinceMs < busyMs) return;
    }
    const error = String(cause);
    if (error === this.#lookFailure) return;
    this.#lookFailure = error;
    this.#options.logger.error({ error }, "looking for new answers failed");
  }

  async #look(): Promise<void> {
    const { control } = this.#options;
    const forgotten = this.#forgotten;
    const seen = this.#cursor ?? (await this.#findBehind());
    const { accounts, cursor } = await changesAfter(control, seen);
    this.#cursor = forgotten === this.#forgotten ? cursor : null;
    for (const progress of accounts) if (this.#isBehind(progress)) this.#want(progress.id);
    for (const accountId of await recordingAccounts(control)) await this.#lookAtRecord(accountId);
    for (const accountId of this.#failing.due()) this.#want(accountId);
    this.#runNext();
  }

  /** @returns the place up to which all changes are seen with that. */
  async #findBehind(): Promise<number> {
    const { accounts, cursor } = await accountsBehind(this.#options.control, projectionRules);
    this.#starting ??= new Set(accounts.map(({ id }) => id));
    for (const { id } of accounts) this.#want(id);
    return cursor;
  }

  /** An account without facts needs none before its first answer. */
  #isBehind(progress: AccountProgress): boolean {
    const { id, recorded, projected, hadFacts } = progress;
    const current = this.#current.get(id);
    // This node may not have looked at them yet.
    if (recorded?.sequence === 0 && !hadFacts && current?.generation == null) return false;
    if (projected === null) return true; // also what `rebuild` forgot, which this node knows
    if (current === undefined || !isOfSame(current, progress)) return true;
    return current.recorded !== recorded?.sequence;
  }

  /** An import that was killed may have recorded what it did not note. */
  async #lookAtRecord(accountId: string): Promise<void> {
    if (this.#running.has(accountId) || !this.#failing.isDue(accountId)) return;
    try {
      const { sequence } = await this.#options.answers.end(accountId);
      const recorded = this.#current.get(accountId)?.recorded ?? 0;
      if (sequence !== recorded) this.#want(accountId);
    } catch {
      this.#want(accountId); // whose run fails likewise, and is noted
    }
  }

  async #forgetRecordings(): Promise<void> {
    const now = performance.now();
    if (now < this.#forgetAtMs) return;
    await forgetRecordings(this.#options.control, this.#options.clock.now() - recordingForgottenMs);
    this.#forgetAtMs = now + forgetEveryMs;
  }

  #want(accountId: string): Due {
    const due = this.#due.get(accountId) ?? { isSuspect: false };
    this.#due.set(accountId, due);
    return due;
  }

  #runNext(): void {
    if (this.#stop.signal.aborted) return;
    for (const [accountId, due] of this.#due) {
      if (this.#running.size >= runningMax) return;
      if (this.#running.has(accountId) || !this.#failing.isDue(accountId)) continue;
      if (!this.#leased.isDue(accountId)) continue;
      this.#due.delete(accountId);
      this.#running.set(accountId, this.#run(accountId, due));
    }
  }

  async #run(accountId: string, { isSuspect }: Due): Promise<void> {
    const { signal } = this.#stop;
    try {
      const project = () => this.#project(accountId, isSuspect);
      if (!(await this.#leased.project(accountId, project))) this.#leave(accountId, isSuspect);
      else if (!signal.aborted) this.#failing.recovered(accountId);
    } catch (error) {
      this.#current.delete(accountId);
      const isDamaged = error instanceof FactsError && error.fault === "suspect";
      if (isDamaged && !isSuspect) this.suspect(accountId);
      else if (!signal.aborted) this.#failing.failed(accountId, error);
    } finally {
      if (!this.#due.has(accountId)) this.#starting?.delete(accountId);
      this.#running.delete(accountId);
      this.#runNext();
    }
  }

  /** To be tried again, on this node or another. */
  #leave(accountId: string, isSuspect: boolean): void {
    this.#current.delete(accountId);
    if (isSuspect) this.suspect(accountId);
    else this.#want(accountId);
  }

  async #project(accountId: string, isSuspect: boolean): Promise<void> {
    const { control, answers } = this.#options;
    const { signal } = this.#stop;
    const progress = await progressOf(control, accountId);
    if (progress === null) return;
    const { revision, asksNames } = progress;
    const hadFacts = progress.hadFacts || this.#notes.get(accountId)?.projected != null;
    const before = this.#current.get(accountId);
    const comparedGeneration = before && isOfSame(before, progress) ? before.generation : null;
    const wanted = { accountId, revision, asksNames, hadFacts };
    const task = { ...wanted, isSuspect, comparedGeneration, signal };
    const state = await new AccountProjection(this.#options, task).run();
    if (state === "again") {
      this.#want(accountId);
      return;
    }
    const recorded = await answers.end(accountId);
    const { generation = null, sequence = 0 } =
      state === "none" ? {} : { generation: state.generation, sequence: state.mark.sequence };
    const now = { revision, asksNames, generation, recorded: sequence };
    this.#current.set(accountId, { ...now, atMs: this.#options.clock.elapsed() });
    if (recorded.sequence !== sequence) this.#want(accountId);
    if (before !== undefined && isSame(before, now)) return;
    const projected = generation === null ? null : { sequence, revision, rules: projectionRules };
    const { change } = progress;
    this.#notes.set(accountId, { accountId, recorded, change, projected });
  }

  /** What cannot be written now, while another process writes control, is written later. */
  async #writeNotes(): Promise<void> {
    if (this.#notes.size === 0) return;
    const notes = [...this.#notes.values()];
    await noteProjected(this.#options.control, notes);
    for (const note of notes) {
      if (this.#notes.get(note.accountId) === note) this.#notes.delete(note.accountId);
    }
  }
}

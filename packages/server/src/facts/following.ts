import type { PlanUsed } from "../analytics/plan.ts";
import { type AnswerStore, RecordError, recordBeginning } from "../answers/answer-store.ts";
import type { Clock } from "../platform/clock.ts";
import type { DataFolder } from "../platform/data-folder.ts";
import { ServiceError } from "../platform/service-error.ts";
import { AccountFacts } from "./account-facts.ts";
import { AccountProjection, type ProjectionTools } from "./account-projection.ts";
import { AwakeAccounts } from "./awake-accounts.ts";
import { engineFailure } from "./engine-failure.ts";
import { type FailingAccount, FailingAccounts } from "./failing-accounts.ts";
import { RecordWatch } from "./record-watch.ts";

/** What the facts follow, and with what. */
export interface FollowingOptions extends ProjectionTools {
  readonly folder: DataFolder;
  readonly answers: AnswerStore;
  readonly clock: Clock;
  /** The most accounts whose engines stay open. */
  readonly awakeMax: number;
}

/** How often the record is looked at: an imported answer counts well within a second. */
const followIntervalMs = 100;
/** Concurrently projected accounts: one thread reads for all, and another batch is ready. */
const projectingMax = 4;

type QuestionKind = "time-series" | "sources" | "coverage";

interface Followed {
  readonly facts: AccountFacts;
  readonly projection: AccountProjection;
  running: Promise<void> | null;
  caughtUp: boolean;
  /** Whether there was something to project when it was last looked at. */
  due: boolean;
  /** Of the workspace when it was last looked at. */
  revision: number;
  lastSequence: number;
  /** False: the facts were derived from another record than the one that is there now. */
  fits: boolean;
  /** Why the record could not be looked at the last time; null: it could. */
  unreadable: unknown;
}

/** Keeps every account's facts up to its record and workspace, and lets questions to them. */
export class Following {
  readonly #options: FollowingOptions;
  readonly #accounts = new Map<string, Followed>();
  readonly #watch = new RecordWatch();
  readonly #awake: AwakeAccounts;
  readonly #failing: FailingAccounts;
  readonly #stop = new AbortController();
  /** Accounts that were there at the start and were not tried since; null: not looked yet. */
  #starting: Set<string> | null = null;
  #projecting = 0;
  /** Why the accounts could not be listed the last time; null: they could. */
  #lookFailure: string | null = null;
  /** When the newest answer of any account was recorded; 0: none was seen. */
  #lastImportMs = 0;
  #loop: Promise<void> = Promise.resolve();

  constructor(options: FollowingOptions) {
    this.#options = options;
    this.#awake = new AwakeAccounts(options.awakeMax);
    this.#failing = new FailingAccounts(options);
  }

  start(): void {
    this.#loop = this.#follow();
  }

  version(accountId: string): string | null {
    return this.#accounts.get(accountId)?.facts.version?.toString() ?? null;
  }

  async ask<Result extends { readonly used: PlanUsed }>(
    accountId: string,
    question: QuestionKind,
    read: (facts: AccountFacts) => Promise<Result>,
  ): Promise<Result> {
    const followed = this.#accounts.get(accountId) ?? this.#add(accountId);
    this.#use(accountId);
    const { metrics, logger } = this.#options;
    const started = performance.now();
    let plan = "failed";
    try {
      const result = await this.#read(followed.facts, read);
      const { refused } = result.used;
      plan = result.used.name;
      const ms = Math.round((performance.now() - started) * 10) / 10;
      logger.debug({ accountId, question, plan, refused, ms }, "the facts were asked");
      return result;
    } catch (error) {
      if (error instanceof ServiceError || engineFailure(error) !== "suspect") throw error;
      followed.projection.suspect();
      followed.caughtUp = false;
      throw new ServiceError("facts_not_ready", "The account's facts are being checked.", {
        headers: { "Retry-After": "1" },
        cause: error,
      });
    } finally {
      metrics.queries.observe({ question, plan }, (performance.now() - started) / 1000);
    }
  }

  /**
   * A disk that ran full while facts were written makes the engine refuse everything until it is
   * opened again; what it had committed is there then.
   */
  async #read<Result>(
    facts: AccountFacts,
    read: (facts: AccountFacts) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await read(facts);
    } catch (error) {
      if (error instanceof ServiceError || engineFailure(error) !== "disk-full") throw error;
      await facts.rest();
      return read(facts);
    }
  }

  notReady(): readonly string[] {
    return this.#starting === null ? ["*"] : [...this.#starting];
  }

  failing(): readonly FailingAccount[] {
    return this.#failing.list();
  }

  async settle(accountId: string): Promise<void> {
    for (;;) {
      await this.#look();
      const followed = this.#accounts.get(accountId);
      if (followed === undefined) return;
      const failure = this.#failing.errorOf(accountId);
      if (followed.running !== null) await followed.running;
      else if (failure !== null) throw failure;
      else if (followed.caughtUp && !followed.due) return;
      else await this.#pause(); // others are projected first
    }
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#loop;
    await Promise.all([...this.#accounts.values()].map(({ running }) => running));
    for (const { facts } of this.#accounts.values()) await facts.close();
  }

  async #follow(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      try {
        await this.#look();
        this.#starting ??= new Set(
          [...this.#accounts].filter(([id, each]) => this.#isBehind(id, each)).map(([id]) => id),
        );
        this.#lookFailure = null;
      } catch (error) {
        this.#noteLookFailure(String(error));
      }
      await this.#pause();
    }
  }

  #isBehind(accountId: string, { caughtUp }: Followed): boolean {
    return !caughtUp && this.#failing.errorOf(accountId) === null;
  }

  /** Once, not at every look. */
  #noteLookFailure(error: string): void {
    if (error === this.#lookFailure) return;
    this.#lookFailure = error;
    this.#options.logger.error({ error }, "looking for new answers failed");
  }

  async #look(): Promise<void> {
    const { control, metrics } = this.#options;
    try {
      for (const { id, revision } of await control.accounts()) {
        if (this.#failing.isDue(id)) this.#lookAt(id, revision);
      }
    } finally {
      const followed = [...this.#accounts.values()];
      const sumOf = (each: (of: Followed) => number) =>
        followed.reduce((sum, one) => sum + each(one), 0);
      metrics.projectionLag.set(sumOf(lagOf));
      metrics.answersRecorded.set(sumOf(({ lastSequence }) => lastSequence));
      metrics.lastImport.set(this.#lastImportMs / 1000);
    }
  }

  #lookAt(accountId: string, revision: number): void {
    const followed = this.#followed(accountId);
    if (followed === null) return;
    this.#lookAtRecord(accountId, followed);
    const isBehind = !followed.caughtUp || !followed.fits || lagOf(followed) > 0;
    followed.due = isBehind || followed.unreadable !== null || revision !== followed.revision;
    const free = followed.running === null && this.#projecting < projectingMax;
    if (followed.due && free) {
      followed.revision = revision;
      followed.running = this.#project(accountId, followed);
    }
  }

  /** Null: the account's folder cannot be made. */
  #followed(accountId: string): Followed | null {
    try {
      return this.#accounts.get(accountId) ?? this.#add(accountId);
    } catch (error) {
      this.#failing.failed(accountId, new RecordError(error));
      return null;
    }
  }

  /** Reads how far the record goes, and whether it is the one that the facts were derived from. */
  #lookAtRecord(accountId: string, followed: Followed): void {
    const { answers, folder, clock } = this.#options;
    try {
      const files = folder.account(accountId);
      const mayHaveChanged = this.#watch.mayHaveChanged(accountId, files, clock.now());
      if (!mayHaveChanged && followed.fits) return;
      followed.lastSequence = answers.lastSequence(accountId);
      const recordedAt = answers.lastRecordedAt(accountId) ?? 0;
      this.#lastImportMs = Math.max(this.#lastImportMs, recordedAt);
      followed.fits = answers.has(accountId, followed.facts.state?.mark ?? recordBeginning);
      followed.unreadable = null;
    } catch (error) {
      followed.unreadable = error instanceof RecordError ? error : new RecordError(error);
      this.#watch.forget(accountId);
    }
  }

  /** Notes that an account's engine is needed, and lets another rest when too many are open. */
  #use(accountId: string): void {
    const idlest = this.#awake.use(accountId);
    const resting = idlest === null ? undefined : this.#accounts.get(idlest)?.facts.rest();
    resting?.catch((error: unknown) => {
      const { logger } = this.#options;
      logger.error({ accountId: idlest, error: String(error) }, "closing facts failed");
    });
  }

  async #project(accountId: string, followed: Followed): Promise<void> {
    this.#projecting++;
    const { signal } = this.#stop;
    try {
      // Facts answer whatever becomes of their record.
      await followed.projection.open();
      if (followed.unreadable !== null) throw followed.unreadable;
      await followed.projection.run(followed.lastSequence, signal);
      followed.caughtUp = true;
      if (!signal.aborted) this.#failing.recovered(accountId);
    } catch (error) {
      if (engineFailure(error) === "disk-full") await followed.facts.rest();
      followed.caughtUp = false;
      if (!signal.aborted) this.#failing.failed(accountId, error);
    } finally {
      this.#starting?.delete(accountId);
      followed.running = null;
      this.#projecting--;
      this.#use(accountId); // now that its engine is open
    }
  }

  #add(accountId: string): Followed {
    const facts = new AccountFacts(this.#options.folder.account(accountId));
    const followed = {
      facts,
      projection: new AccountProjection(accountId, facts, this.#options),
      running: null,
      caughtUp: false,
      due: true,
      revision: 0,
      lastSequence: 0,
      fits: true,
      unreadable: null,
    };
    this.#accounts.set(accountId, followed);
    return followed;
  }

  async #pause(): Promise<void> {
    const { signal } = this.#stop;
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, followIntervalMs);
      signal.addEventListener("abort", done, { once: true });
    });
  }
}

/** Recorded answers that are not in the facts yet; of another record, none is. */
function lagOf({ facts, lastSequence, fits }: Followed): number {
  return fits ? Math.max(0, lastSequence - (facts.state?.mark.sequence ?? 0)) : lastSequence;
}

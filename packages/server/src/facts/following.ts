import type { PlanUsed } from "../analytics/plan.ts";
import type { AnswerStore } from "../answers/answer-store.ts";
import type { Clock } from "../platform/clock.ts";
import type { DataFolder } from "../platform/data-folder.ts";
import { ServiceError } from "../platform/service-error.ts";
import { AccountFacts } from "./account-facts.ts";
import { AccountProjection, type ProjectionTools } from "./account-projection.ts";
import { AwakeAccounts } from "./awake-accounts.ts";
import { engineFailure } from "./engine-failure.ts";
import { HeldBudget } from "./held-budget.ts";
import { RecordWatch } from "./record-watch.ts";
import { asQuestion } from "./turns.ts";

/** What the facts follow, and with what. */
export interface FollowingOptions extends ProjectionTools {
  readonly folder: DataFolder;
  readonly answers: AnswerStore;
  readonly clock: Clock;
  /** The most accounts whose engines stay open. */
  readonly awakeMax: number;
  /** Bytes of facts that are held in memory, of all accounts together. */
  readonly heldBytesMax: number;
}

/** How often the record is looked at: an imported answer counts well within a second. */
const followIntervalMs = 100;
/** How long an account whose projection failed is left alone. */
const retryAfterMs = 2_000;
/** Accounts that are projected at once: one thread reads for all, another batch is then at hand. */
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
  notBeforeMs: number;
  /** Null: the last run went well. */
  failure: unknown;
}

/** Keeps every account's facts up to its record and workspace, and lets questions to them. */
export class Following {
  readonly #options: FollowingOptions;
  readonly #accounts = new Map<string, Followed>();
  readonly #watch = new RecordWatch();
  readonly #awake: AwakeAccounts;
  readonly #held: HeldBudget;
  readonly #stop = new AbortController();
  /** Accounts that were there at the start and are not caught up yet; null: not looked yet. */
  #starting: Set<string> | null = null;
  #projecting = 0;
  /** When the newest answer of any account was recorded; 0: none was seen. */
  #lastImportMs = 0;
  #loop: Promise<void> = Promise.resolve();

  constructor(options: FollowingOptions) {
    this.#options = options;
    this.#awake = new AwakeAccounts(options.awakeMax);
    this.#held = new HeldBudget(options.heldBytesMax);
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
      const result = await asQuestion(() => this.#read(followed.facts, read));
      const { refused, answers } = result.used;
      plan = result.used.name;
      const ms = Math.round((performance.now() - started) * 10) / 10;
      logger.debug({ accountId, question, plan, refused, answers, ms }, "the facts were asked");
      return result;
    } catch (error) {
      if (error instanceof ServiceError || engineFailure(error) !== "damaged") throw error;
      followed.projection.reportDamage();
      followed.caughtUp = false;
      throw new ServiceError("facts_not_ready", "The account's facts are being repaired.", {
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

  async settle(accountId: string): Promise<void> {
    for (;;) {
      await this.#look();
      const followed = this.#accounts.get(accountId);
      if (followed === undefined) return;
      if (followed.running !== null) await followed.running;
      else if (followed.failure !== null) throw followed.failure;
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
    const { logger } = this.#options;
    while (!this.#stop.signal.aborted) {
      try {
        await this.#look();
        this.#starting ??= new Set(this.#accounts.keys());
      } catch (error) {
        logger.error({ error: String(error) }, "looking for new answers failed");
      }
      await this.#pause();
    }
  }

  async #look(): Promise<void> {
    const { control, answers, folder, clock, metrics } = this.#options;
    let lag = 0;
    let recorded = 0;
    for (const { id, revision } of await control.accounts()) {
      const followed = this.#accounts.get(id) ?? this.#add(id);
      if (this.#watch.mayHaveChanged(id, folder.account(id), clock.now())) {
        followed.lastSequence = answers.lastSequence(id);
        const recordedAt = answers.lastRecordedAt(id) ?? 0;
        this.#lastImportMs = Math.max(this.#lastImportMs, recordedAt);
      }
      recorded += followed.lastSequence;
      const behind = followed.lastSequence - (followed.facts.state?.watermark ?? 0);
      lag += behind;
      const due = !followed.caughtUp || behind > 0 || revision !== followed.revision;
      followed.due = due;
      const free = followed.running === null && this.#projecting < projectingMax;
      if (due && free && performance.now() >= followed.notBeforeMs) {
        followed.revision = revision;
        followed.running = this.#project(id, followed);
      }
    }
    metrics.projectionLag.set(lag);
    metrics.answersRecorded.set(recorded);
    metrics.lastImport.set(this.#lastImportMs / 1000);
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
    try {
      await followed.projection.run(followed.lastSequence, this.#stop.signal);
      followed.caughtUp = true;
      followed.failure = null;
      this.#starting?.delete(accountId);
    } catch (error) {
      const failure = engineFailure(error);
      if (failure === "damaged") followed.projection.reportDamage();
      if (failure === "disk-full") await followed.facts.rest();
      followed.caughtUp = false;
      followed.failure = error;
      followed.notBeforeMs = performance.now() + retryAfterMs;
      const { logger } = this.#options;
      if (!this.#stop.signal.aborted) {
        logger.error(
          { accountId, error: String(error) },
          "projection failed; it will be tried again",
        );
      }
    } finally {
      followed.running = null;
      this.#projecting--;
      this.#use(accountId); // now that its engine is open
    }
  }

  #add(accountId: string): Followed {
    const facts = new AccountFacts(this.#options.folder.account(accountId), this.#held);
    const followed = {
      facts,
      projection: new AccountProjection(accountId, facts, this.#options),
      running: null,
      caughtUp: false,
      due: true,
      revision: 0,
      lastSequence: 0,
      notBeforeMs: 0,
      failure: null,
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

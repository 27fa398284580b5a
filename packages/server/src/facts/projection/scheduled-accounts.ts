import { RecordError } from "../../answers/answer-store.ts";
import { LeaseLostError, type Leases } from "../../control/leases.ts";
import type { Clock } from "../../platform/clock.ts";
import { isEngineAway } from "../../platform/failed-work.ts";
import type { Logger } from "../../platform/logger.ts";
import type { Metrics } from "../../platform/metrics.ts";
import { PostgresUnavailableError } from "../../platform/postgres.ts";
import { FactsError, type FactsFault } from "../engine.ts";

/** How an account was when it was last brought up to date. */
export interface CurrentAccount {
  readonly revision: number;
  readonly asksNames: boolean;
  readonly generation: string | null;
  readonly recorded: number;
  /** As `clock.elapsed` counts. */
  readonly atMs: number;
}

/** Whether nothing is to be noted of an account. */
export function isSame(a: Omit<CurrentAccount, "atMs">, b: Omit<CurrentAccount, "atMs">): boolean {
  return isOfSame(a, b) && a.generation === b.generation && a.recorded === b.recorded;
}

/** What an account declares and asks for. */
type Wanted = Pick<CurrentAccount, "revision" | "asksNames">;

/** Whether facts of one are facts of the other. */
export function isOfSame(a: Wanted, b: Wanted): boolean {
  return a.revision === b.revision && a.asksNames === b.asksNames;
}

/** An account that another node projects is tried again so soon: it may be done, or dead. */
const retryMs = 1_000;

/** Has an account projected by one node at a time. */
export class LeasedAccounts {
  readonly #leases: Leases;
  /** When an account that this node could not have is tried again, as `performance.now` counts. */
  readonly #retries = new Map<string, number>();

  constructor(leases: Leases) {
    this.#leases = leases;
  }

  /** Whether the account may be tried now. */
  isDue(accountId: string): boolean {
    return performance.now() >= (this.#retries.get(accountId) ?? 0);
  }

  /** The account was deleted. */
  forget(accountId: string): void {
    this.#retries.delete(accountId);
  }

  /**
   * Does what only one node may. @returns false when this node could not, or not to the end, since
   * another one has the account, or since nobody can be asked: it is to be tried again.
   * @throws what the work failed with otherwise.
   */
  async project(accountId: string, work: () => Promise<void>): Promise<boolean> {
    try {
      if ((await this.#leases.take(accountId)) !== null) {
        await this.#workAndRelease(accountId, work);
        this.#retries.delete(accountId);
        return true;
      }
    } catch (error) {
      if (!isPassing(error)) throw error;
    }
    this.#retries.set(accountId, performance.now() + retryMs);
    return false;
  }

  async #workAndRelease(accountId: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } finally {
      await this.#leases.release(accountId).catch(() => undefined); // then it ends by itself
    }
  }
}

/** Whether a write was refused because of another node, or PostgreSQL was away; by its causes. */
function isPassing(error: unknown): boolean {
  if (error instanceof LeaseLostError || error instanceof PostgresUnavailableError) return true;
  return error instanceof Error && error.cause !== undefined && isPassing(error.cause);
}

/** Why an account's facts cannot follow its record; each is explained in operations.md. */
type FailureReason = "record_unreadable" | "facts_unreadable" | "disk_full" | "projection_failed";

/** An account whose facts do not follow its record now. */
export interface FailingAccount {
  readonly accountId: string;
  readonly reason: FailureReason;
}

/** What failures are noted with. */
interface FailingAccountsTools {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock: Clock;
}

interface Failure {
  readonly error: unknown;
  readonly reason: FailureReason;
  /** How often it was tried. */
  readonly attempts: number;
  readonly sinceMs: number;
  /** As `clock.elapsed` counts. */
  readonly retryAtMs: number;
}

/** What passes by itself, such as a file that is locked for a moment, is over soon. */
const firstRetryMs = 2_000;
/** What was mended is seen within this time; each attempt may read files of gigabytes. */
const longestRetryMs = 30_000;
/** An engine of a cluster that is away is back any moment, and asking it costs nothing. */
const awayRetryMs = 1_000;

/**
 * Accounts that fail, each alone: it is tried again ever more slowly, and logged when its failure
 * begins, changes and ends.
 */
export class FailingAccounts {
  readonly #tools: FailingAccountsTools;
  readonly #failures = new Map<string, Failure>();

  constructor(tools: FailingAccountsTools) {
    this.#tools = tools;
  }

  /** Whether the account does not fail, or is to be tried again now. */
  isDue(accountId: string): boolean {
    const failure = this.#failures.get(accountId);
    return failure === undefined || this.#tools.clock.elapsed() >= failure.retryAtMs;
  }

  /** The accounts that are to be tried again now. */
  due(): readonly string[] {
    return [...this.#failures.keys()].filter((accountId) => this.isDue(accountId));
  }

  /** What the account failed with the last time; null: it does not fail. */
  errorOf(accountId: string): unknown {
    return this.#failures.get(accountId)?.error ?? null;
  }

  failed(accountId: string, error: unknown): void {
    const { logger, clock } = this.#tools;
    const before = this.#failures.get(accountId);
    const attempts = (before?.attempts ?? 0) + 1;
    const backOffMs = Math.min(firstRetryMs * 2 ** (attempts - 1), longestRetryMs);
    const retryInMs = isEngineAway(error) ? awayRetryMs : backOffMs;
    const now = clock.elapsed();
    const reason = reasonOf(error);
    const sinceMs = before?.sinceMs ?? now;
    this.#set(accountId, { error, reason, attempts, sinceMs, retryAtMs: now + retryInMs });
    if (before !== undefined && String(before.error) === String(error)) return;
    logger.error({ accountId, reason, error: String(error), retryInMs }, "account fails");
  }

  recovered(accountId: string): void {
    const failure = this.#failures.get(accountId);
    if (failure === undefined) return;
    this.#set(accountId, null);
    const { reason, attempts, sinceMs } = failure;
    const ms = Math.round(this.#tools.clock.elapsed() - sinceMs);
    this.#tools.logger.info({ accountId, reason, attempts, ms }, "account recovered");
  }

  /** Every account that fails now, by id. */
  list(): readonly FailingAccount[] {
    return [...this.#failures]
      .map(([accountId, { reason }]) => ({ accountId, reason }))
      .toSorted((a, b) => (a.accountId < b.accountId ? -1 : 1));
  }

  #set(accountId: string, failure: Failure | null): void {
    if (failure === null) this.#failures.delete(accountId);
    else this.#failures.set(accountId, failure);
    this.#tools.metrics.failingAccounts.set(this.#failures.size);
  }
}

const faultReasons: Readonly<Record<FactsFault, FailureReason>> = {
  "disk-full": "disk_full",
  unavailable: "facts_unreadable",
  suspect: "facts_unreadable",
  other: "projection_failed",
};

function reasonOf(error: unknown): FailureReason {
  if (error instanceof RecordError) return "record_unreadable";
  if (!(error instanceof FactsError)) return "projection_failed";
  return faultReasons[error.fault];
}

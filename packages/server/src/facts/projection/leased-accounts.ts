import { LeaseLostError, type Leases } from "../../control/leases.ts";
import { PostgresUnavailableError } from "../../platform/postgres.ts";

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

import { addressGroup } from "../../http/callers.ts";
import { ServiceError } from "../../platform/service-error.ts";
import type { CallCounts } from "./call-counts.ts";

/**
 * Throttles addresses whose keys are not found. Lookups of one address run one after another, and
 * each failure is counted before the next begins: concurrent guesses get no additional lookups, and
 * concurrent exchanges of valid keys do not have to wait for a minute.
 */
export class FailedExchangeLimit {
  readonly #counts: Pick<CallCounts, "beginLookup">;
  /** The end of the last lookup in progress, by address. */
  readonly #ends = new Map<string, Promise<unknown>>();

  constructor(counts: Pick<CallCounts, "beginLookup">) {
    this.#counts = counts;
  }

  /**
   * The result of `find` for an address; null counts as a failure, an error does not.
   * @throws ServiceError rate_limited when too many recent lookups of the address failed.
   */
  async lookUp<Found>(address: string, find: () => Promise<Found | null>): Promise<Found | null> {
    const group = addressGroup(address);
    const found = this.#after(this.#ends.get(group), group, find);
    const end = found.catch(() => undefined);
    this.#ends.set(group, end);
    try {
      return await found;
    } finally {
      if (this.#ends.get(group) === end) this.#ends.delete(group);
    }
  }

  async #after<Found>(
    before: Promise<unknown> | undefined,
    group: string,
    find: () => Promise<Found | null>,
  ): Promise<Found | null> {
    await before;
    const { verdict, ended } = await this.#counts.beginLookup(group);
    if (!verdict.allowed) throw tooManyFailures(verdict.retryAfterSeconds);
    let isFailure = false;
    try {
      const found = await find();
      isFailure = found === null;
      return found;
    } finally {
      await ended(!isFailure);
    }
  }
}

function tooManyFailures(retryAfterSeconds: number): ServiceError {
  return new ServiceError(
    "rate_limited",
    "Too many exchanges from this address failed. Check the key before you try again.",
    { headers: { "Retry-After": String(retryAfterSeconds) } },
  );
}

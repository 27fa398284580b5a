import type { Clock } from "../platform/clock.ts";
import { ServiceError } from "../platform/service-error.ts";
import { addressGroup } from "./address-group.ts";
import { RateLimiter } from "./rate-limiter.ts";

/** Failed lookups of one address before it has to wait. */
const rate = { calls: 10, perMs: 60_000, burst: 10 };

/**
 * Throttles addresses whose keys are not found. Lookups of one address run one after another, and
 * each failure is counted before the next begins: concurrent guesses get no additional lookups, and
 * concurrent exchanges of valid keys do not have to wait for a minute.
 */
export class Guesses {
  readonly #failures: RateLimiter;
  /** The end of the last lookup in progress, by address. */
  readonly #ends = new Map<string, Promise<unknown>>();

  constructor(clock: Clock) {
    this.#failures = new RateLimiter(clock);
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
    const { allowed, retryAfterSeconds } = this.#failures.look(group, rate);
    if (!allowed) throw tooManyFailures(retryAfterSeconds);
    const found = await find();
    if (found === null) this.#failures.take(group, rate);
    return found;
  }
}

function tooManyFailures(retryAfterSeconds: number): ServiceError {
  return new ServiceError(
    "rate_limited",
    "Too many exchanges from this address failed. Check the key before you try again.",
    { headers: { "Retry-After": String(retryAfterSeconds) } },
  );
}

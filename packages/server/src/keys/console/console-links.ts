import type { Clock } from "../../platform/clock.ts";
import { hashOfSecret, newSecret } from "../../platform/secrets.ts";

/** Time to copy a link from a terminal into a browser. */
const linkMs = 10 * 60_000;

/**
 * One-time codes that sign in to the console, each for a key. They are in the memory of the serving
 * process, which also creates the links, so none outlives it.
 */
export class ConsoleLinks {
  readonly #clock: Clock;
  /** By the code's SHA-256. */
  readonly #links = new Map<string, { readonly keyId: string; readonly expiresAt: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A new code for a key; valid for ten minutes. */
  create(keyId: string): string {
    const code = newSecret();
    this.#links.set(hashOfSecret(code), { keyId, expiresAt: this.#clock.now() + linkMs });
    return code;
  }

  /** Uses a code up. @returns the id of its key; null: the code is unknown, expired or used. */
  take(code: string): string | null {
    const place = hashOfSecret(code);
    const link = this.#links.get(place);
    this.#links.delete(place);
    return link !== undefined && this.#clock.now() < link.expiresAt ? link.keyId : null;
  }
}

import { hash, randomBytes } from "node:crypto";
import type { Clock } from "../../platform/clock.ts";

/** Time to copy a link from a terminal into a browser. */
const linkMs = 10 * 60_000;
/** 256 bits. */
const codeBytes = 32;

/**
 * Codes that sign in to the console once, each for a key. They are in the memory of the process
 * that serves: what makes a link is part of it, and no link outlives it.
 */
export class ConsoleLinks {
  readonly #clock: Clock;
  /** By the code's SHA-256. */
  readonly #links = new Map<string, { readonly keyId: string; readonly expiresAt: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A new code for a key. */
  create(keyId: string): string {
    const code = randomBytes(codeBytes).toString("base64url");
    this.#links.set(hashOf(code), { keyId, expiresAt: this.#clock.now() + linkMs });
    return code;
  }

  /** The id of the key that a code is for, once; null when it is unknown, expired or was used. */
  take(code: string): string | null {
    const place = hashOf(code);
    const link = this.#links.get(place);
    this.#links.delete(place);
    return link !== undefined && this.#clock.now() < link.expiresAt ? link.keyId : null;
  }
}

function hashOf(code: string): string {
  return hash("sha256", code, "base64");
}

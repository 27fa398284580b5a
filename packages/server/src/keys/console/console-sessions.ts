import { hash, randomBytes } from "node:crypto";
import type { ControlEngine } from "../../control/control-engine.ts";
import type { Clock } from "../../platform/clock.ts";
import { whyFailed } from "../../platform/failed-work.ts";
import type { KeyRing } from "../key-ring.ts";
import type { KeyRecord } from "../key-store.ts";
import {
  addConsoleSession,
  consoleSession,
  endConsoleSession,
  extendConsoleSession,
} from "./console-session-store.ts";

/** A browser that is signed in, and the key that it signed in with. */
export interface ConsoleSession {
  readonly key: KeyRecord;
  /** Milliseconds since 1970, UTC. */
  readonly expiresAt: number;
}

/** A session that was just begun or renewed: the only time that its token is visible. */
export interface GivenConsoleSession extends ConsoleSession {
  /** What the browser keeps. */
  readonly token: string;
}

/** A page that was closed in the evening is still signed in the next morning. */
const idleMs = 12 * 3_600_000;
/** However often it is renewed, a browser signs in again after this time. */
const wholeMs = 7 * 86_400_000;
/** Sessions of one key: those who share it, with several browsers each. Older ones end. */
const sessionsOfKeyMax = 100;
/** 256 bits: unlike a password, its plain SHA-256 cannot be guessed. */
const tokenBytes = 32;

/**
 * Sessions of browsers. They are in control, unlike session tokens: signing out ends one
 * immediately, on every node. A session never does more than its key, and ends with it.
 */
export class ConsoleSessions {
  readonly #control: ControlEngine;
  readonly #keyRing: KeyRing;
  readonly #clock: Clock;
  /** Sessions that ended and could not be deleted, by the hash of their token: their accounts. */
  readonly #ended = new Map<string, string>();

  constructor(control: ControlEngine, keyRing: KeyRing, clock: Clock) {
    this.#control = control;
    this.#keyRing = keyRing;
    this.#clock = clock;
  }

  /** A new session for a verified key. */
  async begin(key: KeyRecord): Promise<GivenConsoleSession> {
    const token = randomBytes(tokenBytes).toString("base64url");
    const startedAt = this.#clock.now();
    const expiresAt = this.#endOf(key, startedAt);
    const { id: keyId, accountId } = key;
    const session = { hash: hashOf(token), accountId, keyId, startedAt, expiresAt };
    await addConsoleSession(this.#control, session, sessionsOfKeyMax);
    return { token, key, expiresAt };
  }

  /** The session of a token; null when it is unknown, of another account, expired or ended. */
  async find(accountId: string, token: string): Promise<ConsoleSession | null> {
    return (await this.#find(accountId, token))?.session ?? null;
  }

  /** The session with a later expiry, or with the same while the disk is full; null as above. */
  async renew(accountId: string, token: string): Promise<GivenConsoleSession | null> {
    const found = await this.#find(accountId, token);
    if (found === null) return null;
    const { key } = found.session;
    const expiresAt = this.#endOf(key, found.startedAt);
    const extend = () => extendConsoleSession(this.#control, accountId, hashOf(token), expiresAt);
    return (await isWritten(extend)) ? { token, key, expiresAt } : { token, ...found.session };
  }

  /** Ends the session of a token, if there is one; while the disk is full, in this process. */
  async end(accountId: string, token: string): Promise<void> {
    if ((await this.find(accountId, token)) === null) return;
    this.#ended.set(hashOf(token), accountId);
    await this.deleteEnded();
  }

  /** To be called often: deletes the sessions that could not be deleted when they ended. */
  async deleteEnded(): Promise<void> {
    for (const [ended, accountId] of this.#ended) {
      if (!(await isWritten(() => endConsoleSession(this.#control, accountId, ended)))) return;
      this.#ended.delete(ended);
    }
  }

  async #find(accountId: string, token: string) {
    if (this.#ended.has(hashOf(token))) return null;
    const record = await consoleSession(this.#control, accountId, hashOf(token));
    if (record === null || this.#clock.now() >= record.expiresAt) return null;
    const key = await this.#keyRing.goodKey(record.keyId);
    if (key?.accountId !== accountId) return null;
    return { session: { key, expiresAt: record.expiresAt }, startedAt: record.startedAt };
  }

  #endOf({ expiresAt }: KeyRecord, startedAt: number): number {
    const keyEnd = expiresAt ?? Number.POSITIVE_INFINITY;
    return Math.min(this.#clock.now() + idleMs, startedAt + wholeMs, keyEnd);
  }
}

/** Whether there was space for a change. @throws what the change throws else. */
async function isWritten(change: () => Promise<void>): Promise<boolean> {
  try {
    await change();
    return true;
  } catch (error) {
    if (whyFailed(error) === "disk-full") return false;
    throw error;
  }
}

function hashOf(token: string): string {
  return hash("sha256", token, "base64");
}

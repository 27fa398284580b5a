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

/** A valid session of a browser, and the API key that it signed in with. */
export interface ConsoleSession {
  readonly key: KeyRecord;
  /** Milliseconds since 1970, UTC. */
  readonly expiresAt: number;
}

/** A new or renewed session with its token, which is visible only now. */
export interface GivenConsoleSession extends ConsoleSession {
  /** The value of the browser's cookie. */
  readonly token: string;
}

/** A page closed in the evening is still signed in the next morning. */
const idleMs = 12 * 3_600_000;
/** However often it is renewed, a session ends after this time. */
const wholeMs = 7 * 86_400_000;
/** Sessions of one key, which several people with several browsers share. Older ones end. */
const sessionsOfKeyMax = 100;
/** 256 bits: unlike that of a password, its plain SHA-256 cannot be inverted. */
const tokenBytes = 32;

/**
 * Sessions of browsers. Unlike session tokens they are stored in control: signing out ends one
 * immediately on every node. A session never does more than its key, and ends with it.
 */
export class ConsoleSessions {
  readonly #control: ControlEngine;
  readonly #keyRing: KeyRing;
  readonly #clock: Clock;
  /** Ended sessions that could not be deleted yet: token hash → account id. */
  readonly #ended = new Map<string, string>();

  constructor(control: ControlEngine, keyRing: KeyRing, clock: Clock) {
    this.#control = control;
    this.#keyRing = keyRing;
    this.#clock = clock;
  }

  /** Creates a session for a verified key. */
  async begin(key: KeyRecord): Promise<GivenConsoleSession> {
    const token = randomBytes(tokenBytes).toString("base64url");
    const startedAt = this.#clock.now();
    const expiresAt = this.#endOf(key, startedAt);
    const { id: keyId, accountId } = key;
    const session = { hash: hashOf(token), accountId, keyId, startedAt, expiresAt };
    await addConsoleSession(this.#control, session, sessionsOfKeyMax);
    return { token, key, expiresAt };
  }

  /** The session of a token; null when it is unknown, expired, ended or of another account. */
  async find(accountId: string, token: string): Promise<ConsoleSession | null> {
    return (await this.#find(accountId, token))?.session ?? null;
  }

  /** Extends a session; while the disk is full, its expiry stays. @returns null as `find`. */
  async renew(accountId: string, token: string): Promise<GivenConsoleSession | null> {
    const found = await this.#find(accountId, token);
    if (found === null) return null;
    const { key } = found.session;
    const expiresAt = this.#endOf(key, found.startedAt);
    const extend = () => extendConsoleSession(this.#control, accountId, hashOf(token), expiresAt);
    return (await isWritten(extend)) ? { token, key, expiresAt } : { token, ...found.session };
  }

  /** Ends the session of a token if it exists; while the disk is full, only in this process. */
  async end(accountId: string, token: string): Promise<void> {
    if ((await this.find(accountId, token)) === null) return;
    this.#ended.set(hashOf(token), accountId);
    await this.deleteEnded();
  }

  /** Retries the deletion of ended sessions; call it often. */
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

/** Whether there was disk space for a change. @throws other errors of the change. */
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

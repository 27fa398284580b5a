import type { ControlEngine } from "../../control/control-engine.ts";
import type { Clock } from "../../platform/clock.ts";
import { isWritten } from "../../platform/failed-work.ts";
import { hashOfSecret, newSecret } from "../../platform/secrets.ts";
import type { KeyRing } from "../key-ring.ts";
import type { KeyRecord } from "../key-store.ts";
import { endOfBrowserSession } from "../session-life.ts";
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

/** Sessions of one key, which several people with several browsers share. Older ones end. */
const sessionsOfKeyMax = 100;

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
    const token = newSecret();
    const startedAt = this.#clock.now();
    const expiresAt = this.#endOf(key, startedAt);
    const { id: keyId, accountId } = key;
    const session = { hash: hashOfSecret(token), accountId, keyId, startedAt, expiresAt };
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
    const extend = () =>
      extendConsoleSession(this.#control, accountId, hashOfSecret(token), expiresAt);
    return (await isWritten(extend)) ? { token, key, expiresAt } : { token, ...found.session };
  }

  /** Ends the session of a token if it exists; while the disk is full, only in this process. */
  async end(accountId: string, token: string): Promise<void> {
    if ((await this.find(accountId, token)) === null) return;
    this.#ended.set(hashOfSecret(token), accountId);
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
    if (this.#ended.has(hashOfSecret(token))) return null;
    const record = await consoleSession(this.#control, accountId, hashOfSecret(token));
    if (record === null || this.#clock.now() >= record.expiresAt) return null;
    const key = await this.#keyRing.goodKey(record.keyId);
    if (key?.accountId !== accountId) return null;
    return { session: { key, expiresAt: record.expiresAt }, startedAt: record.startedAt };
  }

  #endOf({ expiresAt }: KeyRecord, startedAt: number): number {
    const keyEnd = expiresAt ?? Number.POSITIVE_INFINITY;
    return Math.min(endOfBrowserSession(startedAt, this.#clock.now()), keyEnd);
  }
}

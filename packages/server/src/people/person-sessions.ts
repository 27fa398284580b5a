import { type ControlEngine, withinTransaction } from "../control/control-engine.ts";
import { endOfBrowserSession } from "../keys/session-life.ts";
import type { Clock } from "../platform/clock.ts";
import { isWritten } from "../platform/failed-work.ts";
import { hashOfSecret, newSecret } from "../platform/secrets.ts";
import { lockedPerson } from "./person-store.ts";

/** A valid session of a person's browser. */
export interface PersonSession {
  readonly personId: string;
  /** Milliseconds since 1970, UTC. */
  readonly expiresAt: number;
}

/** A new or renewed session with its token, which is visible only now. */
export interface GivenPersonSession extends PersonSession {
  /** The value of the browser's cookie. */
  readonly token: string;
}

/** Sessions of one person, who has several browsers. Older ones end. */
const sessionsMax = 100;

/**
 * Sessions of people's browsers, stored in control: one signs in to all accounts of its person, and
 * what it may do there is looked up with each call.
 */
export class PersonSessions {
  readonly #control: ControlEngine;
  readonly #clock: Clock;
  /** Hashes of ended sessions that could not be deleted yet. */
  readonly #ended = new Set<string>();

  constructor(control: ControlEngine, clock: Clock) {
    this.#control = control;
    this.#clock = clock;
  }

  /**
   * Creates a session for a person who proved to be that.
   * @param engine control, or a transaction that it is to be part of.
   * @returns null: the person was removed meanwhile.
   */
  begin(
    personId: string,
    engine: ControlEngine = this.#control,
  ): Promise<GivenPersonSession | null> {
    const token = newSecret();
    const startedAt = this.#clock.now();
    const expiresAt = endOfBrowserSession(startedAt, startedAt);
    return withinTransaction(engine, async (within) => {
      if ((await lockedPerson(within, personId)) === null) return null;
      const row = { hash: hashOfSecret(token), person_id: personId };
      await within.database
        .insertInto("person_sessions")
        .values({ ...row, started_at: startedAt, expires_at: expiresAt })
        .execute();
      await endOldest(within, personId, startedAt);
      return { token, personId, expiresAt };
    });
  }

  /** The session of a token; null when it is unknown, expired or ended. */
  async find(token: string): Promise<PersonSession | null> {
    return (await this.#find(token))?.session ?? null;
  }

  /** Extends a session; while the disk is full, its expiry stays. @returns null as `find`. */
  async renew(token: string): Promise<GivenPersonSession | null> {
    const found = await this.#find(token);
    if (found === null) return null;
    const expiresAt = endOfBrowserSession(found.startedAt, this.#clock.now());
    const extend = async () => {
      await this.#sessions
        .updateTable("person_sessions")
        .set({ expires_at: expiresAt })
        .where("hash", "=", hashOfSecret(token))
        .execute();
    };
    const session = { ...found.session, token };
    return (await isWritten(extend)) ? { ...session, expiresAt } : session;
  }

  /** Ends the session of a token if it exists; while the disk is full, only in this process. */
  async end(token: string): Promise<void> {
    if ((await this.find(token)) === null) return;
    this.#ended.add(hashOfSecret(token));
    await this.deleteEnded();
  }

  /** Retries the deletion of ended sessions; call it often. */
  async deleteEnded(): Promise<void> {
    for (const ended of this.#ended) {
      const remove = async () => {
        await this.#sessions.deleteFrom("person_sessions").where("hash", "=", ended).execute();
      };
      if (!(await isWritten(remove))) return;
      this.#ended.delete(ended);
    }
  }

  get #sessions() {
    return this.#control.database;
  }

  async #find(token: string) {
    const hash = hashOfSecret(token);
    if (this.#ended.has(hash)) return null;
    const row = await this.#sessions
      .selectFrom("person_sessions")
      .selectAll()
      .where("hash", "=", hash)
      .executeTakeFirst();
    if (row === undefined || this.#clock.now() >= row.expires_at) return null;
    const session = { personId: row.person_id, expiresAt: row.expires_at };
    return { session, startedAt: row.started_at };
  }
}

async function endOldest(
  { database }: Pick<ControlEngine, "database">,
  personId: string,
  now: number,
): Promise<void> {
  const latest = database
    .selectFrom("person_sessions")
    .select("hash")
    .where("person_id", "=", personId)
    .where("expires_at", ">", now)
    .orderBy("started_at", "desc")
    .orderBy("hash")
    .limit(sessionsMax);
  await database
    .deleteFrom("person_sessions")
    .where("person_id", "=", personId)
    .where("hash", "not in", latest)
    .execute();
}

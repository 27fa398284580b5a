import type { ControlEngine } from "../control/control-engine.ts";
import { trustOf } from "../http/callers.ts";
import { cookiesNamed, type GivenCookie, givenCookie } from "../keys/console/session-cookie.ts";
import type {
  ConsoleRequest,
  PersonInAccount,
  SignedInPeople,
} from "../keys/console/signed-in-people.ts";
import type { Clock } from "../platform/clock.ts";
import { callerOfMember, type MemberDirectory } from "./member-directory.ts";
import type { GivenPersonSession, PersonSession, PersonSessions } from "./person-sessions.ts";
import { type Person, personByEmail, personById } from "./person-store.ts";

/** What people are found with. */
interface SignedInPeopleTools {
  readonly control: ControlEngine;
  readonly directory: MemberDirectory;
  readonly sessions: PersonSessions;
  readonly clock: Clock;
  readonly config: {
    /** The header field in which a trusted proxy names the person; null: none does. */
    readonly personHeader: string | null;
    readonly trustedProxies: readonly string[];
  };
}

/** What a browser is told of its session. */
export interface BegunSession {
  /** The Set-Cookie field. */
  readonly cookie: string;
  /** Milliseconds since 1970, UTC. */
  readonly expiresAt: number;
}

/** The cookie of a person's session, for all accounts. */
const personCookie = { name: "sightline-person", path: "/console/" } as const;

/** People who ask: a person with a session of their own, or one whom a proxy names. */
export class PeopleAtConsole implements SignedInPeople {
  readonly #tools: SignedInPeopleTools;
  readonly #isTrusted: (address: string) => boolean;

  constructor(tools: SignedInPeopleTools) {
    this.#tools = tools;
    this.#isTrusted = trustOf(tools.config.trustedProxies);
  }

  /**
   * The e-mail address of which a trusted proxy says that it is the person's, in lower case; null:
   * none says so. The field of anybody else is not looked at.
   */
  emailByProxy({ headers, socket }: Pick<ConsoleRequest, "headers" | "socket">): string | null {
    const { personHeader } = this.#tools.config;
    if (personHeader === null || !this.#isTrusted(socket.remoteAddress ?? "")) return null;
    const email = headers[personHeader.toLowerCase()];
    return typeof email === "string" && email !== "" ? email.trim().toLowerCase() : null;
  }

  /** The person who asks, and until when; null: nobody is signed in. */
  async personOf(
    request: ConsoleRequest,
  ): Promise<{ readonly person: Person; readonly expiresAt: number | null } | null> {
    const { control } = this.#tools;
    const email = this.emailByProxy(request);
    if (email !== null) {
      const person = await personByEmail(control, email);
      // One who is not confirmed may be somebody else, who joined under this address.
      return person?.confirmedAt == null ? null : { person, expiresAt: null };
    }
    const found = await this.#session(request);
    const person = found === null ? null : await personById(control, found.session.personId);
    return person === null || found === null
      ? null
      : { person, expiresAt: found.session.expiresAt };
  }

  async find(request: ConsoleRequest, accountId: string): Promise<PersonInAccount | null> {
    const { directory, clock } = this.#tools;
    const byProxy = this.emailByProxy(request) !== null;
    const signedIn = byProxy ? await this.personOf(request) : null;
    const session = byProxy ? null : ((await this.#session(request))?.session ?? null);
    const personId = signedIn?.person.id ?? session?.personId;
    if (personId === undefined) return null;
    const member = await directory.find(accountId, personId);
    if (member === null) return null;
    await directory.noteSeen(member, clock.now());
    const { id, name, email, role } = member;
    return {
      caller: callerOfMember(member),
      person: { id, name, email, role },
      expiresAt: session?.expiresAt ?? null,
    };
  }

  /**
   * Signs a browser in.
   * @param engine control, or a transaction that the session is to be part of.
   * @returns null: the person was removed meanwhile.
   */
  async begin(
    personId: string,
    isSecure: boolean,
    engine: ControlEngine = this.#tools.control,
  ): Promise<BegunSession | null> {
    const session = await this.#tools.sessions.begin(personId, engine);
    if (session === null) return null;
    return { cookie: this.#cookieOf(session, isSecure), expiresAt: session.expiresAt };
  }

  /** Retries the deletion of ended sessions, and removals of people; call it often. */
  async writeEnded(): Promise<void> {
    const { sessions, directory, clock } = this.#tools;
    await sessions.deleteEnded();
    await directory.writeRemovals(clock.now());
  }

  async renew(request: ConsoleRequest, isSecure: boolean) {
    const found = await this.#session(request);
    if (found === null) return null;
    const session = await this.#tools.sessions.renew(found.token);
    if (session === null) return null;
    return { cookie: this.#cookieOf(session, isSecure), expiresAt: session.expiresAt };
  }

  async end({ headers }: ConsoleRequest, isSecure: boolean): Promise<string | null> {
    const tokens = cookiesNamed(headers, personCookie.name);
    if (tokens.length === 0) return null;
    for (const token of tokens) await this.#tools.sessions.end(token);
    return givenCookie({ ...personCookie, token: "", maxAgeSeconds: 0, isSecure });
  }

  async #session({
    headers,
  }: ConsoleRequest): Promise<{ session: PersonSession; token: string } | null> {
    for (const token of cookiesNamed(headers, personCookie.name)) {
      const session = await this.#tools.sessions.find(token);
      if (session !== null) return { session, token };
    }
    return null;
  }

  #cookieOf({ token, expiresAt }: GivenPersonSession, isSecure: boolean): string {
    const maxAgeSeconds = Math.floor((expiresAt - this.#tools.clock.now()) / 1_000);
    const cookie: GivenCookie = { ...personCookie, token, maxAgeSeconds, isSecure };
    return givenCookie(cookie);
  }
}

import { type Clock, systemClock } from "./clock.ts";
import { InvalidOptionError } from "./errors.ts";

/** The part of `fetch` that the client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** What every client is made with. */
interface SharedOptions {
  /** Where the service is, such as `https://sightline.example.com`; a path before /v1 is kept. */
  readonly baseUrl: string;
  /** Sends requests in place of the global `fetch`: through a proxy, say, or with tracing. */
  readonly fetch?: Fetch | undefined;
  /** The most milliseconds that one call may take, waits and retries included. 30,000. */
  readonly timeoutMs?: number | undefined;
  /** The most times that one call is sent again after a failure that may pass. 4. */
  readonly retriesMax?: number | undefined;
  /** For tests: time and chance. */
  readonly clock?: Clock | undefined;
}

/** What a client is made with: a static key, or a session that somebody else exchanged. */
export type SightlineOptions = SharedOptions &
  (
    | {
        /** The static key. It is sent to the exchange alone. */
        readonly key: string;
        readonly session?: undefined;
      }
    | {
        /**
         * A session token, which is used until the service refuses it; that 401 is thrown. Or what
         * gives one, such as a call of a server of your own that holds the key: it is asked when an
         * exchange would be made, must end by itself, and what it throws is thrown.
         */
        readonly session: string | (() => Promise<string>);
        readonly key?: undefined;
      }
  );

/** What a single call may be given. */
export interface CallOptions {
  /** Ends the call, its waits too; it then rejects with the signal's reason, as `fetch` does. */
  readonly signal?: AbortSignal | undefined;
  /** In place of the client's own. */
  readonly timeoutMs?: number | undefined;
}

/** Options with all defaults, checked. */
export interface Settings {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly key: string | undefined;
  readonly session: string | (() => Promise<string>) | undefined;
  readonly fetch: Fetch;
  readonly timeoutMs: number;
  readonly retriesMax: number;
  readonly clock: Clock;
}

/** The longest timer, a 32-bit number. A longer one would fire immediately. */
const timerMsMax = 2 ** 31 - 1;

/** Checks options. @throws InvalidOptionError, whose text shows neither key nor session. */
export function readOptions(options: SightlineOptions): Settings {
  const { key, session, fetch, retriesMax = 4, clock = systemClock } = options;
  if ((key === undefined) === (session === undefined)) {
    throw new InvalidOptionError("Give either key or session, and not both.");
  }
  if (!Number.isInteger(retriesMax) || retriesMax < 0) {
    throw new InvalidOptionError(`retriesMax must be an integer of at least 0, got ${retriesMax}.`);
  }
  return {
    baseUrl: readBaseUrl(options.baseUrl),
    key: key === undefined ? undefined : readSecret("key", key),
    session: typeof session === "string" ? readSecret("session", session) : session,
    // Looked up at each call, and called as a function: a browser's fetch fails as a method.
    fetch: fetch ?? ((url, init) => globalThis.fetch(url, init)),
    timeoutMs: readTimeout(options.timeoutMs ?? 30_000),
    retriesMax,
    clock,
  };
}

/** Checks a time-out in milliseconds. @throws InvalidOptionError */
export function readTimeout(timeoutMs: number): number {
  if (timeoutMs > 0 && timeoutMs <= timerMsMax) return timeoutMs;
  throw new InvalidOptionError(
    `timeoutMs must be above 0 and at most ${timerMsMax}, got ${timeoutMs}.`,
  );
}

function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  if (url === null || !isWeb || `${url.username}${url.password}${url.search}${url.hash}` !== "") {
    throw new InvalidOptionError(
      "Invalid baseUrl. Use http or https, a host and an optional port and path, such as " +
        "https://sightline.example.com, without user, query or fragment.",
    );
  }
  return url.href.replace(/\/+$/, "");
}

/** Checks a key or a session: `fetch` shows the whole header field when it refuses one. */
export function readSecret(name: "key" | "session", text: string): string {
  if (typeof text === "string" && /^[\x21-\x7e]+$/.test(text)) return text;
  throw new InvalidOptionError(
    `${name} is empty, or has a space, a line break or another character that no ${name} has. ` +
      "Was it read from a file with its line break?",
  );
}

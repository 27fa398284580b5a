import { type Clock, systemClock } from "./clock.ts";
import { InvalidOptionError } from "./errors.ts";

/** The part of `fetch` that the client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** What every client is made with. */
interface SharedOptions {
  /**
   * Where the service is, such as `https://sightline.example.com`; a path before /v1 is kept. With
   * the session `"cookie"` it may be relative to the page's own address.
   */
  readonly baseUrl: string;
  /** Sends requests in place of the global `fetch`: through a proxy, say, or with tracing. */
  readonly fetch?: Fetch | undefined;
  /** The most milliseconds that one call may take, waits and retries included. 30,000. */
  readonly timeoutMs?: number | undefined;
  /** The maximum number of retries of a call after a temporary failure. 4 by default. */
  readonly retriesMax?: number | undefined;
  /** For tests: time and randomness. */
  readonly clock?: Clock | undefined;
}

/** The options of a client: a static key, or a session that was exchanged elsewhere. */
export type SightlineOptions = SharedOptions &
  (
    | {
        /** The static key. It is sent only to the exchange. */
        readonly key: string;
        readonly session?: undefined;
      }
    | {
        /**
         * A session token, which is used until the service rejects it; that 401 is thrown. Or a
         * function that returns one, such as a call of your own server that holds the key: it is
         * called whenever an exchange would be made, must end by itself, and its errors are thrown.
         * Or `"cookie"`, in pages of the service itself: the session of a browser in the console,
         * whose `baseUrl` is /console/accounts/{accountId}. When it has ended, the 401 is thrown.
         */
        readonly session: string | (() => Promise<string>);
        readonly key?: undefined;
      }
  );

/** The options of a single call. */
export interface CallOptions {
  /**
   * Cancels the call, including its waits; it then rejects with the signal's reason, as `fetch`
   * does.
   */
  readonly signal?: AbortSignal | undefined;
  /** Instead of the client's own. */
  readonly timeoutMs?: number | undefined;
}

/** Validated options with all defaults. */
export interface Settings {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly key: string | undefined;
  readonly session: string | (() => Promise<string>) | undefined;
  readonly fetch: Fetch;
  readonly timeoutMs: number;
  readonly retriesMax: number;
  readonly clock: Clock;
}

/** In the place of a session: the browser has it in a cookie, and no script can read it. */
export const cookieSession = "cookie";

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
    baseUrl: readBaseUrl(options.baseUrl, session === cookieSession ? pageAddress() : undefined),
    key: key === undefined ? undefined : readSecret("key", key),
    session: typeof session === "string" ? readSecret("session", session) : session,
    // Looked up at each call, and called as a function: a browser's fetch fails as a method.
    fetch: fetch ?? ((url, init) => globalThis.fetch(url, init)),
    timeoutMs: readTimeout(options.timeoutMs ?? 30_000),
    retriesMax,
    clock,
  };
}

/**
 * Validates a timeout in milliseconds.
 * @throws InvalidOptionError
 */
export function readTimeout(timeoutMs: number): number {
  if (timeoutMs > 0 && timeoutMs <= timerMsMax) return timeoutMs;
  throw new InvalidOptionError(
    `timeoutMs must be above 0 and at most ${timerMsMax}, got ${timeoutMs}.`,
  );
}

/** The address of the page that runs this; undefined outside browsers. */
function pageAddress(): string | undefined {
  return (globalThis as { readonly location?: { readonly href: string } }).location?.href;
}

function readBaseUrl(text: string, page: string | undefined): string {
  const url = URL.canParse(text, page) ? new URL(text, page) : null;
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  if (url === null || !isWeb || `${url.username}${url.password}${url.search}${url.hash}` !== "") {
    throw new InvalidOptionError(
      "Invalid baseUrl. Use http or https, a host and an optional port and path, such as " +
        "https://sightline.example.com, without user, query or fragment.",
    );
  }
  return url.href.replace(/\/+$/, "");
}

/** Validates a key or a session: `fetch` would show the whole header field in its error. */
export function readSecret(name: "key" | "session", text: string): string {
  if (typeof text === "string" && /^[\x21-\x7e]+$/.test(text)) return text;
  throw new InvalidOptionError(
    `${name} is empty, or has a space, a line break or another character that no ${name} has. ` +
      "Was it read from a file with its line break?",
  );
}

import { backoffMs } from "./backoff.ts";
import { type Credentials, exchangedSessions, fixedToken } from "./credentials.ts";
import { type Deadline, startDeadline } from "./deadline.ts";
import { ApiError, TimeoutError, UnexpectedReplyError } from "./errors.ts";
import { type CallOptions, readTimeout, type Settings } from "./options.ts";
import { objectOf } from "./refusal.ts";
import { retriable } from "./retriable.ts";
import { send } from "./send.ts";
import { unlessAborted, wait } from "./wait.ts";

/** What is asked for. */
export interface Call {
  readonly method: "GET" | "POST";
  /** Below the base address, such as /v1/workspace. */
  readonly path: string;
  /** JSON; undefined: none. */
  readonly body?: string;
}

/** Makes calls with a session, and with everything that a call needs besides. */
export type Caller = (call: Call, options?: CallOptions) => Promise<unknown>;

/** A caller with these settings. */
export function createCaller(settings: Settings): Caller {
  const { key, session, clock } = settings;
  const exchange = async (): Promise<string> => {
    // Of no single caller: that one of them leaves must not end it for the others.
    const call = { method: "POST", path: "/v1/auth/accesskey/exchange" } as const;
    const reply = await called(settings, call, { credentials: fixedToken(key ?? "") });
    const jwt = objectOf(reply)["sessionJwt"];
    if (typeof jwt === "string" && /^[\x21-\x7e]+$/.test(jwt)) return jwt;
    throw new UnexpectedReplyError(`${settings.baseUrl}${call.path} gave no session.`);
  };
  const credentials =
    session === undefined ? exchangedSessions(exchange, clock) : fixedToken(session);
  return (call, options = {}) => called(settings, call, { ...options, credentials });
}

/** Gives a call its deadline. */
async function called(
  settings: Settings,
  call: Call,
  { credentials, signal, timeoutMs }: CallOptions & { readonly credentials: Credentials },
): Promise<unknown> {
  const { clock } = settings;
  const time = readTimeout(timeoutMs ?? settings.timeoutMs);
  const deadline = startDeadline({ timeoutMs: time, signal, clock });
  try {
    return await answered(settings, call, { credentials, deadline });
  } finally {
    deadline.end();
  }
}

/** Sends until there is a reply, a failure that does not pass, or no time left for another try. */
async function answered(
  { baseUrl, fetch, retriesMax, clock }: Settings,
  { method, path, body }: Call,
  { credentials, deadline }: { readonly credentials: Credentials; readonly deadline: Deadline },
): Promise<unknown> {
  const { signal } = deadline;
  const url = `${baseUrl}${path}`;
  let failure: unknown;
  let renewed = false;
  for (let retries = 0; ; ) {
    const token = await unlessAborted(credentials.token(), signal);
    try {
      return await send(fetch, { method, url, token, body, signal });
    } catch (error) {
      if (error instanceof TimeoutError) error.cause = failure;
      failure = error;
    }
    const refusal = failure instanceof ApiError ? failure : undefined;
    if (refusal?.status === 401) {
      if (!credentials.renew(token) || renewed) throw failure;
      renewed = true;
      continue;
    }
    if (retries >= retriesMax || !retriable(failure, retries)) throw failure;
    const pauseMs = backoffMs(retries, refusal?.retryAfter, clock.random());
    if (pauseMs >= deadline.remainingMs()) throw failure;
    await wait(pauseMs, clock, signal);
    retries++;
  }
}

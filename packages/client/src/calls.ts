import type { Clock } from "./clock.ts";
import { type Credentials, exchangedSessions, fixedToken } from "./credentials.ts";
import {
  ApiError,
  ConnectionError,
  QuotaExhaustedError,
  TimeoutError,
  UnexpectedReplyError,
} from "./errors.ts";
import { type CallOptions, readTimeout, type Settings } from "./options.ts";
import { createPace, type Pace } from "./pace.ts";
import { objectOf } from "./refusal.ts";
import { type Call, send, type TaggedReply } from "./send.ts";
import { unlessAborted, wait } from "./wait.ts";

/** Makes calls with a session, including deadline, pace and retries. */
export type Caller = (call: Call, options?: CallOptions) => Promise<unknown>;
/** The same, with the reply's entity tag. */
export type TaggedCaller = (call: Call, options?: CallOptions) => Promise<TaggedReply>;

/** A caller with these settings. */
export function createCaller(settings: Settings): TaggedCaller {
  const { session, clock } = settings;
  const credentials =
    typeof session === "string"
      ? fixedToken(session)
      : exchangedSessions(session ?? (() => exchange(settings)), clock);
  const pace = createPace(clock);
  return (call, options = {}) => called(settings, call, { ...options, credentials, pace });
}

/** Calls whose replies' entity tags are not wanted. */
export function untagged(call: TaggedCaller): Caller {
  return async (...parameters) => (await call(...parameters)).document;
}

/** Exchanges the key. Callers share it: one that leaves must not cancel it for the others. */
async function exchange(settings: Settings): Promise<string> {
  const { key = "", baseUrl, clock } = settings;
  const call = { method: "POST", path: "/v1/auth/accesskey/exchange" } as const;
  const means = { credentials: fixedToken(key), pace: createPace(clock) };
  const { document } = await called(settings, call, means);
  const jwt = objectOf(document)["sessionJwt"];
  if (typeof jwt === "string") return jwt;
  throw new UnexpectedReplyError(`${baseUrl}${call.path} gave no session.`);
}

/** State shared by the calls of a client. */
interface Means {
  readonly credentials: Credentials;
  readonly pace: Pace;
}

/** Gives a call its deadline. */
async function called(
  settings: Settings,
  call: Call,
  { credentials, pace, signal, timeoutMs }: CallOptions & Means,
): Promise<TaggedReply> {
  const { clock } = settings;
  const time = readTimeout(timeoutMs ?? settings.timeoutMs);
  const deadline = startDeadline({ timeoutMs: time, signal, clock });
  try {
    return await answered(settings, call, { credentials, pace, deadline });
  } finally {
    deadline.end();
  }
}

const removedBefore: TaggedReply = { document: {}, etag: null };

/** Sends until there is a reply, a permanent failure, or no time left for another attempt. */
async function answered(
  settings: Settings,
  call: Call,
  { credentials, pace, deadline }: Means & { readonly deadline: Deadline },
): Promise<TaggedReply> {
  const { signal } = deadline;
  signal.throwIfAborted();
  let renewed = false;
  let mayBeDone = false;
  for (let retries = 0; ; ) {
    // Before taking a slot: if no session is available, all waiting calls fail together.
    await unlessAborted(credentials.ready(), signal);
    await pace.enter(signal);
    const token = credentials.token();
    let pauseMs = 0;
    try {
      if (token === null) continue; // it expired, or was rejected, while this call waited
      const reply = await send(settings, call, { token, signal });
      pace.replied();
      return reply;
    } catch (error) {
      deadline.failed(error);
      const refused = error instanceof ApiError ? error : undefined;
      if (call.isRemoval && mayBeDone && refused?.status === 404) return removedBefore;
      if (refused?.status === 401 && token !== null) {
        if (!credentials.renew(token) || renewed) throw error;
        renewed = true;
        continue;
      }
      pauseMs = backoffMs(retries, refused?.retryAfter, settings.clock.random());
      const again = retries < settings.retriesMax && retriable(error, retries, call);
      if (!again || pauseMs >= deadline.remainingMs()) throw error;
      mayBeDone ||= refused?.status !== 429; // which is refused before any work
      if (refused?.retryAfter !== undefined) pace.holdBack(refused.retryAfter * 1_000);
    } finally {
      pace.leave();
    }
    await wait(pauseMs, settings.clock, signal);
    retries++;
  }
}

/** The maximum wait before the first retry; it doubles with each further one. */
export const firstBackoffMs = 500;
/** The maximum wait before any retry, unless the service says otherwise. */
export const backoffMsMax = 8_000;

/**
 * The wait before a retry, in whole milliseconds, as timers count: as long as the service said,
 * plus a random time up to a bound that doubles with each retry ("full jitter": callers that failed
 * together do not return together). `retries` counts those already made; `random` is from 0 to 1.
 */
export function backoffMs(
  retries: number,
  retryAfterSeconds: number | undefined,
  random: number,
): number {
  const bound = Math.min(backoffMsMax, firstBackoffMs * 2 ** retries);
  return (retryAfterSeconds ?? 0) * 1_000 + Math.ceil(random * bound);
}

/** Statuses of temporary states: the service's own 408, 429 and 503, and a proxy's 502 and 504. */
const passing: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);

/**
 * Whether a call may be retried after this failure. Most calls read, or change something to what it
 * already is when they are repeated: a call that may have arrived is harmless. An internal error of
 * the service (500) may be worth one retry, as its error page says; a daily quota is not restored
 * by retrying. A call that must not be done twice is only retried when it was refused before any
 * work.
 */
function retriable(error: unknown, retries: number, { isOnce = false }: Call): boolean {
  if (error instanceof QuotaExhaustedError) return false;
  if (isOnce) return error instanceof ApiError && error.status === 429;
  if (error instanceof ConnectionError) return true;
  if (!(error instanceof ApiError)) return false;
  return passing.has(error.status) || (error.status === 500 && retries === 0);
}

/** What ends a call before its reply: its time limit, and the caller. */
interface Deadline {
  /** Aborted with a TimeoutError when time is over, or with the reason of the caller's signal. */
  readonly signal: AbortSignal;
  readonly remainingMs: () => number;
  /** Records a failure that is retried, so that a timeout can report its cause. */
  readonly failed: (failure: unknown) => void;
  /** Call it when the call is over: it releases the timer and the caller's signal. */
  readonly end: () => void;
}

/** The parts of a deadline. */
interface DeadlineOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly clock: Clock;
}

/**
 * Starts a deadline. (Node 20.0 has no AbortSignal.any, and AbortSignal.timeout keeps its timer.)
 */
function startDeadline({ timeoutMs, signal, clock }: DeadlineOptions): Deadline {
  const controller = new AbortController();
  const stop = (): void => controller.abort(signal?.reason);
  const endMs = clock.elapsed() + timeoutMs;
  let cause: unknown;
  const callOff = clock.after(timeoutMs, () => {
    controller.abort(new TimeoutError(timeoutMs, cause));
  });
  if (signal?.aborted === true) stop();
  signal?.addEventListener("abort", stop, { once: true });
  return {
    signal: controller.signal,
    remainingMs: () => endMs - clock.elapsed(),
    failed: (failure) => {
      cause = failure;
    },
    end: () => {
      callOff();
      signal?.removeEventListener("abort", stop);
    },
  };
}

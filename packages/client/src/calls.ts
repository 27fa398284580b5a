import { backoffMs } from "./backoff.ts";
import { type Credentials, exchangedSessions, fixedToken } from "./credentials.ts";
import { type Deadline, startDeadline } from "./deadline.ts";
import { ApiError, UnexpectedReplyError } from "./errors.ts";
import { type CallOptions, readTimeout, type Settings } from "./options.ts";
import { createPace, type Pace } from "./pace.ts";
import { objectOf } from "./refusal.ts";
import { retriable } from "./retriable.ts";
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

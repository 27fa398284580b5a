import type { Redis } from "ioredis";
import { type EngineState, hostOf } from "../../../platform/engine-state.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { Script } from "./scripts.ts";

/** Redis did not answer in time. */
export class RedisAwayError extends Error {
  constructor(cause?: unknown) {
    super(cause instanceof Error ? cause.message : "Redis is away", { cause });
    this.name = "RedisAwayError";
  }
}

/** Options of the connection to Redis. */
interface RedisLinkOptions {
  readonly url: string;
  /** The timeout of a command; a slower Redis counts as unreachable. Omitted: 100 ms. */
  readonly answerMs?: number;
  readonly logger: Pick<Logger, "info" | "warn">;
  /** Called with whether Redis answers, at the beginning and after each change. */
  readonly onChange: (isUp: boolean) => void;
}

/** The keys and arguments of a script. */
interface ScriptCall {
  readonly keys: readonly string[];
  readonly values: readonly number[];
}

const answerMsUnlessSaid = 100;
/** The timeout of connecting, with TLS and password. */
const connectMs = 1_000;
const betweenAttemptsMs = 500;
/** Writes and deletes a key. A full Redis or a replica answers a ping, but counts nothing. */
const writes = 'redis.call("SET", KEYS[1], 1) return redis.call("DEL", KEYS[1])';

/**
 * The connection to Redis. After a missing, late or failed answer the link is down: every call
 * fails immediately until a new connection answers. Commands are never queued or sent twice: a call
 * must not count after it was answered.
 */
export class RedisLink {
  readonly #options: RedisLinkOptions;
  readonly #name: string;
  readonly #answerMs: number;
  /** Null: down. */
  #redis: Redis | null = null;
  /** The last reported state; null: none. */
  #saidUp: boolean | null = null;
  #nextAttempt: NodeJS.Timeout | null = null;
  #isClosed = false;

  private constructor(options: RedisLinkOptions) {
    this.#options = options;
    this.#answerMs = options.answerMs ?? answerMsUnlessSaid;
    const { hostname, port } = new URL(options.url);
    this.#name = `${hostname}:${port || "6379"}`; // without the password
  }

  /** Connects to Redis. When that fails, the link is down and reconnects in the background. */
  static async open(options: RedisLinkOptions): Promise<RedisLink> {
    const link = new RedisLink(options);
    await link.#attempt();
    return link;
  }

  /** Whether calls are sent to Redis. */
  get isUp(): boolean {
    return this.#redis !== null;
  }

  /** Runs a script. @returns its reply, all integers. @throws RedisAwayError. */
  async run(script: Script, call: ScriptCall): Promise<readonly number[]> {
    const redis = this.#redis;
    if (redis === null) throw new RedisAwayError();
    try {
      return integersOf(await within(this.#answerMs, evaluate(redis, script, call)));
    } catch (error) {
      this.#lost(redis, error);
      throw new RedisAwayError(error);
    }
  }

  /** Pings Redis, so that an idle node also notices an outage. */
  async check(): Promise<void> {
    const redis = this.#redis;
    if (redis === null) return;
    try {
      await within(this.#answerMs, redis.ping());
    } catch (error) {
      this.#lost(redis, error);
    }
  }

  /** Closes the connection and stops reconnecting. */
  close(): void {
    this.#isClosed = true;
    if (this.#nextAttempt !== null) clearTimeout(this.#nextAttempt);
    this.#redis?.disconnect();
    this.#redis = null;
  }

  async #attempt(): Promise<void> {
    this.#nextAttempt = null;
    const redis = await newClient(this.#options.url);
    // The error of a failed connect only says "closed"; the error event before it gives the cause.
    let failure: Error | null = null;
    redis.on("error", (error: Error) => {
      failure = error;
    });
    try {
      await within(connectMs, redis.connect());
      await within(this.#answerMs, redis.eval(writes, 1, "sightline:link"));
      if (this.#isClosed || redis.status !== "ready") throw new RedisAwayError();
    } catch (error) {
      redis.disconnect();
      this.#down(failure ?? error);
      return;
    }
    redis.on("close", () => this.#lost(redis, new Error("the connection was closed")));
    this.#redis = redis;
    this.#say(true, "Redis counts calls");
  }

  #lost(redis: Redis, error: unknown): void {
    if (redis !== this.#redis) return;
    this.#redis = null;
    redis.disconnect();
    this.#down(error);
  }

  #down(error: unknown): void {
    if (this.#isClosed) return;
    this.#say(false, "Redis does not count calls", error);
    const attempt = () => void this.#attempt().catch((failure: unknown) => this.#down(failure));
    this.#nextAttempt = setTimeout(attempt, betweenAttemptsMs);
    this.#nextAttempt.unref();
  }

  #say(isUp: boolean, message: string, error?: unknown): void {
    if (this.#saidUp === isUp) return;
    this.#saidUp = isUp;
    const { logger, onChange } = this.#options;
    const fields = { redis: this.#name, ...(error === undefined ? {} : { error: String(error) }) };
    if (isUp) logger.info(fields, message);
    else logger.warn(fields, message);
    onChange(isUp);
  }
}

/** A client that connects once; the link creates another after a failure. */
async function newClient(url: string): Promise<Redis> {
  const { Redis: RedisClient } = await import("ioredis");
  return new RedisClient(url, {
    lazyConnect: true,
    connectTimeout: connectMs,
    retryStrategy: () => null,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    connectionName: "sightline",
  });
}

/** Redis loses its scripts at a restart. */
async function evaluate(redis: Redis, script: Script, call: ScriptCall): Promise<unknown> {
  const { keys, values } = call;
  try {
    return await redis.evalsha(script.sha, keys.length, ...keys, ...values);
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith("NOSCRIPT"))) throw error;
    return redis.eval(script.lua, keys.length, ...keys, ...values);
  }
}

function integersOf(reply: unknown): readonly number[] {
  if (Array.isArray(reply) && reply.every((each) => Number.isSafeInteger(each))) return reply;
  throw new Error("Redis replied with something else than integers");
}

const stateMs = 3_000;

/** Connects to Redis or Valkey for the doctor. @throws when it is not reachable. */
export async function openRedisState(url: string): Promise<EngineState> {
  const { Redis } = await import("ioredis");
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
  // Commands throw their own errors; this one explains a failed connection.
  let failure: Error | null = null;
  redis.on("error", (error: Error) => {
    failure = error;
  });
  const answer = async <Value>(asked: Promise<Value>) => within(stateMs, asked);
  const infoOf = async (section: string, field: string) =>
    new RegExp(`^${field}:(.*?)\\r?$`, "m").exec(await answer(redis.info(section)))?.[1];
  const close = async () => redis.disconnect();
  try {
    await within(stateMs, redis.connect());
  } catch (error) {
    await close();
    throw failure ?? error;
  }
  return {
    kind: "Redis",
    address: hostOf(url),
    // Valkey reports the compatible Redis version in the other field.
    version: async () =>
      (await infoOf("server", "valkey_version")) ?? (await infoOf("server", "redis_version")) ?? "",
    nowMs: async () => {
      const [seconds = 0, microseconds = 0] = (await answer(redis.time())).map(Number);
      return seconds * 1_000 + microseconds / 1_000;
    },
    sizes: async () => {
      const bytes = Number((await infoOf("memory", "used_memory")) ?? 0);
      return [{ table: "memory", bytes, isOfEngine: false }];
    },
    missing: async () => [],
    close,
  };
}

/**
 * The value of a promise, or an error after `ms`. A reply that has arrived in this process but was
 * not read yet still counts: a busy event loop does not make Redis slow.
 */
async function within<Value>(ms: number, promise: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    // Timers run before the sockets are read, and immediates after it.
    const end = () => setImmediate(() => reject(new Error(`no answer within ${ms} ms`)));
    timer = setTimeout(end, ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
    promise.catch(() => undefined); // it may reject later
  }
}

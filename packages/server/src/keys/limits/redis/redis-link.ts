import type { Redis } from "ioredis";
import type { Logger } from "../../../platform/logger.ts";
import type { Script } from "./scripts.ts";
import { within } from "./within.ts";

/** Redis did not answer, or not in time. */
export class RedisAwayError extends Error {
  constructor(cause?: unknown) {
    super(cause instanceof Error ? cause.message : "Redis is away", { cause });
    this.name = "RedisAwayError";
  }
}

/** How Redis is reached. */
export interface RedisLinkOptions {
  readonly url: string;
  readonly logger: Pick<Logger, "info" | "warn">;
  /** Is told whether Redis answers, at the beginning and whenever that changes. */
  readonly onChange: (isUp: boolean) => void;
}

/** What a script works on. */
export interface ScriptCall {
  readonly keys: readonly string[];
  readonly values: readonly number[];
}

/** A call waits for Redis this long at most; what is slower counts as away. */
const answerMs = 100;
/** To connect, with TLS and password. */
const connectMs = 1_000;
const betweenAttemptsMs = 500;
/** Leaves nothing. One that is full, or a replica, answers a ping and counts nothing. */
const writes = 'redis.call("SET", KEYS[1], 1) return redis.call("DEL", KEYS[1])';

/**
 * The connection to Redis. When an answer is missing, late or an error, the link is down: every
 * call fails immediately, until a new connection answers. Commands are never queued or sent twice:
 * a call must not count after it was answered.
 */
export class RedisLink {
  readonly #options: RedisLinkOptions;
  readonly #name: string;
  /** Null: down. */
  #redis: Redis | null = null;
  /** Null: nothing was said yet. */
  #saidUp: boolean | null = null;
  #nextAttempt: NodeJS.Timeout | null = null;
  #isClosed = false;

  private constructor(options: RedisLinkOptions) {
    this.#options = options;
    const { hostname, port } = new URL(options.url);
    this.#name = `${hostname}:${port || "6379"}`; // without the password
  }

  /** Tries to connect. When Redis is away, the link is down, and goes on trying. */
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
      return integersOf(await within(answerMs, evaluate(redis, script, call)));
    } catch (error) {
      this.#lost(redis, error);
      throw new RedisAwayError(error);
    }
  }

  /** Looks whether Redis answers, so that an idle node notices too. */
  async check(): Promise<void> {
    const redis = this.#redis;
    if (redis === null) return;
    try {
      await within(answerMs, redis.ping());
    } catch (error) {
      this.#lost(redis, error);
    }
  }

  /** Ends the connection, and with it the process's use of Redis. */
  close(): void {
    this.#isClosed = true;
    if (this.#nextAttempt !== null) clearTimeout(this.#nextAttempt);
    this.#redis?.disconnect();
    this.#redis = null;
  }

  async #attempt(): Promise<void> {
    this.#nextAttempt = null;
    const redis = await newClient(this.#options.url);
    // What fails to connect says that the connection is closed; the event before it says why.
    let failure: Error | null = null;
    redis.on("error", (error: Error) => {
      failure = error;
    });
    try {
      await within(connectMs, redis.connect());
      await within(answerMs, redis.eval(writes, 1, "sightline:link"));
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

/** A client that connects once: the link makes another when this one fails. */
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

/** Redis forgets its scripts when it is started again. */
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

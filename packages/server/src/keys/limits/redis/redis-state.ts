import { type EngineState, hostOf } from "../../../platform/engine-state.ts";
import { within } from "./within.ts";

const connectMs = 3_000;
const answerMs = 3_000;

/** Connects to Redis or Valkey, as the doctor looks at it. @throws when it is not reachable. */
export async function openRedisState(url: string): Promise<EngineState> {
  const { Redis } = await import("ioredis");
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
  // What is asked fails by itself; of a connection, this says why.
  let failure: Error | null = null;
  redis.on("error", (error: Error) => {
    failure = error;
  });
  const answer = async <Value>(asked: Promise<Value>) => within(answerMs, asked);
  const infoOf = async (section: string, field: string) =>
    new RegExp(`^${field}:(.*?)\\r?$`, "m").exec(await answer(redis.info(section)))?.[1];
  const close = async () => redis.disconnect();
  try {
    await within(connectMs, redis.connect());
  } catch (error) {
    await close();
    throw failure ?? error;
  }
  return {
    kind: "Redis",
    address: hostOf(url),
    // Valkey says of which Redis it is the successor in the other field.
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

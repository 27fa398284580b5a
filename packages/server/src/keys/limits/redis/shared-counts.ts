import type { Clock } from "../../../platform/clock.ts";
import type { Logger } from "../../../platform/logger.ts";
import { ServiceError } from "../../../platform/service-error.ts";
import type { CallCounts, CallToCount, CountedCall, CountedLookup } from "../call-counts.ts";
import { LocalCounts } from "../local-counts.ts";
import type { UsageStore } from "../usage-store.ts";
import { RedisCounts } from "./redis-counts.ts";
import { RedisAwayError, RedisLink } from "./redis-link.ts";
import { UnsavedCalls } from "./unsaved-calls.ts";

/** Dependencies of the shared counts. */
interface SharedCountsParts {
  readonly counts: RedisCounts;
  readonly link: Pick<RedisLink, "isUp" | "check" | "close">;
  readonly store: UsageStore;
  readonly clock: Clock;
  /** What happens to calls while Redis is unreachable. */
  readonly whenDown: "local" | "refuse";
}

/**
 * Counts in Redis, so that limits are exact across nodes. While Redis is unreachable, this node
 * counts by itself or refuses. Each node also adds its calls to control: when Redis loses a day's
 * count, it is restored from there.
 */
class SharedCounts implements CallCounts {
  readonly #parts: SharedCountsParts;
  readonly #unsaved: UnsavedCalls;
  readonly #local: LocalCounts;
  /** Whether the local counts of days belong to the current outage of Redis. */
  #isAlone = false;

  constructor(parts: SharedCountsParts) {
    this.#parts = parts;
    this.#unsaved = new UnsavedCalls(parts);
    this.#local = new LocalCounts(parts.clock, this.#storeOfLocal());
  }

  take(accountId: string, call: CallToCount): Promise<CountedCall> {
    return this.#shared(
      async () => {
        const load = (day: number) => this.#unsaved.load(call.keyId, day);
        const counted = await this.#parts.counts.take(accountId, call, load);
        this.#isAlone = false;
        this.#unsaved.add({ accountId, call, counted }, counted.atUs);
        return counted;
      },
      async (local) => {
        const counted = await local.take(accountId, call);
        this.#unsaved.add({ accountId, call, counted }, null);
        return counted;
      },
    );
  }

  beginLookup(group: string): Promise<CountedLookup> {
    const { counts } = this.#parts;
    return this.#shared(
      // Counted before its result is known: two nodes must not use the last allowed lookup.
      async () => {
        const verdict = await counts.takeLookup(group);
        const giveBack = () => counts.giveLookupBack(group).catch(onlyAway);
        return { verdict, ended: async (isFound) => (isFound ? giveBack() : undefined) };
      },
      (local) => local.beginLookup(group),
    );
  }

  async save(): Promise<void> {
    const { link } = this.#parts;
    await link.check();
    if (this.#isAlone) await this.#local.save();
    await this.#unsaved.save();
    if (link.isUp) await this.#unsaved.addToRedis().catch(onlyAway);
  }

  async close(): Promise<void> {
    try {
      await this.save();
    } finally {
      this.#parts.link.close();
    }
  }

  /** Local counts are saved with all calls of this node, and not twice. */
  #storeOfLocal(): UsageStore {
    const usage = (keyId: string, day: number) => this.#unsaved.load(keyId, day);
    const addUsage: UsageStore["addUsage"] = (added) =>
      Promise.all(
        added.map(async ({ keyId, day }) => ({ keyId, day, calls: await usage(keyId, day) })),
      );
    return { usage, addUsage };
  }

  async #shared<Result>(
    inRedis: () => Promise<Result>,
    alone: (local: LocalCounts) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await inRedis();
    } catch (error) {
      onlyAway(error);
      if (this.#parts.whenDown === "refuse") throw cannotCount();
    }
    if (!this.#isAlone) {
      this.#isAlone = true;
      this.#local.reload(); // other nodes have counted meanwhile
    }
    return alone(this.#local);
  }
}

/** Rethrows every error but RedisAwayError. */
function onlyAway(error: unknown): void {
  if (!(error instanceof RedisAwayError)) throw error;
}

function cannotCount(): ServiceError {
  return new ServiceError(
    "overloaded",
    "The limits of calls are unavailable. Wait Retry-After seconds, then try again.",
    { headers: { "Retry-After": "1" } },
  );
}

/** Options of counts in Redis. */
export interface SharedCountsOptions {
  readonly url: string;
  readonly answerMs?: number;
  readonly whenDown: "local" | "refuse";
  readonly store: UsageStore;
  readonly clock: Clock;
  readonly logger: Pick<Logger, "info" | "warn">;
  /** Called with whether Redis answers, at the beginning and after each change. */
  readonly onChange: (isUp: boolean) => void;
}

/** Connects to Redis. While it is unreachable, the counts work without it and reconnect. */
export async function openSharedCounts(options: SharedCountsOptions): Promise<CallCounts> {
  const link = await RedisLink.open(options);
  return new SharedCounts({ ...options, link, counts: new RedisCounts(link) });
}

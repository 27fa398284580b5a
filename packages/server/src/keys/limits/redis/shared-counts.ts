import type { Clock } from "../../../platform/clock.ts";
import type { Logger } from "../../../platform/logger.ts";
import { ServiceError } from "../../../platform/service-error.ts";
import type { CallCounts, CallToCount, CountedCall, CountedLookup } from "../call-counts.ts";
import { LocalCounts } from "../local-counts.ts";
import type { UsageStore } from "../usage-store.ts";
import { RedisCounts } from "./redis-counts.ts";
import { RedisAwayError, RedisLink } from "./redis-link.ts";
import { UnsavedCalls } from "./unsaved-calls.ts";

/** What shared counts are made of. */
interface SharedCountsParts {
  readonly counts: RedisCounts;
  readonly link: Pick<RedisLink, "isUp" | "check" | "close">;
  readonly store: UsageStore;
  readonly clock: Clock;
  /** What happens to calls while Redis is away. */
  readonly whenDown: "local" | "refuse";
}

/**
 * Counts in Redis, so that limits are exact over all nodes. While Redis is away, this node counts
 * by itself, or refuses. Each node adds the calls that it counted to control: when Redis forgets a
 * day, it goes on from there.
 */
class SharedCounts implements CallCounts {
  readonly #parts: SharedCountsParts;
  readonly #unsaved: UnsavedCalls;
  readonly #local: LocalCounts;
  /** Whether the local counts of days are of this absence of Redis. */
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
      // Taken before it fails: two nodes must not look up the last one that is left.
      async () => {
        const verdict = await counts.takeGuess(group);
        const giveBack = () => counts.giveGuessBack(group).catch(onlyAway);
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
    if (link.isUp) await this.#unsaved.tellRedis().catch(onlyAway);
  }

  async close(): Promise<void> {
    try {
      await this.save();
    } finally {
      this.#parts.link.close();
    }
  }

  /** What is counted locally is saved with all else that this node counts, and not twice. */
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
      this.#local.reload(); // other nodes counted since
    }
    return alone(this.#local);
  }
}

/** Passes every other error on. */
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

/** What counts in Redis need. */
export interface SharedCountsOptions {
  readonly url: string;
  readonly whenDown: "local" | "refuse";
  readonly store: UsageStore;
  readonly clock: Clock;
  readonly logger: Pick<Logger, "info" | "warn">;
  /** Is told whether Redis answers, at the beginning and whenever that changes. */
  readonly onChange: (isUp: boolean) => void;
}

/** Connects to Redis. When it is away, the counts go on without it, and it is tried again. */
export async function openSharedCounts(options: SharedCountsOptions): Promise<CallCounts> {
  const link = await RedisLink.open(options);
  return new SharedCounts({ ...options, link, counts: new RedisCounts(link) });
}

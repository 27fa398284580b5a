import type { Clock } from "../../../platform/clock.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { CallCounts } from "../call-counts.ts";
import type { UsageStore } from "../usage-store.ts";
import { RedisCounts } from "./redis-counts.ts";
import { RedisLink } from "./redis-link.ts";
import { SharedCounts } from "./shared-counts.ts";

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

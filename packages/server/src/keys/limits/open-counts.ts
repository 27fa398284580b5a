import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/logger.ts";
import { createRedisMetric, type Metrics } from "../../platform/metrics.ts";
import type { CallCounts } from "./call-counts.ts";
import { LocalCounts } from "./local-counts.ts";
import { openSharedCounts } from "./redis/open-shared-counts.ts";
import type { UsageStore } from "./usage-store.ts";

/** Where calls are counted, by the configuration. */
export interface CountsConfig {
  /** Null: in this process. */
  readonly redisUrl: string | null;
  readonly redisDown: "local" | "refuse";
}

/** What counts are opened with. */
export interface CountsParts {
  readonly clock: Clock;
  readonly store: UsageStore;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, "registry">;
}

/** Counts in this process, or in Redis when there is an address of one. */
export async function openCounts(
  { redisUrl: url, redisDown: whenDown }: CountsConfig,
  { clock, store, logger, metrics }: CountsParts,
): Promise<CallCounts> {
  if (url === null) return new LocalCounts(clock, store);
  const redisUp = createRedisMetric(metrics.registry);
  const onChange = (isUp: boolean) => redisUp.set(isUp ? 1 : 0);
  return openSharedCounts({ url, whenDown, store, clock, logger, onChange });
}

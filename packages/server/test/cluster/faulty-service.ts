import { clickhouseUrl } from "@sightline/test-kit/engines/clickhouse-database.ts";
import { type FaultProxy, startFaultProxy } from "@sightline/test-kit/engines/fault-proxy.ts";
import { migratedPostgresUrl } from "@sightline/test-kit/engines/migrated-postgres.ts";
import { redisUrl } from "@sightline/test-kit/engines/redis-database.ts";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { migrateClickhouse } from "../../src/facts/clickhouse/migrate-clickhouse.ts";

/** An engine of a cluster. */
export type EngineName = "clickhouse" | "postgres" | "redis";

/** A service whose engines are reached through proxies that can spoil their connections. */
export interface FaultyService {
  readonly service: TestService;
  readonly proxies: Readonly<Record<EngineName, FaultProxy>>;
  readonly close: () => Promise<void>;
}

/** The time of day stands still; retries and leases go by the time that passes. */
class RunningClock extends HeldClock {
  override readonly elapsed = (): number => performance.now();
}

/** Starts it over empty engines; nothing is cached, so that each question reaches them. */
export async function startFaultyService(
  redisDown: "local" | "refuse" = "local",
): Promise<FaultyService> {
  const urls = {
    clickhouseUrl: await clickhouseUrl(),
    postgresUrl: await migratedPostgresUrl(),
    redisUrl: await redisUrl(),
  };
  await migrateClickhouse({ ...urls, clickhouseCluster: null, clickhouseReplicated: false });
  const proxies = {
    clickhouse: await proxyOf(urls.clickhouseUrl),
    postgres: await proxyOf(urls.postgresUrl),
    redis: await proxyOf(urls.redisUrl),
  };
  const service = await TestService.start({
    clock: new RunningClock(),
    settings: {
      clickhouseUrl: proxies.clickhouse.through(urls.clickhouseUrl),
      postgresUrl: proxies.postgres.through(urls.postgresUrl),
      redisUrl: proxies.redis.through(urls.redisUrl),
      redisDown,
      rateLimit: "10000/s",
      replyCache: "off",
    },
  });
  return {
    service,
    proxies,
    close: async () => {
      await service.close();
      await Promise.all(Object.values(proxies).map((proxy) => proxy.close()));
    },
  };
}

function proxyOf(url: string): Promise<FaultProxy> {
  const { hostname, port } = new URL(url);
  return startFaultProxy({ host: hostname, port: Number(port) });
}

import type { TestContext } from "node:test";
import { openClickhouse } from "../../../server/src/answers/clickhouse/open-clickhouse.ts";
import type { ClickhouseLimits } from "../../../server/src/platform/clickhouse/clickhouse.ts";
import { until } from "../until.ts";
import { clusterEngines } from "./cluster-engines.ts";
import { startFaultProxy } from "./fault-proxy.ts";

/**
 * The engines of a cluster with a proxy before ClickHouse that can spoil its connections, and a
 * way to ClickHouse around it.
 */
export async function faultyClickhouse(t: TestContext, limits: Partial<ClickhouseLimits>) {
  const engines = await clusterEngines(t);
  const { clickhouseUrl } = engines.address;
  const { hostname, port } = new URL(clickhouseUrl);
  const proxy = await startFaultProxy({ host: hostname, port: Number(port) });
  t.after(() => proxy.close());
  const address = { ...engines.address, clickhouseUrl: proxy.through(clickhouseUrl) };
  const clickhouse = await openClickhouse(address, limits);
  t.after(() => clickhouse.close());
  return {
    engines: { ...engines, clickhouse },
    direct: engines.clickhouse,
    proxy: {
      ...proxy,
      until: (condition: () => boolean) =>
        until("the proxy has connections", () => (condition() ? true : null)),
      /** From now on ClickHouse gets every request, and no reply comes back. */
      lose: () => proxy.set({ kind: "cut", afterBytes: 0 }),
    },
  };
}

import type { TestContext } from "node:test";
import {
  ClickhouseFacts,
  type ClickhouseFactsOptions,
} from "../../../server/src/facts/clickhouse/clickhouse-facts.ts";
import { recordedLog } from "../recorded-log.ts";
import { type ClusterEngines, clusterEngines } from "./cluster-engines.ts";

/** Facts in ClickHouse over databases of their own, with what they are kept with. */
export async function clickhouseFactsOf(
  t: TestContext,
  options: Partial<ClickhouseFactsOptions> & { readonly engines?: ClusterEngines } = {},
) {
  const engines = options.engines ?? (await clusterEngines(t));
  const log = recordedLog();
  const facts = new ClickhouseFacts({
    ...engines,
    logger: log.logger,
    fence: () => 0,
    openMax: 10,
    ...options,
  });
  t.after(() => facts.close());
  return { ...engines, facts, log };
}

import {
  clickhouseAnswerStore,
  countAnswers,
  countAnswersByPrompt,
} from "./answers/clickhouse/clickhouse-answer-store.ts";
import { openClusterConnections, pingClickhouse } from "./answers/clickhouse/open-clickhouse.ts";
import { skipUsedSequences } from "./answers/clickhouse/record-sequences.ts";
import { deploymentOf } from "./answers/clickhouse/tables.ts";
import type { Leases } from "./control/leases.ts";
import { ClickhouseFacts } from "./facts/clickhouse/clickhouse-facts.ts";
import { eraseFacts } from "./facts/clickhouse/facts-tables.ts";
import { skipUsedGenerations } from "./facts/clickhouse/generation-writes.ts";
import { requireOneServer, requireTables } from "./facts/clickhouse/migrate-clickhouse.ts";
import type { Clock } from "./platform/clock.ts";
import type { ClusterAddress } from "./platform/cluster-address.ts";
import type { Logger } from "./platform/logger.ts";

interface FactsOptions {
  readonly logger: Logger;
  readonly openMax: number;
  readonly leases: Leases;
}

/** Answers and facts in ClickHouse. The drivers are loaded here. */
export async function openClickhouseEngines(address: ClusterAddress, clock: Clock) {
  const { clickhouse, pool, close } = await openClusterConnections(address);
  const tools = { clickhouse, pool };
  const deployment = deploymentOf(address);
  return {
    answers: clickhouseAnswerStore({ ...tools, clock, deployment }),
    countAnswers: (accountId: string) => countAnswers(accountId, tools),
    countAnswersByPrompt: (accountId: string) => countAnswersByPrompt(accountId, tools),
    openFacts: async ({ leases, ...options }: FactsOptions) => {
      await requireTables(clickhouse, deployment);
      await requireOneServer(address);
      return new ClickhouseFacts({
        ...tools,
        ...options,
        deployment,
        fence: (accountId) => leases.fence(accountId),
      });
    },
    skipUsedNumbers: async () => {
      await skipUsedSequences(tools);
      await skipUsedGenerations(pool);
    },
    eraseFacts: (accountId: string) => eraseFacts({ ...tools, deployment, accountId }),
    ping: () => pingClickhouse(clickhouse),
    close,
  };
}

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
import type { FactsEngine } from "./facts/engine.ts";
import type { Clock } from "./platform/clock.ts";
import type { ClusterAddress } from "./platform/cluster-address.ts";
import type { Logger } from "./platform/logger.ts";

/** What facts of several nodes are opened with. */
interface FactsOptions {
  readonly logger: Logger;
  /** The most accounts about which something stays in memory. */
  readonly openMax: number;
  /** They say which node may write: every write names the lease's fence. */
  readonly leases: Leases;
}

/** What holds answers and facts of several nodes, opened for this process. */
export type ClusterEngines = Awaited<ReturnType<typeof openClusterEngines>>;

/** Opens ClickHouse for answers and facts. This file loads the drivers. */
export async function openClusterEngines(address: ClusterAddress, clock: Clock) {
  const { clickhouse, pool, close } = await openClusterConnections(address);
  const tools = { clickhouse, pool };
  const deployment = deploymentOf(address);
  return {
    answers: clickhouseAnswerStore({ ...tools, clock, deployment }),
    countAnswers: (accountId: string) => countAnswers(accountId, tools),
    countAnswersByPrompt: (accountId: string) => countAnswersByPrompt(accountId, tools),
    /** For the service alone, which closes them. */
    openFacts: async ({ leases, ...options }: FactsOptions): Promise<FactsEngine> => {
      await requireTables(clickhouse, deployment);
      await requireOneServer(address);
      return new ClickhouseFacts({
        ...tools,
        ...options,
        deployment,
        fence: (accountId) => leases.fence(accountId),
      });
    },
    /** After a restore: no number that was used since the backup is used again. */
    skipUsedNumbers: async (): Promise<void> => {
      await skipUsedSequences(tools);
      await skipUsedGenerations(pool);
    },
    eraseFacts: (accountId: string) => eraseFacts({ ...tools, deployment, accountId }),
    /** @throws when ClickHouse does not answer. */
    ping: () => pingClickhouse(clickhouse),
    /** To be called last. */
    close,
  };
}

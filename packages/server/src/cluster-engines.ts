import type { AnswerStore, RecordCounts } from "./answers/answer-store.ts";
import type { Leases } from "./control/leases.ts";
import type { FactsEngine } from "./facts/engine.ts";
import type { Clock } from "./platform/clock.ts";
import type { ClusterAddress } from "./platform/cluster-address.ts";
import type { Logger } from "./platform/logger.ts";

/** What holds answers and facts of several nodes, opened for this process. */
export interface ClusterEngines {
  readonly answers: AnswerStore;
  readonly countAnswers: (accountId: string) => Promise<RecordCounts>;
  /** Of counted answers; prompts without any are absent. */
  readonly countAnswersByPrompt: (accountId: string) => Promise<ReadonlyMap<string, number>>;
  /** Only the service needs facts; closing them is its own. */
  readonly openFacts: (options: ClusterFactsOptions) => Promise<FactsEngine>;
  /**
   * After a backup was restored: numbers that were used since the backup are not used again.
   * Facts have to be rebuilt.
   */
  readonly skipUsedNumbers: () => Promise<void>;
  /** Removes the facts of an account that was deleted. */
  readonly eraseFacts: (accountId: string) => Promise<void>;
  /** Whether ClickHouse answers: it throws when not. */
  readonly ping: () => Promise<void>;
  /** To be called last. */
  readonly close: () => Promise<void>;
}

/** What facts of several nodes are opened with. */
interface ClusterFactsOptions {
  readonly logger: Logger;
  /** The most accounts about which something stays in memory. */
  readonly openMax: number;
  /** They say which node may write: every write names the lease's fence. */
  readonly leases: Leases;
}

/** Opens what holds answers and facts of several nodes. */
export type OpenClusterEngines = (address: ClusterAddress, clock: Clock) => Promise<ClusterEngines>;

/** Answers and facts in ClickHouse, which is loaded here: one node has no use for it. */
export const openClusterEngines: OpenClusterEngines = async (address, clock) => {
  const { openClickhouseEngines } = await import("./clickhouse-engines.ts");
  return openClickhouseEngines(address, clock);
};

import type { Clock } from "../platform/clock.ts";
import type { ClusterAddress } from "../platform/cluster-address.ts";
import { openDataFolder } from "../platform/data-folder.ts";
import type { AnswerStore } from "./answer-store.ts";
import { sqliteAnswerStore } from "./sqlite/sqlite-answer-store.ts";

/** Where records are: a data folder, or engines of several nodes. Can be sent to a thread. */
export type AnswerStoreAddress =
  | { readonly dataDir: string }
  | { readonly cluster: ClusterAddress };

/** Opens the records at an address, for this thread. */
export async function openAnswerStore(
  address: AnswerStoreAddress,
  clock: Clock,
): Promise<AnswerStore> {
  if ("dataDir" in address) return sqliteAnswerStore(openDataFolder(address.dataDir), clock);
  // Loaded when there is an address: it loads the drivers.
  const { openClusterAnswers } = await import("./clickhouse/open-cluster-answers.ts");
  return openClusterAnswers(address.cluster, clock);
}

import { openControl } from "../control/control.ts";
import type { ControlEngine } from "../control/control-engine.ts";
import { type Clock, systemClock } from "../platform/clock.ts";
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
  const { openClusterAnswers } = await import("./clickhouse/open-clickhouse.ts");
  return openClusterAnswers(address.cluster, clock);
}

/** What a thread that writes records works on. */
export interface OpenRecords {
  readonly store: AnswerStore;
  readonly control: ControlEngine;
}

/** A caller waits no longer for an engine that does not reply. */
const statementMs = 3_000;

/** Opens the records at an address and control beside them, for this thread. */
export async function openRecords(address: AnswerStoreAddress): Promise<OpenRecords> {
  const store = await openAnswerStore(address, systemClock);
  const control =
    "dataDir" in address
      ? openControl({ sqlite: openDataFolder(address.dataDir).control }, systemClock)
      : openControl({ postgres: address.cluster.postgresUrl }, systemClock, { statementMs });
  try {
    return { store, control: await control };
  } catch (error) {
    await store.close();
    throw error;
  }
}

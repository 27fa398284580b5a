import { openControl } from "../control/control.ts";
import type { ControlEngine } from "../control/control-engine.ts";
import { systemClock } from "../platform/clock.ts";
import { openDataFolder } from "../platform/data-folder.ts";
import type { AnswerStore } from "./answer-store.ts";
import { type AnswerStoreAddress, openAnswerStore } from "./open-answer-store.ts";

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

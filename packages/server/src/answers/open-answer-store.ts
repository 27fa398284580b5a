import type { Clock } from "../platform/clock.ts";
import { openDataFolder } from "../platform/data-folder.ts";
import type { AnswerStore } from "./answer-store.ts";
import { sqliteAnswerStore } from "./sqlite/sqlite-answer-store.ts";

/** Where records are; it can be sent to another thread. */
export interface AnswerStoreAddress {
  readonly dataDir: string;
}

/** Opens the records at an address, for this thread. */
export function openAnswerStore({ dataDir }: AnswerStoreAddress, clock: Clock): AnswerStore {
  return sqliteAnswerStore(openDataFolder(dataDir), clock);
}

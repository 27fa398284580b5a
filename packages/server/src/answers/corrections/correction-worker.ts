import { workerData } from "node:worker_threads";
import { actingFor } from "../../control/control-engine.ts";
import { systemClock } from "../../platform/clock.ts";
import { inOrder, serve } from "../../platform/thread.ts";
import { type AnswerStoreAddress, openRecords } from "../open-answer-store.ts";
import type { CorrectionApi } from "./correction-thread.ts";
import { eraseAccount, removeSelected, undoImport } from "./corrections.ts";

/** The thread that corrects records. */
serve<CorrectionApi>(async () => {
  const { store, control } = await openRecords(workerData as AnswerStoreAddress);
  const ofService = { answers: store, control, clock: systemClock };
  return {
    correct: async (accountId, correction, by, { signal }) => {
      const tools = { ...ofService, control: actingFor(control, by), signal };
      switch (correction.action) {
        case "count":
          return store.count(accountId, correction.selection);
        case "remove":
          return removeSelected(tools, accountId, correction.selection);
        case "undo":
          return undoImport(tools, accountId, correction.importId);
        case "erase":
          await eraseAccount({ ...tools, eraseFacts: null }, accountId, correction.ends);
          return null;
      }
    },
  };
}, inOrder());

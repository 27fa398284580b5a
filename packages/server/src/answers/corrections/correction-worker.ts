import { workerData } from "node:worker_threads";
import { systemClock } from "../../platform/clock.ts";
import { inOrder, serve } from "../../platform/thread.ts";
import { type AnswerStoreAddress, openRecords } from "../open-answer-store.ts";
import type { CorrectionApi } from "./correction-thread.ts";
import { eraseAccount, removeAnswers, undoImport } from "./corrections.ts";

/** The thread that corrects records. */
serve<CorrectionApi>(async () => {
  const { store, control } = await openRecords(workerData as AnswerStoreAddress);
  const tools = { answers: store, control, clock: systemClock };
  return {
    correct: async (accountId, correction) => {
      switch (correction.action) {
        case "count":
          return store.count(accountId, correction.selection);
        case "remove":
          return removeAnswers(tools, accountId, correction.selection);
        case "undo":
          return undoImport(tools, accountId, correction.importId);
        case "erase":
          await eraseAccount({ ...tools, eraseFacts: null }, accountId, correction.ends);
          return null;
      }
    },
  };
}, inOrder());

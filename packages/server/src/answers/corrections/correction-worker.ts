import { parentPort, workerData } from "node:worker_threads";
import { failedWork } from "../../platform/failed-work.ts";
import { onceOpened } from "../../platform/once-opened.ts";
import type { Sent } from "../../platform/order-thread.ts";
import type { AnswerStoreAddress } from "../open-answer-store.ts";
import { openRecords } from "../open-records.ts";
import type { CorrectionOrder, CorrectionOutcome } from "./correction-thread.ts";
import { eraseAccount } from "./erase-account.ts";
import { removeAnswers } from "./remove-answers.ts";
import { undoImport } from "./undo-import.ts";

/** The thread that corrects records. */
const openOnce = onceOpened(() => openRecords(workerData as AnswerStoreAddress));
let last: Promise<void> = Promise.resolve();

parentPort?.on("message", ({ port, ...order }: Sent<CorrectionOrder>) => {
  last = last.then(async () => port.postMessage(await outcomeOf(order)));
});

async function outcomeOf(order: CorrectionOrder): Promise<CorrectionOutcome> {
  try {
    return { kind: "done", answers: await corrected(order) };
  } catch (error) {
    return failedWork(error);
  }
}

async function corrected({ accountId, ...correction }: CorrectionOrder): Promise<number | null> {
  const { store, control } = await openOnce();
  const tools = { answers: store, control };
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
}

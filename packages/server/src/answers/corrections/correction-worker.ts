import { parentPort, workerData } from "node:worker_threads";
import { isEngineAway } from "../../platform/engine-away.ts";
import { onceOpened } from "../../platform/once-opened.ts";
import type { Sent } from "../../platform/order-thread.ts";
import type { AnswerStoreAddress } from "../open-answer-store.ts";
import { openRecords } from "../open-records.ts";
import type { CorrectionFailure, CorrectionOrder, CorrectionOutcome } from "./correction-thread.ts";
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
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { kind: "failed", why: whyFailed(error), reason };
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

function whyFailed(error: unknown): CorrectionFailure {
  if (isEngineAway(error)) return "away";
  for (let each = error; each instanceof Error; each = each.cause) {
    const { code } = each as { readonly code?: unknown };
    const text = typeof code === "string" ? code : "";
    if (text === "SQLITE_FULL" || text === "ENOSPC") return "disk-full";
    if (text.startsWith("SQLITE_BUSY")) return "busy";
  }
  return "other";
}

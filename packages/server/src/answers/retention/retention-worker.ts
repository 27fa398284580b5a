import { parentPort, workerData } from "node:worker_threads";
import { onceOpened } from "../../platform/once-opened.ts";
import type { Sent } from "../../platform/order-thread.ts";
import { everyAnswer } from "../answer-selection.ts";
import type { AnswerStoreAddress } from "../open-answer-store.ts";
import { openRecords } from "../open-records.ts";
import { compileMentionedIn } from "./mentioned-in.ts";
import type { RetentionOrder, RetentionOutcome } from "./retention.ts";

/** The thread that removes what is old: it reads them, and waits for the disk. */
const openOnce = onceOpened(() => openRecords(workerData as AnswerStoreAddress));

/** Another writer of the account waits for as long as this many take: some 50 ms. */
const answersAtOnce = 500;

parentPort?.on("message", async ({ port, ...order }: Sent<RetentionOrder>) => {
  port.postMessage(await outcomeOf(order));
});

async function outcomeOf({ kind, accountId, ...range }: RetentionOrder): Promise<RetentionOutcome> {
  try {
    const { store, control } = await openOnce();
    if (kind === "raw replies") {
      const { beforeMs } = range;
      const answers = await store.removeRaw(accountId, beforeMs);
      return { answers, nextMs: beforeMs, lacksTexts: false };
    }
    const mentionedIn = compileMentionedIn(await control.entities(accountId));
    const removal = { ...range, limit: answersAtOnce, mentionedIn };
    const removed = await store.removeTexts(accountId, removal);
    // At the end no old answer has a text, also where another process removed it.
    const old = { ...everyAnswer, toMs: range.beforeMs };
    const lacksTexts = removed.answers > 0 || (await store.count(accountId, old)) > 0;
    return { ...removed, lacksTexts };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

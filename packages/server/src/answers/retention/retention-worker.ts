import { workerData } from "node:worker_threads";
import { entitiesOf } from "../../accounts/account-store.ts";
import { serve } from "../../platform/thread.ts";
import { everyAnswer } from "../answer-store.ts";
import { type AnswerStoreAddress, openRecords } from "../open-answer-store.ts";
import { compileMentionedIn, type RetentionApi } from "./retention.ts";

/** Another writer of the account waits for as long as this many take: some 50 ms. */
const answersAtOnce = 500;

/** The thread that removes what is old: it reads them, and waits for the disk. */
serve<RetentionApi>(async () => {
  const { store, control } = await openRecords(workerData as AnswerStoreAddress);
  return {
    remove: async ({ kind, accountId, ...range }) => {
      if (kind === "raw replies") {
        const { beforeMs } = range;
        const answers = await store.removeRaw(accountId, beforeMs);
        return { answers, nextMs: beforeMs, lacksTexts: false };
      }
      const mentionedIn = compileMentionedIn(await entitiesOf(control, accountId));
      const removal = { ...range, limit: answersAtOnce, mentionedIn };
      const removed = await store.removeTexts(accountId, removal);
      // At the end no old answer has a text, also where another process removed it.
      const old = { ...everyAnswer, toMs: range.beforeMs };
      const lacksTexts = removed.answers > 0 || (await store.count(accountId, old)) > 0;
      return { ...removed, lacksTexts };
    },
  };
});

import type { Clock } from "../../platform/clock.ts";
import { type DataFolder, makeFolder } from "../../platform/data-folder.ts";
import { type AnswerStore, OtherRecordError } from "../answer-store.ts";
import { requireKeepable } from "../raw-reply.ts";
import { RecordFiles } from "./record-files.ts";

/** Of an account without answers. */
const noReplies = { replies: [], unread: [] } as const;
const noEnd = { sequence: 0, recordedAtMs: null };

/**
 * The record in SQLite, a file per account, which is made with its first answer. What it does
 * blocks the thread: the server reads records in a worker.
 */
export function sqliteAnswerStore(folder: DataFolder, clock: Clock): AnswerStore {
  const files = new RecordFiles(folder, clock);
  return {
    record: async (accountId, answers, importId) => {
      makeFolder(folder.account(accountId).folder);
      return files.of(accountId).record(answers, importId);
    },
    count: (accountId, selection) =>
      files.use(accountId, (record) => record?.count(selection) ?? 0),
    remove: (accountId, selection) =>
      files.use(accountId, (record) => record?.remove(selection) ?? 0),
    removeTexts: (accountId, removal) =>
      files.use(accountId, (record) => {
        const none = { answers: 0, nextMs: removal.beforeMs };
        return record?.removeTexts(removal) ?? none;
      }),
    keepRaw: async (accountId, reply) => {
      requireKeepable(reply);
      makeFolder(folder.account(accountId).folder);
      try {
        files.of(accountId).keepRaw(reply);
      } catch (error) {
        throw files.failed(accountId, error);
      }
    },
    raw: (accountId, id) => files.use(accountId, (record) => record?.raw(id) ?? null),
    rawsOf: (accountId, answerIds) =>
      files.use(accountId, (record) => record?.rawsOf(answerIds) ?? noReplies),
    rawReplies: (accountId, after, limit) =>
      files.use(accountId, (record) => record?.rawReplies(after, limit) ?? []),
    removeRaw: (accountId, beforeMs, fromMs) =>
      files.use(accountId, (record) => record?.removeRaw(beforeMs, fromMs) ?? 0),
    read: async (accountId, range) => files.existing(accountId)?.read(range) ?? [],
    async *at(accountId, sequences, signal) {
      for (const each of sequences) {
        signal?.throwIfAborted();
        yield* await files.use(accountId, (record) => record?.at(each) ?? []);
      }
    },
    byId: (accountId, id) => files.use(accountId, (record) => record?.byId(id) ?? null),
    async *each(accountId, range) {
      try {
        const record = files.existing(accountId);
        if (record !== null) yield* record.each(range);
        else if (range.after.sequence > 0) throw new OtherRecordError("there is no record");
      } catch (error) {
        throw files.failed(accountId, error);
      }
    },
    has: (accountId, mark) =>
      files.use(accountId, (record) => record?.has(mark) ?? mark.sequence === 0),
    end: (accountId) => files.use(accountId, (record) => record?.end() ?? noEnd),
    erase: async (accountId) => files.erase(accountId),
    close: async () => files.close(),
  };
}

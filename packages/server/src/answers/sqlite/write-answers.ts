import type { Clock } from "../../platform/clock.ts";
import type { SqliteDatabase } from "../../platform/sqlite.ts";
import { uuidBytes } from "../../platform/uuid.ts";
import type { Answer } from "../answer.ts";
import type { Recording } from "../answer-store.ts";
import { contentHash, keptHash } from "../content-hash.ts";
import { valuesOf } from "./answer-row.ts";
import { insertRemovedText } from "./remove-texts.ts";

const insertBatch = `
  insert into batches (import_id, first_sequence, last_sequence) values (?, ?, ?)`;

const insertAnswer = `
  insert into answers (id, content_hash, prompt_id, provider, region, answered_at, outcome, text,
    citations, model, surface, sample, metadata, recorded_at, search_queries, cost, vendor,
    requested_region)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  on conflict (id) do nothing`;

const selectHash = "select content_hash from answers where id = ?";

/** Writes answers in one transaction. @returns what became of each, in the order given. */
export type AnswerWriter = (answers: Iterable<Answer>, importId?: string) => readonly Recording[];

/** What writes into a record; see AnswerStore. */
export function answerWriter(database: SqliteDatabase, clock: Clock): AnswerWriter {
  const insert = database.prepare(insertAnswer);
  const hashOf = database.prepare<[Buffer], { content_hash: Buffer }>(selectHash);
  const addBatch = database.prepare<[Buffer, number, number]>(insertBatch);
  const noteRemoved = database.prepare<[number, string, Buffer]>(insertRemovedText);
  const write = database.transaction((answers: Iterable<Answer>, importId?: string) => {
    let [first, last] = [0, 0];
    const recordings = Array.from(answers, (answer): Recording => {
      const hash = contentHash(answer);
      const id = uuidBytes(answer.id);
      const values = valuesOf(answer, { id, hash, recordedAt: clock.now() });
      const { changes, lastInsertRowid } = insert.run(...values);
      if (changes === 1) {
        last = Number(lastInsertRowid);
        first ||= last;
        const { removedText } = answer;
        if (removedText !== undefined) {
          const mentioned = JSON.stringify(removedText.mentioned);
          noteRemoved.run(last, mentioned, keptHash(answer, removedText));
        }
        return "accepted";
      }
      return hashOf.get(id)?.content_hash.equals(hash) === true ? "duplicate" : "conflict";
    });
    if (importId !== undefined && first > 0) addBatch.run(uuidBytes(importId), first, last);
    return recordings;
  });
  return (answers, importId) => write.immediate(answers, importId);
}

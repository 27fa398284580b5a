import type { SqliteDatabase } from "../../platform/sqlite.ts";
import { uuidBytes } from "../../platform/uuid.ts";
import { contentHash, keptHash, withoutText } from "../answer.ts";
import type {
  AnswerSelection,
  RecordedAnswer,
  TextRemoval,
  TextsRemoved,
} from "../answer-store.ts";
import { type RawPlace, removePlaces } from "./raw-replies.ts";
import { noteCopies } from "./record-layout.ts";

/** The condition of a statement, and the values at its places. */
interface Condition {
  readonly where: string;
  readonly values: readonly (string | number | Buffer)[];
}

/** How many answers are selected. */
export function countSelected(database: SqliteDatabase, selection: AnswerSelection): number {
  const { where, values } = conditionOf(selection);
  const count = database.prepare<unknown[], number>(`select count(*) from answers ${where}`);
  return count.pluck().get(...values) ?? 0;
}

/**
 * Removes answers and their raw replies in one transaction; `clearCopies` then overwrites where
 * they lay. The record has another id: facts of before are of another record.
 * @returns how many there were.
 */
export function removeSelected(database: SqliteDatabase, selection: AnswerSelection): number {
  const { where, values } = conditionOf(selection);
  const remove = database.transaction(() => {
    const ids = `select id from answers ${where}`;
    const replies = database.prepare<unknown[], RawPlace>(
      `select answer_id, day, place from raw_places where answer_id in (${ids})`,
    );
    removePlaces(database, replies.all(...values));
    const { changes } = database.prepare(`delete from answers ${where}`).run(...values);
    if (changes > 0) {
      database.exec("update identity set id = randomblob(16)");
      database.exec(
        "delete from removed_texts where sequence not in (select sequence from answers)",
      );
      noteCopies(database);
    }
    return changes;
  });
  return remove.immediate();
}

function conditionOf(selection: AnswerSelection): Condition {
  const { ids, importId, promptIds, providers, regions, fromMs, toMs } = selection;
  const conditions: (readonly [text: string, value: string | number | Buffer])[] = [];
  const oneOf = (column: string, items: readonly string[] | null, value = "value") => {
    if (items === null) return;
    const text = `${column} in (select ${value} from json_each(?))`;
    conditions.push([text, JSON.stringify(items)]);
  };
  oneOf("id", ids?.map(hexOf) ?? null, "unhex(value)");
  oneOf("prompt_id", promptIds?.map(hexOf) ?? null, "unhex(value)");
  oneOf("provider", providers);
  oneOf("region", regions);
  if (fromMs !== null) conditions.push(["answered_at >= ?", fromMs]);
  if (toMs !== null) conditions.push(["answered_at < ?", toMs]);
  if (importId !== null) {
    const ofImport = `exists (select 1 from batches where import_id = ?
      and sequence between first_sequence and last_sequence)`;
    conditions.push([ofImport, uuidBytes(importId)]);
  }
  const texts = conditions.map(([text]) => text);
  return {
    where: texts.length === 0 ? "" : `where ${texts.join(" and ")}`,
    values: conditions.map(([, value]) => value),
  };
}

function hexOf(uuid: string): string {
  return uuid.replaceAll("-", "");
}

/** What stays of a removed text: its answer's place, what it mentioned, the hash of what stays. */
export const insertRemovedText = `
  insert into removed_texts (sequence, mentioned, kept_hash) values (?, ?, ?)`;

/** Made by the first removal: no other record has a use for it. */
const byTime = "create index if not exists answers_by_time on answers (answered_at)";

const selectOldest = `
  select sequence, answered_at as answeredAt from answers
  where answered_at >= ? and answered_at < ? and not exists (
    select 1 from removed_texts where removed_texts.sequence = answers.sequence)
  order by answered_at limit ?`;

/**
 * TRICKY: a row that keeps its length is overwritten in its place. A shorter one would make SQLite
 * move its neighbours, and leave copies of their texts (see clearCopies): so blanks take the place
 * of what goes, and the space stays taken.
 */
const blank = `
  update answers set text = printf('%*s', octet_length(text), ''),
    citations = @citations || printf('%*s', octet_length(citations) - octet_length(@citations), ''),
    metadata = iif(metadata is null, null, printf('%*s', octet_length(metadata), '')),
    search_queries =
      iif(search_queries is null, null, printf('%*s', octet_length(search_queries), ''))
  where sequence = @sequence`;

const selectReply = "select answer_id, day, place from raw_places where answer_id = ?";

/**
 * Overwrites texts and raw replies, the oldest first, in one transaction.
 * @param at reads the answer at a sequence number: one at a time, since texts may have megabytes.
 */
export function removeTexts(
  database: SqliteDatabase,
  { fromMs, beforeMs, limit, mentionedIn }: TextRemoval,
  at: (sequence: number) => readonly RecordedAnswer[],
): TextsRemoved {
  const remove = database.transaction((): TextsRemoved => {
    database.exec(byTime);
    const select = database.prepare<[number, number, number], OldAnswer>(selectOldest);
    const oldest = select.all(fromMs, beforeMs, limit);
    const overwrite = database.prepare(blank);
    const note = database.prepare(insertRemovedText);
    const replies = database.prepare<[Buffer], RawPlace>(selectReply);
    const places: RawPlace[] = [];
    for (const answer of oldest.flatMap(({ sequence }) => at(sequence))) {
      const mentioned = mentionedIn(answer);
      const removedText = { mentioned, contentHash: contentHash(answer).toString("hex") };
      const kept = withoutText(answer, removedText);
      overwrite.run({ citations: JSON.stringify(kept.citations), sequence: answer.sequence });
      note.run(answer.sequence, JSON.stringify(mentioned), keptHash(kept, removedText));
      places.push(...replies.all(uuidBytes(answer.id)));
    }
    removePlaces(database, places);
    return { answers: oldest.length, nextMs: oldest.at(-1)?.answeredAt ?? beforeMs };
  });
  return remove.immediate();
}

interface OldAnswer {
  readonly sequence: number;
  readonly answeredAt: number;
}

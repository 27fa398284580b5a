import type { SqliteDatabase } from "../../platform/sqlite.ts";
import { uuidBytes } from "../../platform/uuid.ts";
import type { AnswerSelection } from "../answer-selection.ts";
import { noteCopies } from "./clear-copies.ts";
import { type RawPlace, removePlaces } from "./raw-replies.ts";

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

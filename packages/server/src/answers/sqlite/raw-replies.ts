import type { Vendor } from "@sightline/contract";
import type { SqliteDatabase } from "../../platform/sqlite.ts";
import { uuidBytes, uuidText } from "../../platform/uuid.ts";
import { type RawReplies, type RawReply, rawReadBytesMax, unagingAt } from "../answer-store.ts";
import { emptyLog } from "./record-layout.ts";

const dayMs = 86_400_000;

/** Where a raw reply is: its place in the table of a day. */
export interface RawPlace {
  readonly answer_id: Buffer;
  readonly day: number;
  readonly place: number;
}

interface PlaceRow extends RawPlace {
  readonly vendor: Vendor;
  readonly kept_at: number;
}

const placeColumns = "answer_id, day, place, vendor, kept_at";
const selectPlace = `select ${placeColumns} from raw_places where answer_id = ?`;
const selectPlaces = `
  select ${placeColumns} from raw_places where answer_id > ? order by answer_id limit ?`;
const notePlace = `
  insert into raw_places (answer_id, day, place, vendor, kept_at) values (?, ?, ?, ?, ?)
  on conflict (answer_id) do update set
    day = excluded.day, place = excluded.place,
    vendor = excluded.vendor, kept_at = excluded.kept_at`;
const deletePlace = "delete from raw_places where answer_id = ?";

/**
 * The table of the replies that came on a UTC day, by its number since 1970. A table per day, since
 * retention removes whole days: dropping a table overwrites all its pages, and deleting its rows
 * one by one would leave copies of others (see clearCopies).
 */
function tableOf(day: number): string {
  return `raw_replies_${day}`;
}

/** The raw replies of one account; see AnswerStore. */
export interface RawRepliesOfRecord {
  readonly keepRaw: (reply: RawReply) => void;
  readonly raw: (answerId: string) => RawReply | null;
  readonly rawsOf: (answerIds: readonly string[]) => RawReplies;
  readonly rawReplies: (after: string | null, limit: number) => readonly RawReply[];
  readonly removeRaw: (beforeMs: number, fromMs?: number) => Promise<number>;
  readonly removeRawOf: (answerIds: readonly string[]) => Promise<void>;
}

/** What keeps and gives the raw replies of a record. */
export function rawRepliesOf(database: SqliteDatabase): RawRepliesOfRecord {
  return {
    keepRaw: (reply) => keepRaw(database, reply),
    raw: (answerId) => rawOf(database, answerId),
    rawsOf: (answerIds) => rawsOf(database, answerIds),
    rawReplies: (after, limit) => rawReplies(database, after, limit),
    removeRaw: async (beforeMs, fromMs = unagingAt + 1) => {
      const removed = removeRawBetween(database, fromMs, beforeMs);
      await emptyLog(database);
      return removed;
    },
    removeRawOf: async (answerIds) => {
      const select = database.prepare<[Buffer], PlaceRow>(selectPlace);
      const remove = database.transaction(() => {
        removePlaces(
          database,
          answerIds.flatMap((id) => select.all(uuidBytes(id))),
        );
      });
      remove.immediate();
      await emptyLog(database);
    },
  };
}

/**
 * Keeps a reply in place of the one before, in the table of its own day. TRICKY: a row is appended,
 * and never made longer or shorter: SQLite would move its neighbours, and leave copies of them.
 */
function keepRaw(database: SqliteDatabase, reply: RawReply): void {
  const { answerId, vendor, at, body } = reply;
  const id = uuidBytes(answerId);
  const day = Math.floor(at / dayMs);
  const keep = database.transaction(() => {
    const before = database.prepare<[Buffer], PlaceRow>(selectPlace).all(id);
    database.exec(`create table if not exists ${tableOf(day)} (
      place integer primary key, body blob not null) strict`);
    const insert = database.prepare(`insert into ${tableOf(day)} (body) values (?)`);
    const place = Number(insert.run(body).lastInsertRowid);
    database.prepare(notePlace).run(id, day, place, vendor, at);
    overwrite(database, before);
  });
  keep.immediate();
}

/** The reply of an answer; null: none is kept. */
function rawOf(database: SqliteDatabase, answerId: string): RawReply | null {
  const row = database.prepare<[Buffer], PlaceRow>(selectPlace).get(uuidBytes(answerId));
  return row === undefined ? null : replyAt(database, row);
}

function rawsOf(database: SqliteDatabase, answerIds: readonly string[]): RawReplies {
  const unread = answerIds.toSorted();
  const replies: RawReply[] = [];
  let bytes = 0;
  while (bytes < rawReadBytesMax) {
    const answerId = unread.shift();
    if (answerId === undefined) break;
    const reply = rawOf(database, answerId);
    if (reply === null) continue;
    replies.push(reply);
    bytes += reply.body.length;
  }
  return { replies, unread };
}

/** By answer id; fewer than the limit when they are large. */
function rawReplies(
  database: SqliteDatabase,
  after: string | null,
  limit: number,
): readonly RawReply[] {
  const first = after === null ? Buffer.alloc(0) : uuidBytes(after);
  const read = database.transaction(() => {
    const rows = database.prepare<[Buffer, number], PlaceRow>(selectPlaces).all(first, limit);
    const replies: RawReply[] = [];
    let bytes = 0;
    for (const row of rows) {
      const reply = replyAt(database, row);
      replies.push(reply);
      bytes += reply.body.length;
      if (bytes >= rawReadBytesMax) break;
    }
    return replies;
  });
  return read(); // one view: another process may remove some meanwhile
}

function replyAt(database: SqliteDatabase, row: PlaceRow): RawReply {
  const { answer_id, day, place, vendor, kept_at: at } = row;
  const select = database.prepare<[number], Buffer>(
    `select body from ${tableOf(day)} where place = ?`,
  );
  const body = select.pluck().get(place);
  const answerId = uuidText(answer_id);
  if (body === undefined) throw new Error(`the raw reply of ${answerId} is not at its place`);
  return { answerId, vendor, at, body };
}

/** Removes replies that were kept from an instant on and before another, a day in a transaction. */
function removeRawBetween(database: SqliteDatabase, fromMs: number, beforeMs: number): number {
  const days = database.prepare<[number, number], number>(
    "select distinct day from raw_places where kept_at >= ? and kept_at < ? order by day",
  );
  const ofDay = database.prepare<[number, number, number], RawPlace>(
    `select answer_id, day, place from raw_places
     where day = ? and kept_at >= ? and kept_at < ?`,
  );
  const remove = database.transaction((day: number) => {
    const places = ofDay.all(day, fromMs, beforeMs);
    removePlaces(database, places);
    return places.length;
  });
  const counts = days
    .pluck()
    .all(fromMs, beforeMs)
    .map((day) => remove.immediate(day));
  return counts.reduce((all, count) => all + count, 0);
}

/** Removes replies for good, within a transaction. */
export function removePlaces(database: SqliteDatabase, places: readonly RawPlace[]): void {
  const forget = database.prepare<[Buffer]>(deletePlace);
  for (const { answer_id } of places) forget.run(answer_id);
  overwrite(database, places);
}

/**
 * Overwrites replies that have no place any more. The table of a day goes with its last one; until
 * then zeros of the same length take the place of a body, so that none of its neighbours moves.
 */
function overwrite(database: SqliteDatabase, places: readonly RawPlace[]): void {
  const anyOf = database.prepare<[number], number>(
    "select 1 from raw_places where day = ? limit 1",
  );
  for (const day of new Set(places.map((each) => each.day))) {
    if (anyOf.get(day) === undefined) {
      database.exec(`drop table ${tableOf(day)}`);
      continue;
    }
    const blank = database.prepare<[number]>(
      `update ${tableOf(day)} set body = zeroblob(length(body)) where place = ?`,
    );
    for (const each of places) if (each.day === day) blank.run(each.place);
  }
}

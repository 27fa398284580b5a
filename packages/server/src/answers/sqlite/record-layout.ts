import { setTimeout as pause } from "node:timers/promises";
import type { SqliteDatabase } from "../../platform/sqlite.ts";

/** Stored in the file's user_version; a later layout comes with its migration from this one. */
const layoutVersion = 6;
/** The first one whose records have an id. */
const identifiedVersion = 2;
/** The first one whose records know their imports. */
const batchedVersion = 3;
/** The first one that keeps what removed texts mentioned. */
const withoutTextsVersion = 4;
/** The first one that says how answers were collected. */
const collectedVersion = 5;

const layout = `
  create table answers (
    sequence integer primary key autoincrement,
    id blob not null unique,
    content_hash blob not null,
    prompt_id blob not null,
    provider text not null,
    region text,
    answered_at integer not null,
    outcome text not null,
    text text not null,
    citations text not null,
    model text,
    surface text,
    sample integer not null,
    metadata text,
    recorded_at integer not null
  ) strict`;

/** Since layout 2: a random id, which identifies the record that facts were derived from. */
const identityLayout = `
  create table identity (id blob not null) strict;
  insert into identity (id) values (randomblob(16))`;

/**
 * Since layout 3: the places that an import's answers took, a row per transaction; there is one
 * writer at a time, so they follow each other.
 */
const batchesLayout = `
  create table batches (
    import_id blob not null, first_sequence integer not null, last_sequence integer not null,
    primary key (import_id, first_sequence)
  ) strict, without rowid`;

/** Since layout 4: what stays of removed texts, and the hash of what stays of their answers. */
const removedTextsLayout = `
  create table removed_texts (
    sequence integer primary key, mentioned text not null, kept_hash blob not null
  ) strict`;

/**
 * Since layout 5: how answers were collected, JSON of lists and objects, null where nothing is
 * known; and where the raw reply of an answer is, in the table of its day (see raw-replies).
 */
const collectionLayout = `
  alter table answers add column search_queries text;
  alter table answers add column cost text;
  alter table answers add column vendor text;
  alter table answers add column requested_region text;
  create table raw_places (
    answer_id blob primary key, day integer not null, place integer not null,
    vendor text not null, kept_at integer not null
  ) strict, without rowid;
  create index raw_places_by_day on raw_places (day);
  create index raw_places_by_time on raw_places (kept_at)`;

/**
 * Gives a record its tables; one of an earlier version gets those that came since. Layout 6 has the
 * tables of layout 5, and citations may have spans: earlier versions would hash an answer without.
 */
export function createLayout(database: SqliteDatabase, path: string): void {
  // Without a lock first: the server opens records while importers write them, and must not wait.
  if (isToday(database, path)) return;
  const create = database.transaction(() => {
    if (isToday(database, path)) return;
    const version = versionOf(database);
    if (version === 0) database.exec(layout);
    if (version < identifiedVersion) database.exec(identityLayout);
    if (version < batchedVersion) database.exec(batchesLayout);
    if (version < withoutTextsVersion) database.exec(removedTextsLayout);
    if (version > 0 && version < withoutTextsVersion) noteCopies(database);
    if (version < collectedVersion) database.exec(collectionLayout);
    database.pragma(`user_version = ${layoutVersion}`);
  });
  create.immediate();
}

/**
 * Whether the file has the current layout.
 * @throws when a later version wrote it.
 */
function isToday(database: SqliteDatabase, path: string): boolean {
  const version = versionOf(database);
  if (version <= layoutVersion) return version === layoutVersion;
  throw new Error(
    `${path} has layout ${version}; this version of Sightline knows ${layoutVersion}.`,
  );
}

/** Whether the record has an id; one of layout 1 has none. */
export function hasIdentity(database: SqliteDatabase): boolean {
  return versionOf(database) >= identifiedVersion;
}

/** Whether texts may have been removed from the record; before layout 4 none could be. */
export function hasRemovedTexts(database: SqliteDatabase): boolean {
  return versionOf(database) >= withoutTextsVersion;
}

/** Whether the record says how answers were collected; those before layout 5 do not. */
export function hasCollection(database: SqliteDatabase): boolean {
  return versionOf(database) >= collectedVersion;
}

/** 0: the file is new. */
function versionOf(database: SqliteDatabase): number {
  return Number(database.pragma("user_version", { simple: true }));
}

/**
 * TRICKY: when rows are deleted, SQLite moves others between pages, and leaves copies of them in
 * the unused parts of these, whatever `secure_delete` says. Nothing finds such a copy again, also
 * when its row is removed in turn. Where there may be any, this header field of the file is not 0:
 * another number after each removal, so that who clears the copies of one forgets no later one.
 */
const numbers = 0x7fff_ffff;

/** Notes, within a transaction, that unused parts of the file may have copies of texts. */
export function noteCopies(database: SqliteDatabase): void {
  database.pragma(`application_id = ${(notedIn(database) % numbers) + 1}`);
}

/**
 * Rewrites the file when it may have such copies: some four seconds of a processor for each
 * gigabyte, in which nobody writes to it. A process that dies before its end leaves the note.
 */
export function clearCopies(database: Pick<SqliteDatabase, "exec" | "pragma">): void {
  const noted = notedIn(database);
  if (noted === 0) return;
  database.exec("vacuum");
  database.exec("begin immediate");
  try {
    // Another process may have removed answers as soon as the file was written.
    if (notedIn(database) === noted) database.pragma("application_id = 0");
  } finally {
    database.exec("commit");
  }
}

function notedIn(database: Pick<SqliteDatabase, "pragma">): number {
  return Number(database.pragma("application_id", { simple: true }));
}

/** Readers leave the log between two batches. */
const emptyWithinMs = 20_000;
const betweenAttemptsMs = 50;

/**
 * Empties the log, where removed texts and raw replies lie as well.
 * @throws when readers keep it for too long.
 */
export async function emptyLog(database: SqliteDatabase): Promise<void> {
  const endMs = performance.now() + emptyWithinMs;
  while (!isEmptied(database)) {
    if (performance.now() > endMs) {
      throw new Error(
        `${database.name}: all is removed, but other processes read the log, which may still ` +
          "have removed texts. Do the same again.",
      );
    }
    await pause(betweenAttemptsMs);
  }
}

/** Does not wait: nobody could record for as long as a reader, such as a backup, stays. */
function isEmptied(database: SqliteDatabase): boolean {
  const waitMs = database.pragma("busy_timeout", { simple: true });
  database.pragma("busy_timeout = 0");
  try {
    return database.pragma("wal_checkpoint(truncate)", { simple: true }) === 0;
  } finally {
    database.pragma(`busy_timeout = ${waitMs}`);
  }
}

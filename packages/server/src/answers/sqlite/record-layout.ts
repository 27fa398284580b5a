import type { SqliteDatabase } from "../../platform/sqlite.ts";
import { noteCopies } from "./clear-copies.ts";

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

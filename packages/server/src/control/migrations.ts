import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import {
  addSpendDoubts,
  createCollection,
  createVendorCredentials,
} from "../collection/store/collection-migration.ts";
import { createConsole, createKeyTables, createLinks, createPeople } from "./key-migrations.ts";
import {
  boundWebhooks,
  createAudit,
  createLabels,
  createReadings,
  createReports,
  ownedTable,
} from "./later-tables.ts";
import type { AnyTables, ColumnTypes } from "./migration-types.ts";

const sqliteTypes: ColumnTypes = { text: "text", bytes: "blob" };
const postgresTypes: ColumnTypes = { text: sql`text collate "C"`, bytes: "bytea" };

/** Migrations of a SQLite file. */
export const migrations = migrationsOf(sqliteTypes);

/** The same migrations, for a database of PostgreSQL. */
export const postgresMigrations = migrationsOf(postgresTypes);

/**
 * Brings control to the current tables, by name and in order. A released migration is never
 * changed; the next one corrects it.
 */
function migrationsOf(types: ColumnTypes): Readonly<Record<string, Migration>> {
  return {
    "0001-accounts-and-keys": {
      up: async (database: AnyTables) => {
        await createWorkspaceTables(database, types);
        await createKeyTables(database, types);
      },
    },
    "0002-limits": {
      up: async (database: AnyTables) => {
        for (const column of ["rate_limit", "daily_quota"]) {
          await database.schema.alterTable("keys").addColumn(column, types.text).execute();
        }
        await database.schema
          .createTable("key_usage")
          .addColumn("key_id", types.text, (column) => column.notNull().references("keys.id"))
          .addColumn("day", "integer", (column) => column.notNull())
          .addColumn("calls", "bigint", (column) => column.notNull())
          .addPrimaryKeyConstraint("key_usage_key", ["key_id", "day"])
          .execute();
      },
    },
    "0003-hashes-for-the-doctor": { up: (database: AnyTables) => addHashes(database, types) },
    "0004-progress": {
      up: async (database: AnyTables) => {
        for (const column of ["recorded", "recorded_at", "projected", "projected_revision"]) {
          await database.schema.alterTable("accounts").addColumn(column, "bigint").execute();
        }
        await database.schema
          .alterTable("accounts")
          .addColumn("projected_rules", types.text)
          .execute();
        await database.schema
          .alterTable("accounts")
          .addColumn("change", "bigint", (column) => column.notNull().defaultTo(0))
          .execute();
        await database.schema
          .createIndex("accounts_change")
          .on("accounts")
          .column("change")
          .execute();
        await database.schema
          .createTable("recordings")
          .addColumn("id", types.text, (column) => column.primaryKey())
          .addColumn("account_id", types.text, (column) =>
            column.notNull().references("accounts.id"),
          )
          .addColumn("at", "bigint", (column) => column.notNull())
          .execute();
      },
    },
    "0005-scopes": { up: (database: AnyTables) => addScopes(database, types) },
    "0006-moves": { up: (database: AnyTables) => createMoves(database, types) },
    "0007-imports": { up: (database: AnyTables) => createImports(database, types) },
    "0008-deletions": { up: (database: AnyTables) => createDeletions(database, types) },
    "0009-hooks": { up: (database: AnyTables) => createHooks(database, types) },
    "0010-console": { up: (database: AnyTables) => createConsole(database, types) },
    "0011-collection": { up: (database: AnyTables) => createCollection(database, types) },
    "0012-import-states": { up: addImportStates },
    "0013-spend-doubts": { up: (database: AnyTables) => addSpendDoubts(database, types) },
    "0014-except": addTexts("entities", ["except_phrases"], types),
    "0015-labels": { up: (database: AnyTables) => createLabels(database, types) },
    "0016-vendor-credentials": {
      up: (database: AnyTables) => createVendorCredentials(database, types),
    },
    "0017-views-and-notes": addTexts("accounts", ["views", "notes"], types),
    "0018-sources": addTexts("accounts", ["sources"], types),
    "0019-tags": addTexts("prompts", ["tags"], types),
    "0020-readings": { up: (database: AnyTables) => createReadings(database, types) },
    "0021-stated-facts": addTexts("accounts", ["facts"], types),
    "0022-packed-readings": { up: packReadings },
    "0023-audit": { up: (database: AnyTables) => createAudit(database, types) },
    "0024-names": addTexts("accounts", ["ignored_names", "names_asked"], types),
    "0025-people": { up: (database: AnyTables) => createPeople(database, types) },
    "0026-links": { up: (database: AnyTables) => createLinks(database, types) },
    "0027-reports": { up: (database: AnyTables) => createReports(database, types) },
    "0028-delivery": addTexts("hooks", ["form", "thresholds"], types),
    "0029-account-tags": addTexts("accounts", ["account_tags"], types),
    "0030-report-links": addTexts("links", ["report_id"], types),
    "0031-webhooks": { up: (database: AnyTables) => boundWebhooks(database, types) },
  };
}

/** Adds columns of texts, which are null in the rows that are there. */
function addTexts(
  table: string,
  columns: readonly string[],
  { text }: Pick<ColumnTypes, "text">,
): Migration {
  return {
    up: async (database: AnyTables) => {
      for (const column of columns) {
        await database.schema.alterTable(table).addColumn(column, text).execute();
      }
    },
  };
}

async function addScopes(database: AnyTables, { text }: ColumnTypes): Promise<void> {
  await database.schema
    .alterTable("keys")
    .addColumn("scopes", text, (column) => column.notNull().defaultTo("read"))
    .execute();
}

async function addHashes(database: AnyTables, { text }: ColumnTypes): Promise<void> {
  await database.schema.alterTable("accounts").addColumn("rows_hash", text).execute();
  for (const table of ["keys", "signing_keys"]) {
    await database.schema.alterTable(table).addColumn("row_hash", text).execute();
  }
}

async function createMoves(database: AnyTables, { text }: ColumnTypes): Promise<void> {
  await database.schema
    .createTable("moves")
    .addColumn("account_id", text, (column) => column.primaryKey().references("accounts.id"))
    .addColumn("file_hash", text, (column) => column.notNull())
    .execute();
}

async function createDeletions(database: AnyTables, { text }: ColumnTypes): Promise<void> {
  await database.schema
    .alterTable("accounts")
    .addColumn("texts_removed_before", "bigint")
    .execute();
  await database.schema
    .createTable("deletions")
    .addColumn("account_id", text, (column) => column.primaryKey())
    .addColumn("at", "bigint", (column) => column.notNull())
    .addColumn("revision", "integer", (column) => column.notNull())
    .addColumn("ended", "bigint")
    .execute();
}

async function createImports(database: AnyTables, { text }: ColumnTypes): Promise<void> {
  let imports = database.schema
    .createTable("imports")
    .addColumn("id", text, (column) => column.primaryKey())
    .addColumn("account_id", text, (column) => column.notNull().references("accounts.id"))
    .addColumn("source", text, (column) => column.notNull());
  for (const column of ["started_at", "accepted", "duplicates", "rejected"]) {
    imports = imports.addColumn(column, "bigint", (each) => each.notNull());
  }
  await imports.addColumn("undone_at", "bigint").execute();
  await database.schema
    .createIndex("imports_of_account")
    .on("imports")
    .columns(["account_id", "started_at"])
    .execute();
}

/** Imports of earlier versions, and of nodes that are not upgraded yet, count as complete. */
async function addImportStates(database: AnyTables): Promise<void> {
  await database.schema
    .alterTable("imports")
    .addColumn("complete", "integer", (column) => column.notNull().defaultTo(1))
    .execute();
  // Each query of a workspace looks for sample answers: few accounts have them, and some have a
  // million other imports.
  await database.schema
    .createIndex("imports_of_samples")
    .on("imports")
    .column("account_id")
    .where(sql.ref("source"), "=", sql.lit("sample answers"))
    .execute();
}

/** Questions read the latest answers of a range first, and the findings in a short form. */
async function packReadings(database: AnyTables): Promise<void> {
  type Row = Record<"account_id" | "reader" | "answer_id" | "mentioned" | "findings", string> & {
    readonly sample: number;
  };
  let last = { account_id: "", reader: "", answer_id: "", sample: 0 };
  for (;;) {
    const { rows } = await sql<Row>`
      select account_id, reader, answer_id, sample, mentioned, findings from readings
      where (account_id, reader, answer_id, sample)
        > (${last.account_id}, ${last.reader}, ${last.answer_id}, ${last.sample})
      order by account_id, reader, answer_id, sample limit 500`.execute(database);
    for (const { account_id, reader, answer_id, sample, ...row } of rows) {
      const mentioned = JSON.parse(row.mentioned) as readonly string[];
      const findings = (JSON.parse(row.findings) as Record<string, unknown>[]).map(
        ({ entityId, kind, aspect, start, end, pages }) => {
          return [mentioned.indexOf(String(entityId)), kind, aspect, start, end, pages];
        },
      );
      await sql`update readings set findings = ${JSON.stringify(findings)}
        where account_id = ${account_id} and reader = ${reader}
        and answer_id = ${answer_id} and sample = ${sample}`.execute(database);
    }
    last = rows.at(-1) ?? last;
    if (rows.length === 0) break;
  }
  const index = (...columns: readonly string[]) =>
    database.schema
      .createIndex(`readings_by_${columns.at(-1)}`)
      .on("readings")
      .columns(["account_id", ...columns])
      .execute();
  await index("reader", "answered_at", "answer_id", "sample");
  await index("read_at");
}

/** Rows are deleted with their account or webhook. */
async function createHooks(database: AnyTables, { text, bytes }: ColumnTypes): Promise<void> {
  const owned = (name: string) =>
    database.schema
      .createTable(name)
      .addColumn("id", text, (column) => column.primaryKey())
      .addColumn("account_id", text, (column) =>
        column.notNull().references("accounts.id").onDelete("cascade"),
      );
  await owned("hooks")
    .addColumn("url", text, (column) => column.notNull())
    .addColumn("name", text, (column) => column.notNull())
    .addColumn("events", text, (column) => column.notNull())
    .addColumn("secret", bytes, (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("disabled_at", "bigint")
    .addColumn("look_at", "bigint", (column) => column.notNull())
    .addColumn("digested_to", "bigint")
    .addColumn("told", text, (column) => column.notNull())
    .execute();
  await owned("hook_deliveries")
    .addColumn("hook_id", text, (column) =>
      column.notNull().references("hooks.id").onDelete("cascade"),
    )
    .addColumn("event", text, (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("body", text)
    .addColumn("state", text, (column) => column.notNull())
    .addColumn("next_at", "bigint")
    .addColumn("attempts", text, (column) => column.notNull())
    .execute();
  const index = (table: string, ...columns: readonly string[]) =>
    database.schema
      .createIndex(`${table}_by_${columns.join("_")}`)
      .on(table)
      .columns([...columns])
      .execute();
  await index("hooks", "account_id");
  await index("hooks", "look_at");
  await index("hook_deliveries", "next_at");
  await index("hook_deliveries", "hook_id", "created_at");
}

async function createWorkspaceTables(database: AnyTables, types: ColumnTypes): Promise<void> {
  const owned = (name: string) => ownedTable(database, types, name);
  await database.schema
    .createTable("accounts")
    .addColumn("id", types.text, (column) => column.primaryKey())
    .addColumn("name", types.text, (column) => column.notNull())
    .addColumn("revision", "integer", (column) => column.notNull().defaultTo(1))
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .execute();
  await owned("entities")
    .addColumn("kind", types.text, (column) => column.notNull())
    .addColumn("name", types.text, (column) => column.notNull())
    .addColumn("case_sensitive", "integer", (column) => column.notNull())
    .addColumn("aliases", types.text, (column) => column.notNull())
    .addColumn("domains", types.text, (column) => column.notNull())
    .addColumn("retired", "integer", (column) => column.notNull())
    .execute();
  await owned("topics")
    .addColumn("name", types.text, (column) => column.notNull())
    .addColumn("retired", "integer", (column) => column.notNull())
    .execute();
  await owned("prompts")
    .addColumn("text", types.text, (column) => column.notNull())
    .addColumn("topic_id", types.text)
    .addColumn("branded", "integer", (column) => column.notNull())
    .addColumn("paused", "integer", (column) => column.notNull())
    .addColumn("retired", "integer", (column) => column.notNull())
    .execute();
}

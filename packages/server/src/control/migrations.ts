import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** A migration sees the tables of its own time, not the current ones. */
type AnyTables = Kysely<Record<string, Record<string, unknown>>>;

/**
 * Brings control to the current tables, by name and in order. A released migration is never
 * changed; the next one corrects it.
 */
export const migrations: Readonly<Record<string, Migration>> = {
  "0001-accounts-and-keys": {
    up: async (database: AnyTables) => {
      await createWorkspaceTables(database);
      await createKeyTables(database);
    },
  },
  "0002-limits": {
    up: async (database: AnyTables) => {
      for (const column of ["rate_limit", "daily_quota"]) {
        await database.schema.alterTable("keys").addColumn(column, "text").execute();
      }
      await database.schema
        .createTable("key_usage")
        .addColumn("key_id", "text", (column) => column.notNull().references("keys.id"))
        .addColumn("day", "integer", (column) => column.notNull())
        .addColumn("calls", "bigint", (column) => column.notNull())
        .addPrimaryKeyConstraint("key_usage_key", ["key_id", "day"])
        .execute();
    },
  },
  "0003-hashes-for-the-doctor": {
    up: async (database: AnyTables) => {
      await database.schema.alterTable("accounts").addColumn("rows_hash", "text").execute();
      for (const table of ["keys", "signing_keys"]) {
        await database.schema.alterTable(table).addColumn("row_hash", "text").execute();
      }
    },
  },
  "0004-progress": {
    up: async (database: AnyTables) => {
      for (const column of ["recorded", "recorded_at", "projected", "projected_revision"]) {
        await database.schema.alterTable("accounts").addColumn(column, "bigint").execute();
      }
      await database.schema.alterTable("accounts").addColumn("projected_rules", "text").execute();
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
        .addColumn("id", "text", (column) => column.primaryKey())
        .addColumn("account_id", "text", (column) => column.notNull().references("accounts.id"))
        .addColumn("at", "bigint", (column) => column.notNull())
        .execute();
    },
  },
};

async function createWorkspaceTables(database: AnyTables): Promise<void> {
  await database.schema
    .createTable("accounts")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("revision", "integer", (column) => column.notNull().defaultTo(1))
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .execute();
  await ownedTable(database, "entities")
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("case_sensitive", "integer", (column) => column.notNull())
    .addColumn("aliases", "text", (column) => column.notNull())
    .addColumn("domains", "text", (column) => column.notNull())
    .addColumn("retired", "integer", (column) => column.notNull())
    .execute();
  await ownedTable(database, "topics")
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("retired", "integer", (column) => column.notNull())
    .execute();
  await ownedTable(database, "prompts")
    .addColumn("text", "text", (column) => column.notNull())
    .addColumn("topic_id", "text")
    .addColumn("branded", "integer", (column) => column.notNull())
    .addColumn("paused", "integer", (column) => column.notNull())
    .addColumn("retired", "integer", (column) => column.notNull())
    .execute();
}

/** A table whose rows belong to an account: two accounts may use the same ids. */
function ownedTable(database: AnyTables, name: string) {
  return database.schema
    .createTable(name)
    .addColumn("account_id", "text", (column) => column.notNull().references("accounts.id"))
    .addColumn("id", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint(`${name}_key`, ["account_id", "id"]);
}

async function createKeyTables(database: AnyTables): Promise<void> {
  await database.schema
    .createTable("keys")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("account_id", "text", (column) => column.notNull().references("accounts.id"))
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("hash", "blob", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("expires_at", "bigint")
    .addColumn("revoked_at", "bigint")
    .addColumn("last_used_at", "bigint")
    .execute();
  await database.schema
    .createTable("signing_keys")
    .addColumn("kid", "text", (column) => column.primaryKey())
    .addColumn("private_key", "text", (column) => column.notNull())
    .addColumn("public_key", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .execute();
}

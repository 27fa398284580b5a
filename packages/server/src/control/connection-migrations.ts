import type { AnyTables, ColumnTypes } from "./migration-types.ts";

/** Webhooks and their deliveries: rows are deleted with their account or webhook. */
export async function createHooks(
  database: AnyTables,
  { text, bytes }: ColumnTypes,
): Promise<void> {
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

/** Share links. */
export async function createLinks(database: AnyTables, { text }: ColumnTypes): Promise<void> {
  await database.schema
    .createTable("links")
    .addColumn("id", text, (column) => column.primaryKey())
    .addColumn("account_id", text, (column) => column.notNull().references("accounts.id"))
    .addColumn("name", text, (column) => column.notNull())
    .addColumn("kind", text, (column) => column.notNull())
    .addColumn("view", text, (column) => column.notNull())
    .addColumn("shows_evidence", "integer", (column) => column.notNull())
    .addColumn("token_hash", text, (column) => column.notNull().unique())
    .addColumn("password_hash", text)
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("created_by", text, (column) => column.notNull())
    .addColumn("key_id", text)
    .addColumn("expires_at", "bigint")
    .addColumn("revoked_at", "bigint")
    .addColumn("last_used_at", "bigint")
    .addColumn("uses", "bigint", (column) => column.notNull())
    .execute();
  await database.schema
    .createIndex("links_of_account")
    .on("links")
    .columns(["account_id", "created_at", "id"])
    .execute();
}

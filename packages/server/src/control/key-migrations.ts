import type { AnyTables, ColumnTypes } from "./migration-types.ts";

/** API keys, and the keys that sign sessions. */
export async function createKeyTables(database: AnyTables, types: ColumnTypes): Promise<void> {
  await database.schema
    .createTable("keys")
    .addColumn("id", types.text, (column) => column.primaryKey())
    .addColumn("account_id", types.text, (column) => column.notNull().references("accounts.id"))
    .addColumn("name", types.text, (column) => column.notNull())
    .addColumn("hash", types.bytes, (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("expires_at", "bigint")
    .addColumn("revoked_at", "bigint")
    .addColumn("last_used_at", "bigint")
    .execute();
  await database.schema
    .createTable("signing_keys")
    .addColumn("kid", types.text, (column) => column.primaryKey())
    .addColumn("private_key", types.text, (column) => column.notNull())
    .addColumn("public_key", types.text, (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .execute();
}

/** Sessions of browsers that sign in with a key. */
export async function createConsole(database: AnyTables, { text }: ColumnTypes): Promise<void> {
  await database.schema
    .createTable("console_sessions")
    .addColumn("hash", text, (column) => column.primaryKey())
    .addColumn("account_id", text, (column) => column.notNull().references("accounts.id"))
    .addColumn("key_id", text, (column) => column.notNull().references("keys.id"))
    .addColumn("started_at", "bigint", (column) => column.notNull())
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .execute();
  await database.schema
    .createIndex("console_sessions_of_key")
    .on("console_sessions")
    .columns(["key_id", "started_at"])
    .execute();
}

/** People with their accounts, invitations and sessions; and whose a key is. */
export async function createPeople(database: AnyTables, { text }: ColumnTypes): Promise<void> {
  await database.schema
    .createTable("people")
    .addColumn("id", text, (column) => column.primaryKey())
    .addColumn("email", text, (column) => column.notNull().unique())
    .addColumn("name", text, (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("confirmed_at", "bigint")
    .addColumn("subject", text, (column) => column.unique())
    .execute();
  await database.schema
    .createTable("memberships")
    .addColumn("account_id", text, (column) => column.notNull().references("accounts.id"))
    .addColumn("person_id", text, (column) => column.notNull().references("people.id"))
    .addColumn("role", text, (column) => column.notNull())
    .addColumn("joined_at", "bigint", (column) => column.notNull())
    .addColumn("seen_at", "bigint")
    .addPrimaryKeyConstraint("memberships_key", ["account_id", "person_id"])
    .execute();
  await database.schema
    .createTable("invitations")
    .addColumn("id", text, (column) => column.primaryKey())
    .addColumn("account_id", text, (column) => column.notNull().references("accounts.id"))
    .addColumn("email", text, (column) => column.notNull())
    .addColumn("role", text, (column) => column.notNull())
    .addColumn("hash", text, (column) => column.notNull().unique())
    .addColumn("invited_by", text, (column) => column.notNull())
    .addColumn("maker_kind", text)
    .addColumn("maker_id", text)
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .execute();
  await createCredentials(database, text);
  for (const [table, column] of indexed) {
    await database.schema.createIndex(`${table}_by_${column}`).on(table).column(column).execute();
  }
  await database.schema.alterTable("keys").addColumn("person_id", text).execute();
}

/** What a browser proves with that it is a person's. */
async function createCredentials(database: AnyTables, text: ColumnTypes["text"]): Promise<void> {
  await database.schema
    .createTable("person_sessions")
    .addColumn("hash", text, (column) => column.primaryKey())
    .addColumn("person_id", text, (column) => column.notNull().references("people.id"))
    .addColumn("started_at", "bigint", (column) => column.notNull())
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .execute();
  await database.schema
    .createTable("person_links")
    .addColumn("hash", text, (column) => column.primaryKey())
    .addColumn("person_id", text, (column) => column.notNull().references("people.id"))
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .execute();
}

const indexed = [
  ["memberships", "person_id"],
  ["invitations", "account_id"],
  ["person_sessions", "person_id"],
  ["person_links", "person_id"],
] as const;

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

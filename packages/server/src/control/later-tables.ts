import type { CreateTableBuilder } from "kysely";
import type { AnyTables, ColumnTypes } from "./migration-types.ts";

/** Reports that were made, and when the next are due. */
export async function createReports(database: AnyTables, types: ColumnTypes): Promise<void> {
  const { text, bytes } = types;
  await database.schema.alterTable("accounts").addColumn("reports", text).execute();
  await database.schema
    .createTable("report_schedules")
    .addColumn("account_id", text, (column) => column.notNull().references("accounts.id"))
    .addColumn("next_at", "bigint", (column) => column.notNull())
    .addColumn("planned_to", text, (column) => column.notNull())
    .addPrimaryKeyConstraint("report_schedules_key", ["account_id"])
    .execute();
  await database.schema
    .createIndex("report_schedules_by_next_at")
    .on("report_schedules")
    .column("next_at")
    .execute();
  await ownedTable(database, types, "reports")
    .addColumn("name", text, (column) => column.notNull())
    .addColumn("start_date", text, (column) => column.notNull())
    .addColumn("end_date", text, (column) => column.notNull())
    .addColumn("compare_start_date", text)
    .addColumn("compare_end_date", text)
    .addColumn("language", text, (column) => column.notNull())
    .addColumn("made_at", "bigint", (column) => column.notNull())
    .addColumn("due_at", "bigint")
    .addColumn("actor", text, (column) => column.notNull())
    .addColumn("numbers", text, (column) => column.notNull())
    .addColumn("html", bytes, (column) => column.notNull())
    .addColumn("html_bytes", "bigint", (column) => column.notNull())
    .addColumn("html_sha256", text, (column) => column.notNull())
    .addColumn("superseded_by", text)
    .addUniqueConstraint("reports_by_due_time", ["account_id", "name", "due_at"])
    .execute();
  await database.schema
    .createIndex("reports_by_time")
    .on("reports")
    .columns(["account_id", "made_at", "id"])
    .execute();
}

/** The makers of webhooks, and what bounds their mails. */
export async function boundWebhooks(database: AnyTables, { text }: ColumnTypes): Promise<void> {
  await database.schema.alterTable("hooks").addColumn("created_by", text).execute();
  await database.schema
    .createTable("mail_counts")
    .addColumn("account_id", text, (column) => column.notNull().references("accounts.id"))
    .addColumn("day", "bigint", (column) => column.notNull())
    .addColumn("mailboxes", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("mail_counts_key", ["account_id"])
    .execute();
}

/** The audit log. */
export async function createAudit(database: AnyTables, { text }: ColumnTypes): Promise<void> {
  await database.schema
    .createTable("audit")
    .addColumn("account_id", text, (column) => column.notNull())
    .addColumn("sequence", "bigint", (column) => column.notNull())
    .addColumn("at", "bigint", (column) => column.notNull())
    .addColumn("actor", text, (column) => column.notNull())
    .addColumn("actor_id", text)
    .addColumn("request_id", text)
    .addColumn("action", text, (column) => column.notNull())
    .addColumn("subject", text)
    .addColumn("before", text)
    .addColumn("after", text)
    .addColumn("hash", text, (column) => column.notNull())
    .addPrimaryKeyConstraint("audit_key", ["account_id", "sequence"])
    .execute();
}

/** What models read in answers. */
export async function createReadings(database: AnyTables, { text }: ColumnTypes): Promise<void> {
  let table: CreateTableBuilder<string, string> = database.schema
    .createTable("readings")
    .addColumn("account_id", text, (column) => column.notNull().references("accounts.id"))
    .addColumn("model", text);
  for (const name of ["sample", "answered_at", "read_at", "cost_micros"]) {
    table = table.addColumn(name, "bigint", (column) => column.notNull());
  }
  const texts = ["answer_id", "reader", "prompt_id", "provider", "region"];
  for (const name of [...texts, "lineage", "mentioned", "findings", "dropped"]) {
    table = table.addColumn(name, text, (column) => column.notNull());
  }
  await table
    .addPrimaryKeyConstraint("readings_key", ["account_id", "reader", "answer_id", "sample"])
    .execute();
}

/** What people say of answers. */
export async function createLabels(database: AnyTables, { text }: ColumnTypes): Promise<void> {
  await database.schema
    .createTable("labels")
    .addColumn("account_id", text, (column) => column.notNull().references("accounts.id"))
    .addColumn("answer_id", text, (column) => column.notNull())
    .addColumn("entity_id", text, (column) => column.notNull())
    .addColumn("metric", text, (column) => column.notNull())
    .addColumn("labeller", text, (column) => column.notNull())
    .addColumn("value", "integer", (column) => column.notNull())
    .addColumn("labelled_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("labels_key", [
      "account_id",
      "answer_id",
      "entity_id",
      "metric",
      "labeller",
    ])
    .execute();
  await database.schema
    .alterTable("accounts")
    .addColumn("labels_revision", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
}

/** A table whose rows belong to an account: ids are unique per account. */
export function ownedTable(database: AnyTables, types: ColumnTypes, name: string) {
  return database.schema
    .createTable(name)
    .addColumn("account_id", types.text, (column) => column.notNull().references("accounts.id"))
    .addColumn("id", types.text, (column) => column.notNull())
    .addPrimaryKeyConstraint(`${name}_key`, ["account_id", "id"]);
}

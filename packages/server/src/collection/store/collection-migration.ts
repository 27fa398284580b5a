import { type CreateTableBuilder, sql } from "kysely";
import type { AnyTables, ColumnTypes } from "../../control/migration-types.ts";

/** The tables of sweeps, jobs, spending and schedules, and the columns of declared collection. */
export async function createCollection(database: AnyTables, types: ColumnTypes): Promise<void> {
  for (const table of ["accounts", "topics", "prompts"]) {
    await database.schema.alterTable(table).addColumn("collection", types.text).execute();
  }
  await createSweeps(database, types);
  await createJobs(database, types);
  await createLedger(database, types);
  await database.schema
    .createTable("collectors")
    .addColumn("id", types.text, (column) => column.primaryKey())
    .addColumn("noted_at", "bigint", (column) => column.notNull())
    .addColumn("report", types.text, (column) => column.notNull())
    .execute();
}

/** Columns as `name type`, optionally with a default, or with `null` if they may be null. */
function table(
  database: AnyTables,
  { text }: ColumnTypes,
  { name, columns }: { readonly name: string; readonly columns: readonly string[] },
): CreateTableBuilder<string, string> {
  let made: CreateTableBuilder<string, string> = database.schema
    .createTable(name)
    .addColumn("account_id", text, (column) => column.notNull().references("accounts.id"));
  for (const column of columns) {
    const [named = "", type, initial] = column.split(" ");
    made = made.addColumn(named, type === "text" ? text : "bigint", (each) => {
      if (initial === "null") return each;
      return initial === undefined ? each.notNull() : each.notNull().defaultTo(Number(initial));
    });
  }
  return made;
}

async function createSweeps(database: AnyTables, types: ColumnTypes): Promise<void> {
  const times = ["slot bigint", "deadline bigint"];
  await table(database, types, {
    name: "sweeps",
    columns: [
      ...["id text", "source text", ...times, "created_at bigint", "cancelled_at bigint null"],
    ],
  })
    .addPrimaryKeyConstraint("sweeps_key", ["account_id", "id"])
    .execute();
  await table(database, types, {
    name: "sweep_parts",
    columns: [
      ...["sweep_id text", "provider text", "surface text", "vendor text", ...times],
      ...["planned bigint 0", "turn bigint 0", "claimed_until bigint 0"],
      ...["published_at bigint null", "counts text null", "all_failed bigint null"],
      "has_jobs bigint 1",
    ],
  })
    .addPrimaryKeyConstraint("sweep_parts_key", ["account_id", "sweep_id", "provider", "surface"])
    .execute();
  const index = (name: string, ...columns: readonly string[]) =>
    database.schema
      .createIndex(name)
      .on(name.startsWith("sweeps") ? "sweeps" : "sweep_parts")
      .columns([...columns]);
  await index("sweeps_by_slot", "account_id", "slot").execute();
  await index("sweeps_by_age", "created_at").execute();
  await index("sweep_parts_by_turn", "turn").where(sql.ref("published_at"), "is", null).execute();
  await index("sweep_parts_by_age", "has_jobs", "published_at").execute();
  await index("sweep_parts_of_provider", "account_id", "provider", "slot").execute();
}

async function createJobs(database: AnyTables, types: ColumnTypes): Promise<void> {
  const part = ["account_id", "sweep_id", "provider", "surface"];
  await table(database, types, {
    name: "jobs",
    columns: [
      ...["sweep_id text", "id text", "prompt_id text", "provider text", "surface text"],
      ...["vendor text", "model text null", "region text", "slot bigint", "sample bigint"],
      ...["reserve_micros bigint", "state text", "due_at bigint null", "fence bigint 0"],
      ...["attempts bigint 0", "sent bigint 0", "replied bigint 0", "reserved_micros bigint 0"],
      ...["reserve_day bigint null", "spent_micros bigint 0", "reason text null"],
      "ended_at bigint null",
    ],
  })
    .addPrimaryKeyConstraint("jobs_key", ["account_id", "id"])
    .execute();
  const index = (name: string, ...columns: readonly string[]) =>
    database.schema
      .createIndex(name)
      .on("jobs")
      .columns([...columns]);
  // By slot first, so that a sweep's jobs are adjacent in the index.
  await index("jobs_asked", "account_id", "slot", "provider", "surface", "prompt_id", "region")
    .column("sample")
    .unique()
    .execute();
  await index("jobs_due", ...part, "due_at")
    .where(sql.ref("due_at"), "is not", null)
    .execute();
  await index("jobs_of_part", ...part, "id").execute();
  await index("jobs_by_state", ...part, "state", "spent_micros").execute();
}

async function createLedger(database: AnyTables, types: ColumnTypes): Promise<void> {
  await table(database, types, {
    name: "spend",
    columns: [
      ...["day bigint", "provider text", "vendor text", "calls bigint", "spent_micros bigint"],
      ...["reserved_micros bigint", "unsettled_micros bigint"],
    ],
  })
    .addPrimaryKeyConstraint("spend_key", ["account_id", "day", "provider", "vendor"])
    .execute();
  await table(database, types, { name: "spend_holds", columns: ["provider text", "until bigint"] })
    .addPrimaryKeyConstraint("spend_holds_key", ["account_id", "provider"])
    .execute();
  await table(database, types, {
    name: "schedules",
    columns: ["next_at bigint", "planned_to text"],
  })
    .addPrimaryKeyConstraint("schedules_key", ["account_id"])
    .execute();
  await database.schema
    .createIndex("schedules_by_next_at")
    .on("schedules")
    .column("next_at")
    .execute();
}

/** The accounts' own credentials of vendors, encrypted; they are deleted with their account. */
export async function createVendorCredentials(
  database: AnyTables,
  { text, bytes }: ColumnTypes,
): Promise<void> {
  await database.schema
    .createTable("vendor_credentials")
    .addColumn("account_id", text, (column) =>
      column.notNull().references("accounts.id").onDelete("cascade"),
    )
    .addColumn("vendor", text, (column) => column.notNull())
    .addColumn("sealed", bytes, (column) => column.notNull())
    .addColumn("stored_at", "bigint", (column) => column.notNull())
    .addColumn("state", text, (column) => column.notNull())
    .addColumn("until", "bigint")
    .addColumn("reason", text)
    .addPrimaryKeyConstraint("vendor_credentials_key", ["account_id", "vendor"])
    .execute();
}

/**
 * Columns for the expected cost of interrupted calls, for assumed cost, and for the places of jobs.
 * The defaults keep the meaning of earlier versions: all of it counts, and no place.
 */
export async function addSpendDoubts(database: AnyTables, types: ColumnTypes): Promise<void> {
  const { schema } = database;
  for (const name of ["excess_micros", "assumed_micros"]) {
    await schema
      .alterTable("spend")
      .addColumn(name, "bigint", (column) => column.notNull().defaultTo(0))
      .execute();
  }
  await schema.alterTable("jobs").addColumn("expected_micros", "bigint").execute();
  for (const name of ["city", "state_name"]) {
    await schema.alterTable("jobs").addColumn(name, types.text).execute();
  }
  const columns = ["day bigint", "provider text", "until bigint", "micros bigint"];
  await table(database, types, { name: "spend_doubts", columns })
    .addPrimaryKeyConstraint("spend_doubts_key", ["account_id", "day", "provider", "until"])
    .execute();
}

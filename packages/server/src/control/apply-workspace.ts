import { sql } from "kysely";
import type { Clock } from "../platform/clock.ts";
import type { ControlDatabase } from "./database.ts";
import { workspaceRowsHash } from "./row-hashes.ts";
import type { ControlTables, Flag } from "./schema.ts";
import type { Workspace } from "./workspace.ts";

/** What applying a workspace did, in numbers of accounts, entities, topics and prompts. */
export interface ApplyReport {
  readonly accountId: string;
  readonly created: number;
  /** Changed, or back after it had been retired. */
  readonly updated: number;
  /** Left out of the file: no longer counted, still stored. */
  readonly retired: number;
  readonly unchanged: number;
}

interface Tally {
  created: number;
  updated: number;
  retired: number;
  unchanged: number;
}

type OwnedRow = ControlTables["entities"] | ControlTables["topics"] | ControlTables["prompts"];
type OwnedTable = "entities" | "topics" | "prompts";

/** Makes the account track exactly what the workspace says, in one transaction. */
export function applyWorkspace(
  database: ControlDatabase,
  workspace: Workspace,
  clock: Clock,
): Promise<ApplyReport> {
  return database.transaction().execute(async (transaction) => {
    const tally: Tally = { created: 0, updated: 0, retired: 0, unchanged: 0 };
    await applyAccount(transaction, workspace, { tally, clock });
    await applyRows(transaction, {
      table: "entities",
      rows: entityRows(workspace),
      workspace,
      tally,
    });
    await applyRows(transaction, { table: "topics", rows: topicRows(workspace), workspace, tally });
    await applyRows(transaction, {
      table: "prompts",
      rows: promptRows(workspace),
      workspace,
      tally,
    });
    if (tally.created + tally.updated + tally.retired > 0) {
      await transaction
        .updateTable("accounts")
        .set({
          revision: sql`revision + 1`,
          rows_hash: await workspaceRowsHash(transaction, workspace.accountId),
        })
        .where("id", "=", workspace.accountId)
        .execute();
    }
    return { accountId: workspace.accountId, ...tally };
  });
}

async function applyAccount(
  database: ControlDatabase,
  { accountId, accountName }: Workspace,
  { tally, clock }: { readonly tally: Tally; readonly clock: Clock },
): Promise<void> {
  // A write comes first, so that a second process that applies waits here and reads what we wrote.
  const inserted = await database
    .insertInto("accounts")
    .values({ id: accountId, name: accountName, created_at: clock.now(), rows_hash: null })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .executeTakeFirst();
  if ((inserted.numInsertedOrUpdatedRows ?? 0n) > 0n) {
    tally.created++;
    return;
  }
  const renamed = await database
    .updateTable("accounts")
    .set({ name: accountName })
    .where("id", "=", accountId)
    .where("name", "!=", accountName)
    .executeTakeFirst();
  tally[renamed.numUpdatedRows > 0n ? "updated" : "unchanged"]++;
}

interface RowsToApply {
  readonly table: OwnedTable;
  readonly rows: readonly OwnedRow[];
  readonly workspace: Workspace;
  readonly tally: Tally;
}

async function applyRows(
  database: ControlDatabase,
  { table, rows, workspace, tally }: RowsToApply,
): Promise<void> {
  const stored = await database
    .selectFrom(table)
    .selectAll()
    .where("account_id", "=", workspace.accountId)
    .execute();
  const storedById = new Map(stored.map((row) => [row.id, row]));
  for (const row of rows) {
    const before = storedById.get(row.id);
    storedById.delete(row.id);
    if (before === undefined) tally.created++;
    else if (sameRow(row, before)) {
      tally.unchanged++;
      continue;
    } else tally.updated++;
    const { account_id: _, id: __, ...changes } = row;
    await database
      .insertInto(table)
      .values(row)
      .onConflict((conflict) => conflict.columns(["account_id", "id"]).doUpdateSet(changes))
      .execute();
  }
  for (const row of storedById.values()) {
    if (row.retired === 1) continue;
    tally.retired++;
    await database
      .updateTable(table)
      .set({ retired: 1 })
      .where("account_id", "=", row.account_id)
      .where("id", "=", row.id)
      .execute();
  }
}

function sameRow(a: OwnedRow, b: OwnedRow): boolean {
  const other = new Map(Object.entries(b));
  return Object.entries(a).every(([column, value]) => other.get(column) === value);
}

function flag(value: boolean): Flag {
  return value ? 1 : 0;
}

function entityRows({ accountId, entities }: Workspace): ControlTables["entities"][] {
  return entities.map((entity) => ({
    account_id: accountId,
    id: entity.id,
    kind: entity.kind,
    name: entity.name,
    case_sensitive: flag(entity.caseSensitive),
    aliases: JSON.stringify(entity.aliases),
    domains: JSON.stringify(entity.domains),
    retired: 0,
  }));
}

function topicRows({ accountId, topics }: Workspace): ControlTables["topics"][] {
  return topics.map(({ id, name }) => ({ account_id: accountId, id, name, retired: 0 }));
}

function promptRows({ accountId, prompts }: Workspace): ControlTables["prompts"][] {
  return prompts.map((prompt) => ({
    account_id: accountId,
    id: prompt.id,
    text: prompt.text,
    topic_id: prompt.topicId,
    branded: flag(prompt.branded),
    paused: flag(prompt.paused),
    retired: 0,
  }));
}

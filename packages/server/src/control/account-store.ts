import type { Selectable } from "kysely";
import type { ControlDatabase } from "./database.ts";
import type { ControlTables } from "./schema.ts";
import { type Entity, type EntityName, inSeriesOrder, type Workspace } from "./workspace.ts";

/** An account without what it tracks. */
export interface AccountSummary {
  readonly id: string;
  readonly name: string;
  /** Raised whenever its workspace changed. */
  readonly revision: number;
}

/** A prompt that an account declares, or once declared. */
export interface DeclaredPrompt {
  readonly id: string;
  readonly text: string;
  /** No workspace file names it now; it has answers all the same. */
  readonly retired: boolean;
}

/** Reads of accounts and workspaces. */
export function accountStore(database: ControlDatabase) {
  return {
    accounts: (): Promise<readonly AccountSummary[]> =>
      database.selectFrom("accounts").select(["id", "name", "revision"]).orderBy("id").execute(),
    revision: async (accountId: string): Promise<number | null> => {
      const rows = database.selectFrom("accounts").select("revision");
      const row = await rows.where("id", "=", accountId).executeTakeFirst();
      return row?.revision ?? null;
    },
    workspace: (accountId: string): Promise<Workspace | null> =>
      database.transaction().execute((snapshot) => readWorkspace(snapshot, accountId)),
    declaredPrompts: async (accountId: string): Promise<readonly DeclaredPrompt[]> => {
      const rows = await database
        .selectFrom("prompts")
        .select(["id", "text", "retired"])
        .where("account_id", "=", accountId)
        .orderBy("id")
        .execute();
      return rows.map(({ id, text, retired }) => ({ id, text, retired: retired === 1 }));
    },
  };
}

/** Read in one transaction, so that a workspace is never half of two files. */
async function readWorkspace(
  database: ControlDatabase,
  accountId: string,
): Promise<Workspace | null> {
  const account = await database
    .selectFrom("accounts")
    .select("name")
    .where("id", "=", accountId)
    .executeTakeFirst();
  if (account === undefined) return null;
  const [entities, topics, prompts] = [
    await activeRows(database, "entities", accountId),
    await activeRows(database, "topics", accountId),
    await activeRows(database, "prompts", accountId),
  ];
  return {
    accountId,
    accountName: account.name,
    entities: inSeriesOrder(entities.map(toEntity)),
    topics: topics.map(({ id, name }) => ({ id, name })),
    prompts: prompts.map((row) => ({
      id: row.id,
      text: row.text,
      topicId: row.topic_id,
      branded: row.branded === 1,
      paused: row.paused === 1,
    })),
  };
}

type OwnedTable = "entities" | "topics" | "prompts";

async function activeRows<Table extends OwnedTable>(
  database: ControlDatabase,
  table: Table,
  accountId: string,
): Promise<Selectable<ControlTables[Table]>[]> {
  const rows = await database
    .selectFrom(table as OwnedTable)
    .selectAll()
    .where("account_id", "=", accountId)
    .where("retired", "=", 0)
    .orderBy("id")
    .execute();
  return rows as Selectable<ControlTables[Table]>[];
}

/** A row of entities as the rest of the service sees it. */
export function toEntity(row: Selectable<ControlTables["entities"]>): Entity {
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    caseSensitive: row.case_sensitive === 1,
    aliases: JSON.parse(row.aliases) as readonly EntityName[],
    domains: JSON.parse(row.domains) as readonly string[],
  };
}

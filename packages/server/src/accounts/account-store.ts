import type {
  AccountCollection,
  CollectionRule,
  DeclaredReport,
  FileSource,
  Note,
  SavedView,
  StatedFact,
} from "@sightline/contract";
import type { Selectable } from "kysely";
import { audited } from "../audit/audit-log.ts";
import type { ControlEngine } from "../control/control-engine.ts";
import type { ControlDatabase } from "../control/database.ts";
import type { ControlTables, Flag } from "../control/schema.ts";
import { nextTurn } from "../platform/turns.ts";
import { sightlineNamespace, uuidV5 } from "../platform/uuid.ts";
import {
  type Entity,
  type EntityName,
  exceptOf,
  inSeriesOrder,
  type KeptField,
  type Prompt,
  type Topic,
  tagsOf,
  type Workspace,
} from "./workspace.ts";

/** An account without what it tracks. */
export interface AccountSummary {
  readonly id: string;
  readonly name: string;
  /** Incremented whenever its workspace changes. */
  readonly revision: number;
}

/** A prompt that an account declares, or declared earlier. */
export interface DeclaredPrompt {
  readonly id: string;
  readonly text: string;
  /** The current workspace file omits it; its answers are still recorded. */
  readonly retired: boolean;
}

/** Every account, by id. */
export function allAccounts({ database }: ControlEngine): Promise<readonly AccountSummary[]> {
  return database.selectFrom("accounts").select(["id", "name", "revision"]).orderBy("id").execute();
}

/**
 * Other accounts of the name from which a new account's id is derived: the file may mean one of
 * them. None, where the account is there or the file gives it an id of its own.
 */
export async function namesakesOf(
  engine: ControlEngine,
  { accountId, accountName }: Pick<Workspace, "accountId" | "accountName">,
): Promise<readonly AccountSummary[]> {
  if (accountId !== uuidV5(sightlineNamespace, accountName)) return [];
  const accounts = await allAccounts(engine);
  if (accounts.some(({ id }) => id === accountId)) return [];
  const plain = (name: string) => name.normalize("NFC").trim().toLowerCase();
  return accounts.filter(({ name }) => plain(name) === plain(accountName));
}

/** The account's name; null when there is no such account. */
export async function accountNameOf(
  { database }: ControlEngine,
  accountId: string,
): Promise<string | null> {
  const rows = database.selectFrom("accounts").select("name");
  const row = await rows.where("id", "=", accountId).executeTakeFirst();
  return row?.name ?? null;
}

/** Changes whenever the account's workspace changes; null when there is no such account. */
export async function revisionOf(
  { database }: ControlEngine,
  accountId: string,
): Promise<number | null> {
  const rows = database.selectFrom("accounts").select("revision");
  const row = await rows.where("id", "=", accountId).executeTakeFirst();
  return row?.revision ?? null;
}

/** Whether its workspace has more rows than that, retired ones included. */
export async function storesMoreThan(
  { database }: ControlEngine,
  accountId: string,
  rows: number,
): Promise<boolean> {
  const of = (table: "entities" | "topics" | "prompts") =>
    database.selectFrom(table).select("id").where("account_id", "=", accountId);
  const all = of("prompts").unionAll(of("topics")).unionAll(of("entities"));
  return (await all.limit(1).offset(rows).executeTakeFirst()) !== undefined;
}

/** Before which instant texts were removed, in milliseconds since 1970; null: none were. */
export async function textsRemovedBefore(
  { database }: ControlEngine,
  accountId: string,
): Promise<number | null> {
  const rows = database.selectFrom("accounts").select("texts_removed_before as before");
  return (await rows.where("id", "=", accountId).executeTakeFirst())?.before ?? null;
}

/** Notes that texts before an instant were removed. */
export function noteTextsRemoved(
  control: ControlEngine,
  accountId: string,
  beforeMs: number,
  now: number,
): Promise<void> {
  return audited(control, accountId, now, async ({ database }) => {
    const { numUpdatedRows } = await database
      .updateTable("accounts")
      .set({ texts_removed_before: beforeMs })
      .where("id", "=", accountId)
      .where((row) =>
        row.or([
          row("texts_removed_before", "is", null),
          row("texts_removed_before", "<", beforeMs),
        ]),
      )
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return [undefined, null];
    const before = { answeredBefore: new Date(beforeMs).toISOString() };
    return [undefined, { action: "texts.removed", subject: null, before, after: null }];
  });
}

/** The entities of the workspace alone, in the order of the series. */
export async function entitiesOf(
  { database }: ControlEngine,
  accountId: string,
): Promise<readonly Entity[]> {
  return inSeriesOrder(await activeRows(database, "entities", { accountId, read: toEntity }));
}

/** The brands of several accounts, by account. */
export async function brandsOf(
  { database }: ControlEngine,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, { readonly id: string; readonly name: string }>> {
  if (accountIds.length === 0) return new Map();
  const rows = await database
    .selectFrom("entities")
    .select(["account_id", "id", "name"])
    .where("account_id", "in", [...accountIds])
    .where("kind", "=", "brand")
    .where("retired", "=", 0)
    .execute();
  return new Map(rows.map(({ account_id, id, name }) => [account_id, { id, name }]));
}

/** The tags of several accounts; those without are missing. */
export async function accountTagsOf(
  { database }: ControlEngine,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (accountIds.length === 0) return new Map();
  const rows = await database
    .selectFrom("accounts")
    .select(["id", "account_tags as tags"])
    .where("id", "in", [...accountIds])
    .where("account_tags", "is not", null)
    .execute();
  return new Map(rows.map(({ id, tags }) => [id, JSON.parse(tags ?? "[]") as string[]]));
}

/** Every prompt the account ever declared, the retired too: their answers stay recorded. */
export async function declaredPromptsOf(
  { database }: ControlEngine,
  accountId: string,
): Promise<readonly DeclaredPrompt[]> {
  const rows = await database
    .selectFrom("prompts")
    .select(["id", "text", "retired"])
    .where("account_id", "=", accountId)
    .orderBy("id")
    .execute();
  return rows.map(({ id, text, retired }) => ({ id, text, retired: retired === 1 }));
}

/**
 * What the account currently tracks; null when there is no such account.
 *
 * Reads in pages, since SQLite blocks the thread. No transaction spans them, because it would block
 * every other caller of control: if the revision differs at the end, everything is read again, so a
 * workspace is never half of two files.
 */
export async function workspaceOf(
  { database }: ControlEngine,
  accountId: string,
): Promise<Workspace | null> {
  for (;;) {
    const before = await readAccount(database, accountId);
    if (before === undefined) return null;
    const workspace = await readRows(database, before);
    const after = await readAccount(database, accountId);
    if (after?.revision === before.revision) return workspace;
  }
}

function readAccount(database: ControlDatabase, accountId: string) {
  return database
    .selectFrom("accounts")
    .select([
      ...(["id", "name", "revision", "collection", "views", "notes", "sources"] as const),
      ...(["facts", "ignored_names", "reports", "account_tags"] as const),
    ])
    .where("id", "=", accountId)
    .executeTakeFirst();
}

async function readRows(
  database: ControlDatabase,
  {
    id: accountId,
    name,
    collection,
    ...lists
  }: Pick<Selectable<ControlTables["accounts"]>, "id" | "name" | "collection" | KeptList>,
): Promise<Workspace> {
  const entities = await activeRows(database, "entities", { accountId, read: toEntity });
  const topics = await activeRows(database, "topics", { accountId, read: toTopic });
  const prompts = await activeRows(database, "prompts", { accountId, read: toPrompt });
  return {
    accountId,
    accountName: name,
    ...readCollection<AccountCollection>(collection),
    entities: inSeriesOrder(entities),
    topics,
    prompts,
    ...readKept(lists),
  };
}

type OwnedTable = "entities" | "topics" | "prompts";

/** Rows per page: less than a turn of the event loop, even with long texts. */
const pageRows = 500;

type OwnedRow<Table extends OwnedTable> = Selectable<ControlTables[Table]> & {
  readonly retired: Flag;
};

interface RowsToRead<Table extends OwnedTable, Item> {
  readonly accountId: string;
  readonly read: (row: OwnedRow<Table>) => Item;
}

/** By id. Retired rows are filtered here and not in SQL: a page must not search long for rows. */
async function activeRows<Table extends OwnedTable, Item>(
  database: ControlDatabase,
  table: Table,
  { accountId, read }: RowsToRead<Table, Item>,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  for await (const row of ownedRows(database, table, accountId)) {
    if (row.retired === 0) items.push(read(row));
  }
  return items;
}

/** Every row of an account in a table, the retired too, by id and in pages. */
export async function* ownedRows<Table extends OwnedTable>(
  database: ControlDatabase,
  table: Table,
  accountId: string,
): AsyncGenerator<OwnedRow<Table>> {
  for (let after = ""; ; ) {
    await nextTurn();
    const page = await database
      .selectFrom(table as OwnedTable)
      .selectAll()
      .where("account_id", "=", accountId)
      .where("id", ">", after)
      .orderBy("id")
      .limit(pageRows)
      .execute();
    yield* page as OwnedRow<Table>[];
    const last = page.at(-1);
    if (last === undefined || page.length < pageRows) return;
    after = last.id;
  }
}

/** A row of entities in the form that the service uses. */
export function toEntity(row: Selectable<ControlTables["entities"]>): Entity {
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    caseSensitive: row.case_sensitive === 1,
    aliases: JSON.parse(row.aliases) as readonly EntityName[],
    domains: JSON.parse(row.domains) as readonly string[],
    ...exceptOf({ except: JSON.parse(row.except_phrases ?? "[]") as readonly string[] }),
  };
}

/** A row of topics in the form that the service uses. */
export function toTopic({ id, name, collection }: Selectable<ControlTables["topics"]>): Topic {
  return { id, name, ...readCollection<CollectionRule>(collection) };
}

/** A stored schedule as a field of its own, which is omitted when there is none. */
export function readCollection<Rule>(stored: string | null): { readonly collection?: Rule } {
  return stored === null ? {} : { collection: JSON.parse(stored) as Rule };
}

type KeptList =
  | "views"
  | "notes"
  | "sources"
  | "facts"
  | "ignored_names"
  | "reports"
  | "account_tags";

/** The classes of cited sources that an account's workspace file says. */
export async function sourceRulesOf(
  { database }: ControlEngine,
  accountId: string,
): Promise<readonly FileSource[]> {
  const accounts = database.selectFrom("accounts").select("sources");
  const row = await accounts.where("id", "=", accountId).executeTakeFirst();
  return JSON.parse(row?.sources ?? "[]") as readonly FileSource[];
}

/** The names that an account's workspace file ignores. */
export async function ignoredNamesOf(
  { database }: ControlEngine,
  accountId: string,
): Promise<readonly string[]> {
  const accounts = database.selectFrom("accounts").select("ignored_names");
  const row = await accounts.where("id", "=", accountId).executeTakeFirst();
  return JSON.parse(row?.ignored_names ?? "[]") as readonly string[];
}

/** The reports that an account's workspace file declares. */
export async function declaredReportsOf(
  { database }: Pick<ControlEngine, "database">,
  accountId: string,
): Promise<readonly DeclaredReport[]> {
  const accounts = database.selectFrom("accounts").select("reports");
  const row = await accounts.where("id", "=", accountId).executeTakeFirst();
  return JSON.parse(row?.reports ?? "[]") as readonly DeclaredReport[];
}

/** What an account's workspace file says is true of the brand. */
export async function statedFactsOf(
  { database }: Pick<ControlEngine, "database">,
  accountId: string,
): Promise<readonly StatedFact[]> {
  const accounts = database.selectFrom("accounts").select("facts");
  const row = await accounts.where("id", "=", accountId).executeTakeFirst();
  return JSON.parse(row?.facts ?? "[]") as readonly StatedFact[];
}

/** Stored lists as fields of their own, which are omitted when there are none. */
export function readKept({
  views,
  notes,
  sources,
  facts,
  ignored_names: ignoredNames,
  reports,
  account_tags: accountTags,
}: Pick<Selectable<ControlTables["accounts"]>, KeptList>): Pick<Workspace, KeptField> {
  return {
    ...(views === null ? {} : { views: JSON.parse(views) as readonly SavedView[] }),
    ...(notes === null ? {} : { notes: JSON.parse(notes) as readonly Note[] }),
    ...(sources === null ? {} : { sources: JSON.parse(sources) as readonly FileSource[] }),
    ...(facts === null ? {} : { facts: JSON.parse(facts) as readonly StatedFact[] }),
    ...(ignoredNames === null ? {} : { ignoredNames: JSON.parse(ignoredNames) as string[] }),
    ...(reports === null ? {} : { reports: JSON.parse(reports) as readonly DeclaredReport[] }),
    ...(accountTags === null ? {} : { accountTags: JSON.parse(accountTags) as string[] }),
  };
}

/** A row of prompts in the form that the service uses. */
export function toPrompt(row: Selectable<ControlTables["prompts"]>): Prompt {
  return {
    id: row.id,
    text: row.text,
    topicId: row.topic_id,
    branded: row.branded === 1,
    paused: row.paused === 1,
    ...tagsOf({ tags: JSON.parse(row.tags ?? "[]") as readonly string[] }),
    ...readCollection<CollectionRule>(row.collection),
  };
}

import { sql } from "kysely";
import { appendAudit, serviceLog, shortened } from "../audit/audit-log.ts";
import { makeScheduleDue } from "../collection/store/schedule-store.ts";
import { type ControlEngine, writeVersioned } from "../control/control-engine.ts";
import type { ControlDatabase } from "../control/database.ts";
import { workspaceRowsHash } from "../control/row-hashes.ts";
import type { ControlTables } from "../control/schema.ts";
import { requireDeleted } from "./account-deletions.ts";
import { nextChange } from "./progress-store.ts";
import { scheduleReports } from "./report-schedules.ts";
import type { Workspace } from "./workspace.ts";
import { entityRows, keptColumns, promptRows, storedRule, topicRows } from "./workspace-rows.ts";

/** Something that an apply created, updated or retired. */
export interface Change {
  readonly kind: "account" | "brand" | "competitor" | "topic" | "prompt";
  readonly id: string;
  /** For a prompt, its text. */
  readonly name: string;
}

/** The result of applying a workspace, in numbers of accounts, entities, topics and prompts. */
export interface ApplyReport {
  readonly accountId: string;
  readonly accountName: string;
  readonly created: number;
  /** Changed, or declared again after it was retired. */
  readonly updated: number;
  /** Omitted from the file: no longer counted, still stored. */
  readonly retired: number;
  readonly unchanged: number;
  readonly changes: Changes;
  /** The workspace's revision afterwards; of a dry run, as it is. */
  readonly revision: number;
}

/** Items that were created, updated and retired, in the order of the file; retired ones by id. */
export interface Changes {
  readonly created: readonly Change[];
  readonly updated: readonly Change[];
  readonly retired: readonly Change[];
  /** Those of `updated` that were retired before. */
  readonly returned: readonly Change[];
}

/** How a workspace is applied. */
export interface ApplyOptions {
  /** In milliseconds since 1970. */
  readonly now: number;
  /** Everything is computed, and nothing is written. */
  readonly dryRun?: boolean;
  /** The revisions of which the workspace must have one; omitted: it may have any. */
  readonly ifRevision?: readonly number[];
  /** Writes more in the same transaction, once an account that changed is locked and written. */
  readonly also?: (within: ControlEngine) => Promise<void>;
}

/** The workspace has another revision than was asked for; nothing was changed. */
export class WorkspaceChangedError extends Error {
  readonly revision: number;

  constructor(revision: number) {
    super(`The workspace has the revision ${revision}.`);
    this.name = "WorkspaceChangedError";
    this.revision = revision;
  }
}

/** An entry of the audit log has so many items of an apply, and the counts of all. */
const auditedItemsMax = 100;
/** All items of a side together, less than an entry may have; each has an equal part of it. */
const auditedItemsBytesMax = 50_000;

/** An item as it was and as it is. */
interface ItemChange {
  readonly before: object | null;
  readonly after: object | null;
}

/** The changes so far. */
class Tally {
  readonly #gone: ItemChange[] = [];
  readonly #others: ItemChange[] = [];
  readonly created: Change[] = [];
  readonly updated: Change[] = [];
  readonly retired: Change[] = [];
  readonly returned: Change[] = [];
  unchanged = 0;

  /** Notes an item as it was and as it is; `shown` is called only of those that are kept. */
  note(kind: "gone" | "other", shown: () => ItemChange): void {
    const items = kind === "gone" ? this.#gone : this.#others;
    if (items.length < auditedItemsMax) items.push(shown());
  }

  /** Items that changed, for the audit log: nobody hides one that is gone behind new ones. */
  get items(): readonly ItemChange[] {
    return [...this.#gone, ...this.#others].slice(0, auditedItemsMax);
  }
}

type OwnedRow = ControlTables["entities"] | ControlTables["topics"] | ControlTables["prompts"];
type OwnedTable = "entities" | "topics" | "prompts";

/**
 * Makes the account track exactly what the workspace declares, in one transaction; repeating it
 * changes nothing. With `dryRun` the report is the same, and nothing is written.
 * @throws WorkspaceChangedError when the workspace has none of the revisions `ifRevision`.
 */
export function applyWorkspace(
  engine: ControlEngine,
  accountId: string,
  declared: Workspace,
  options: ApplyOptions,
): Promise<ApplyReport> {
  const workspace = { ...declared, accountId };
  return writeVersioned(engine, async () => {
    const transaction = await engine.database.startTransaction().execute();
    try {
      const within = { ...engine, database: transaction };
      const { items, isNew, ...report } = await applyWithin(within, workspace, options);
      await options.also?.(within);
      if (isChanged(report.changes)) await writeDown(within, report, { items, now: options.now });
      if (isNew) await writeDownAccount(within, report, options.now);
      if (options.dryRun !== true) {
        await transaction.commit().execute();
        return report;
      }
      await transaction.rollback().execute();
      return { ...report, revision: report.revision - (isChanged(report.changes) ? 1 : 0) };
    } catch (error) {
      await transaction.rollback().execute();
      throw error;
    }
  });
}

function writeDown(
  within: ControlEngine,
  { accountId, created, updated, retired, revision }: ApplyReport,
  { items, now }: { readonly items: Tally["items"]; readonly now: number },
): Promise<void> {
  const bytesMax = Math.floor(auditedItemsBytesMax / Math.max(items.length, 1));
  const short = (item: object | null) => (item === null ? [] : shortened(item, bytesMax));
  const before = items.flatMap((item) => short(item.before));
  const after = items.flatMap((item) => short(item.after));
  const counts = { revision, created, updated, retired };
  return appendAudit(
    within,
    accountId,
    {
      action: "workspace.applied",
      subject: null,
      before: before.length === 0 ? null : { items: before },
      after: { ...counts, items: after },
    },
    now,
  );
}

/**
 * The service's own log says which accounts there were, by their ids alone: it outlives them.
 */
function writeDownAccount(
  within: ControlEngine,
  { accountId }: ApplyReport,
  now: number,
): Promise<void> {
  const change = { action: "account.created", subject: accountId } as const;
  return appendAudit(within, serviceLog, { ...change, before: null, after: null }, now);
}

async function applyWithin(
  { database, lock }: ControlEngine,
  workspace: Workspace,
  { now, ifRevision }: ApplyOptions,
): Promise<ApplyReport & { readonly items: Tally["items"]; readonly isNew: boolean }> {
  const tally = new Tally();
  const isNew = await addAccount(database, workspace, now);
  if (isNew) await requireDeleted(database, workspace.accountId);
  await lock(database, { account: workspace.accountId, isLong: true });
  const before = await storedRevision(database, workspace.accountId);
  if (ifRevision?.includes(before) === false) throw new WorkspaceChangedError(before);
  await applyAccount(database, workspace, { tally, isNew });
  const tables = { entities: entityRows, topics: topicRows, prompts: promptRows };
  for (const [table, rowsOf] of Object.entries(tables)) {
    const rows = rowsOf(workspace);
    await applyRows(database, { table: table as OwnedTable, rows, workspace, tally });
  }
  const { created, updated, retired, returned, unchanged, items } = tally;
  const changes = { created, updated, retired, returned };
  if (isChanged(changes)) {
    await makeScheduleDue(database, workspace.accountId, now);
    if (workspace.reports !== undefined) {
      await scheduleReports(database, workspace.accountId, { reports: workspace.reports, now });
    }
    const rowsHash = await workspaceRowsHash(database, workspace.accountId);
    await lock(database, "changes");
    await database
      .updateTable("accounts")
      .set({ revision: sql`revision + 1`, change: nextChange, rows_hash: rowsHash })
      .where("id", "=", workspace.accountId)
      .execute();
  }
  return {
    items,
    isNew,
    accountId: workspace.accountId,
    accountName: workspace.accountName,
    created: created.length,
    updated: updated.length,
    retired: retired.length,
    unchanged,
    changes,
    revision: before + (isChanged(changes) ? 1 : 0),
  };
}

function isChanged({ created, updated, retired }: Changes): boolean {
  return created.length + updated.length + retired.length > 0;
}

async function storedRevision(database: ControlDatabase, accountId: string): Promise<number> {
  const rows = database.selectFrom("accounts").select("revision");
  return (await rows.where("id", "=", accountId).executeTakeFirstOrThrow()).revision;
}

/**
 * Whether the account is a new one. A write comes first, so that a concurrent apply waits here and
 * then reads what we wrote.
 */
async function addAccount(
  database: ControlDatabase,
  { accountId, accountName, collection, ...lists }: Workspace,
  now: number,
): Promise<boolean> {
  const declared = { name: accountName, collection: storedRule(collection), ...keptColumns(lists) };
  const inserted = await database
    .insertInto("accounts")
    .values({ id: accountId, ...declared, created_at: now, recorded: 0 })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .executeTakeFirst();
  return (inserted.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

async function applyAccount(
  database: ControlDatabase,
  { accountId, accountName, collection, ...lists }: Workspace,
  { tally, isNew }: { readonly tally: Tally; readonly isNew: boolean },
): Promise<void> {
  const change = { kind: "account", id: accountId, name: accountName } as const;
  const declared = { name: accountName, collection: storedRule(collection), ...keptColumns(lists) };
  if (isNew) {
    tally.created.push(change);
    tally.note("other", () => ({ before: null, after: { kind: "account", ...declared } }));
    return;
  }
  const before = await database
    .selectFrom("accounts")
    .select([
      ...(["name", "collection", "views", "notes", "sources"] as const),
      ...(["facts", "ignored_names", "reports", "account_tags"] as const),
    ])
    .where("id", "=", accountId)
    .executeTakeFirstOrThrow();
  const after = { ...before, ...declared };
  const changed = Object.keys(after).filter((name) => {
    return before[name as keyof typeof before] !== after[name as keyof typeof before];
  });
  if (changed.length === 0) {
    tally.unchanged++;
    return;
  }
  await database.updateTable("accounts").set(declared).where("id", "=", accountId).execute();
  tally.updated.push(change);
  const side = (row: object) => ({
    kind: "account",
    ...Object.fromEntries(Object.entries(row).filter(([name]) => changed.includes(name))),
  });
  tally.note("other", () => ({ before: side(before), after: side(after) }));
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
    .orderBy("id")
    .execute();
  const storedById = new Map(stored.map((row) => [row.id, row]));
  const changed: OwnedRow[] = [];
  for (const row of rows) {
    const before = storedById.get(row.id);
    storedById.delete(row.id);
    if (before !== undefined && sameRow(row, before)) {
      tally.unchanged++;
      continue;
    }
    tally[before === undefined ? "created" : "updated"].push(changeOf(row));
    if (before?.retired === 1) tally.returned.push(changeOf(row));
    tally.note("other", () => {
      return { before: before === undefined ? null : shown(before), after: shown(row) };
    });
    changed.push(row);
  }
  for (const row of storedById.values()) {
    if (row.retired === 1) continue;
    tally.retired.push(changeOf(row));
    tally.note("gone", () => ({ before: shown(row), after: null }));
    changed.push({ ...row, retired: 1 });
  }
  await writeRows(database, table, changed);
}

/** A statement per row would take minutes and a gigabyte for 100,000 prompts. */
const rowsOfStatement = 200;

/** Inserts rows of one table, or updates those that are there. */
export async function writeRows(
  database: ControlDatabase,
  table: OwnedTable,
  rows: readonly OwnedRow[],
): Promise<void> {
  const written = Object.keys(rows[0] ?? {}).filter((name) => !["account_id", "id"].includes(name));
  const changes = Object.fromEntries(written.map((name) => [name, sql.ref(`excluded.${name}`)]));
  // In the order of the table's key: each page of it is then written once, not once per row.
  const sorted = rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  for (let first = 0; first < sorted.length; first += rowsOfStatement) {
    await database
      .insertInto(table)
      .values(sorted.slice(first, first + rowsOfStatement))
      .onConflict((conflict) => conflict.columns(["account_id", "id"]).doUpdateSet(changes))
      .execute();
  }
}

function changeOf(row: OwnedRow): Change {
  if ("kind" in row) return { kind: row.kind, id: row.id, name: row.name };
  return "text" in row
    ? { kind: "prompt", id: row.id, name: row.text }
    : { kind: "topic", id: row.id, name: row.name };
}

/** A row as the audit log has it: an item with its kind, without columns that say nothing. */
function shown(row: OwnedRow): object {
  const { account_id: _, retired, ...columns } = row;
  const said = Object.entries(columns).filter(([, value]) => value !== null);
  const state = retired === 1 ? { retired: true } : {};
  return { kind: changeOf(row).kind, ...Object.fromEntries(said), ...state };
}

function sameRow(a: OwnedRow, b: OwnedRow): boolean {
  const other = new Map(Object.entries(b));
  return Object.entries(a).every(([column, value]) => other.get(column) === value);
}

/** How many recorded answers a change of the workspace stops or begins to count. */
export interface ApplyEffects {
  /** Those of the prompts that it retires. */
  readonly answersNoLongerCounted: number;
  /** Those of the prompts that were retired and are declared again. */
  readonly answersCountedAgain: number;
}

/**
 * What a change of the workspace means for the answers.
 * @param countByPrompt the answers of each prompt of the account that would count; asked only when
 * prompts were retired or declared again.
 */
export async function applyEffects(
  { retired, returned }: Changes,
  countByPrompt: () => Promise<ReadonlyMap<string, number>>,
): Promise<ApplyEffects> {
  const isPrompt = ({ kind }: Change) => kind === "prompt";
  const [gone, back] = [retired.filter(isPrompt), returned.filter(isPrompt)];
  if (gone.length + back.length === 0) return { answersNoLongerCounted: 0, answersCountedAgain: 0 };
  const counts = await countByPrompt();
  const sum = (prompts: readonly Change[]) =>
    prompts.reduce((total, { id }) => total + (counts.get(id) ?? 0), 0);
  return { answersNoLongerCounted: sum(gone), answersCountedAgain: sum(back) };
}

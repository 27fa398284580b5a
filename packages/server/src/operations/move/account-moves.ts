import type {
  AccountCollection,
  DeclaredReport,
  FileSource,
  Note,
  SavedView,
  StatedFact,
} from "@sightline/contract";
import { requireDeleted } from "../../accounts/account-deletions.ts";
import {
  declaredReportsOf,
  ownedRows,
  readCollection,
  readKept,
  toEntity,
  toPrompt,
  toTopic,
} from "../../accounts/account-store.ts";
import { writeRows } from "../../accounts/apply-workspace.ts";
import { nextChange } from "../../accounts/progress-store.ts";
import { scheduleReports } from "../../accounts/report-schedules.ts";
import type { Entity, Prompt, Topic } from "../../accounts/workspace.ts";
import {
  entityRows,
  keptColumns,
  promptRows,
  storedRule,
  topicRows,
} from "../../accounts/workspace-rows.ts";
import { appendAudit, serviceLog } from "../../audit/audit-log.ts";
import { makeScheduleDue } from "../../collection/store/schedule-store.ts";
import { type ControlEngine, writeVersioned } from "../../control/control-engine.ts";
import type { ControlDatabase } from "../../control/database.ts";
import { workspaceRowsHash } from "../../control/row-hashes.ts";
import type { Flag } from "../../control/schema.ts";
import { type KeyRecord, keyRow } from "../../keys/key-store.ts";
import type { UsageCount } from "../../keys/limits/usage-store.ts";

/** What an account declares, or declared earlier. */
export type DeclaredItem =
  | { readonly kind: "entity"; readonly retired: boolean; readonly item: Entity }
  | { readonly kind: "topic"; readonly retired: boolean; readonly item: Topic }
  | { readonly kind: "prompt"; readonly retired: boolean; readonly item: Prompt };

/** An account by itself, as another service goes on with it. */
export interface AccountToMove {
  readonly name: string;
  /** Milliseconds since 1970, UTC. */
  readonly createdAt: number;
  /** Omitted: it says nothing about collection. */
  readonly collection?: AccountCollection;
  /** Omitted: there are none. */
  readonly views?: readonly SavedView[];
  readonly notes?: readonly Note[];
  readonly sources?: readonly FileSource[];
  readonly facts?: readonly StatedFact[];
  readonly ignoredNames?: readonly string[];
  readonly reports?: readonly DeclaredReport[];
  readonly accountTags?: readonly string[];
}

/** An account that arrives. */
export interface ArrivingAccount extends AccountToMove {
  /** SHA-256 of the file that it comes from, hexadecimal. */
  readonly fileHash: string;
}

/** What arrives with an account, and makes it usable. */
export interface ArrivingKeys {
  readonly keys: readonly KeyRecord[];
  readonly usage: readonly UsageCount[];
}

/** An account as it moves; null when there is no such account. */
export async function accountToMove(
  { database }: ControlEngine,
  accountId: string,
): Promise<AccountToMove | null> {
  const lists = ["views", "notes", "sources", "facts", "ignored_names", "reports"] as const;
  const columns = ["name", "created_at", "collection", "account_tags", ...lists] as const;
  const rows = database.selectFrom("accounts").select(columns);
  const row = await rows.where("id", "=", accountId).executeTakeFirst();
  if (row === undefined) return null;
  const { name, created_at: createdAt, collection, ...kept } = row;
  return { name, createdAt, ...readCollection<AccountCollection>(collection), ...readKept(kept) };
}

/** The stored counts of the account's keys. */
export function usageOfAccount(
  { database }: ControlEngine,
  accountId: string,
): Promise<readonly UsageCount[]> {
  return database
    .selectFrom("key_usage")
    .innerJoin("keys", "keys.id", "key_usage.key_id")
    .select(["key_usage.key_id as keyId", "key_usage.day", "key_usage.calls"])
    .where("keys.account_id", "=", accountId)
    .orderBy("key_usage.key_id")
    .orderBy("key_usage.day")
    .execute();
}

/** Everything that the account declares or declared: entities, topics, prompts; each by id. */
export async function* declaredItems(
  { database }: ControlEngine,
  accountId: string,
): AsyncGenerator<DeclaredItem> {
  for await (const row of ownedRows(database, "entities", accountId)) {
    yield { kind: "entity", ...state(row), item: toEntity(row) };
  }
  for await (const row of ownedRows(database, "topics", accountId)) {
    yield { kind: "topic", ...state(row), item: toTopic(row) };
  }
  for await (const row of ownedRows(database, "prompts", accountId)) {
    yield { kind: "prompt", ...state(row), item: toPrompt(row) };
  }
}

function state({ retired }: { readonly retired: Flag }) {
  return { retired: retired === 1 };
}

/**
 * Makes the account without anything in it. `resumed`: the same file arrived in part before;
 * `exists`: the account does, and nothing was changed.
 */
export function beginMove(
  { database }: ControlEngine,
  accountId: string,
  account: ArrivingAccount,
): Promise<"begun" | "resumed" | "exists"> {
  return database.transaction().execute((transaction) => begin(transaction, accountId, account));
}

async function begin(
  database: ControlDatabase,
  accountId: string,
  { name, createdAt, fileHash, collection, ...lists }: ArrivingAccount,
): Promise<"begun" | "resumed" | "exists"> {
  const stored = { collection: storedRule(collection), ...keptColumns(lists) };
  const inserted = await database
    .insertInto("accounts")
    .values({ id: accountId, name, created_at: createdAt, recorded: 0, ...stored })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .executeTakeFirst();
  if ((inserted.numInsertedOrUpdatedRows ?? 0n) > 0n) {
    await requireDeleted(database, accountId);
    await database
      .insertInto("moves")
      .values({ account_id: accountId, file_hash: fileHash })
      .execute();
    return "begun";
  }
  const moves = database.selectFrom("moves").select("file_hash");
  const move = await moves.where("account_id", "=", accountId).executeTakeFirst();
  return move?.file_hash === fileHash ? "resumed" : "exists";
}

/** Stores items of an account that arrives. Repeating it changes nothing. */
export async function addDeclared(
  { database }: ControlEngine,
  accountId: string,
  items: readonly DeclaredItem[],
): Promise<void> {
  const flag = ({ retired }: DeclaredItem): { retired: Flag } => ({ retired: retired ? 1 : 0 });
  const entities = items.flatMap((each) =>
    each.kind === "entity"
      ? entityRows({ accountId, entities: [each.item] }).map((row) => ({ ...row, ...flag(each) }))
      : [],
  );
  const topics = items.flatMap((each) =>
    each.kind === "topic"
      ? topicRows({ accountId, topics: [each.item] }).map((row) => ({ ...row, ...flag(each) }))
      : [],
  );
  const prompts = items.flatMap((each) =>
    each.kind === "prompt"
      ? promptRows({ accountId, prompts: [each.item] }).map((row) => ({ ...row, ...flag(each) }))
      : [],
  );
  await database.transaction().execute(async (transaction) => {
    await writeRows(transaction, "entities", entities);
    await writeRows(transaction, "topics", topics);
    await writeRows(transaction, "prompts", prompts);
  });
}

/** Stores the keys, and with that ends the move; all in one transaction. */
export function endMove(
  control: ControlEngine,
  accountId: string,
  arriving: ArrivingKeys,
  now: number,
): Promise<void> {
  return writeVersioned(control, () => end(control, accountId, { ...arriving, now }));
}

async function end(
  control: ControlEngine,
  accountId: string,
  { keys, usage, now }: ArrivingKeys & { readonly now: number },
): Promise<void> {
  const { database, lock } = control;
  await database.transaction().execute(async (transaction) => {
    await lock(transaction, { account: accountId, isLong: true });
    const ended = await transaction
      .deleteFrom("moves")
      .where("account_id", "=", accountId)
      .executeTakeFirst();
    if (ended.numDeletedRows === 0n) throw new Error(`${accountId} is not being moved here`);
    for (const key of keys) {
      // A right to create accounts is given by this service's operator, not by another service.
      const scopes = key.scopes.filter((scope) => scope !== "accounts");
      await transaction
        .insertInto("keys")
        .values(keyRow({ ...key, scopes, accountId }))
        .execute();
    }
    for (const { keyId, day, calls } of usage) {
      await transaction.insertInto("key_usage").values({ key_id: keyId, day, calls }).execute();
    }
    await makeScheduleDue(transaction, accountId, now);
    const reports = await declaredReportsOf({ database: transaction }, accountId);
    await scheduleReports(transaction, accountId, { reports, now });
    const rowsHash = await workspaceRowsHash(transaction, accountId);
    await lock(transaction, "changes");
    await transaction
      .updateTable("accounts")
      .set({ change: nextChange, rows_hash: rowsHash })
      .where("id", "=", accountId)
      .execute();
    const within = { ...control, database: transaction };
    const arrived = { action: "account.arrived", before: null } as const;
    const inOwn = { ...arrived, subject: null, after: { keys: keys.length } };
    await appendAudit(within, accountId, inOwn, now);
    await appendAudit(within, serviceLog, { ...arrived, subject: accountId, after: null }, now);
  });
}

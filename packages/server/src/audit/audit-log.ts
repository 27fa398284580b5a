import { createHash } from "node:crypto";
import type { AuditAction } from "@sightline/contract";
import type { Selectable } from "kysely";
import { type ControlEngine, withinTransaction } from "../control/control-engine.ts";
import type { ControlTables } from "../control/schema.ts";
import type { Actor } from "../platform/actor.ts";
import { nextTurn } from "../platform/turns.ts";

/** The log of what no account has: accounts that come and go. */
export const serviceLog = "";

/** A change that is written down. Before and after are JSON; null: that side has nothing. */
export interface AuditedChange {
  readonly action: AuditAction;
  /** The id of what was changed; null: the account itself. */
  readonly subject: string | null;
  readonly before: object | null;
  readonly after: object | null;
}

/** An entry of an account's log. */
export interface AuditEntry extends AuditedChange {
  /** 1 for the first entry of an account, without gaps. */
  readonly sequence: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly actor: Actor;
  /** SHA-256 (hexadecimal) of the entry and of the hash of the entry before it. */
  readonly hash: string;
}

/** Which entries are read. */
export interface AuditSelection {
  readonly action: AuditAction | null;
  readonly actorId: string | null;
  readonly subject: string | null;
  /** Milliseconds since 1970. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Only entries before this one; null: the newest ones. */
  readonly before: number | null;
  readonly limit: number;
}

type Row = Selectable<ControlTables["audit"]>;

/** Nothing longer is stored of one side of a change, so that no entry outgrows what it tells of. */
const sideBytesMax = 65_536;

/**
 * Runs a write and its entry in one transaction: neither is there without the other. In a
 * transaction already, both are part of it.
 * @param write gives the change; null: nothing was changed, and no entry is written.
 */
export function audited<Result>(
  engine: ControlEngine,
  accountId: string,
  atMs: number,
  write: (within: ControlEngine) => Promise<readonly [Result, AuditedChange | null]>,
): Promise<Result> {
  return withinTransaction(engine, async (within) => {
    const [result, change] = await write(within);
    if (change !== null) await appendAudit(within, accountId, change, atMs);
    return result;
  });
}

/**
 * Appends an entry within a transaction. Its lock is the last that a transaction takes: entries of
 * an account have an order.
 */
export async function appendAudit(
  { database, lock, actor }: ControlEngine,
  accountId: string,
  { action, subject, before, after }: AuditedChange,
  atMs: number,
): Promise<void> {
  await lock(database, { auditOf: accountId });
  const { entries, head } = await endOfAudit(database, accountId);
  const { requestId, ...who } = actor;
  const row = {
    account_id: accountId,
    sequence: entries + 1,
    at: atMs,
    actor: JSON.stringify(who),
    actor_id: actor.id,
    request_id: requestId,
    action,
    subject,
    before: sideOf(before),
    after: sideOf(after),
  };
  const hash = auditHash(head ?? "", row);
  await database
    .insertInto("audit")
    .values({ ...row, hash })
    .execute();
}

/** The number of entries of a log, and the hash of the last one; null: there is none. */
export async function endOfAudit(
  database: ControlEngine["database"],
  accountId: string,
): Promise<Omit<VerifiedAudit, "brokenAt">> {
  const last = await database
    .selectFrom("audit")
    .select(["sequence", "hash"])
    .where("account_id", "=", accountId)
    .orderBy("sequence", "desc")
    .limit(1)
    .executeTakeFirst();
  return { entries: last?.sequence ?? 0, head: last?.hash ?? null };
}

function sideOf(side: object | null): string | null {
  return side === null ? null : JSON.stringify(shortened(side, sideBytesMax));
}

/**
 * The same when its JSON is no longer than `bytesMax`; else without its longest fields, of which
 * their length is left. What is short stays: nobody hides a change behind something long.
 */
export function shortened(side: object, bytesMax: number): object {
  const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value) ?? "");
  const fields = Object.entries(side).map(([name, value]) => ({ name, bytes: bytesOf(value) }));
  let short: Readonly<Record<string, unknown>> = { ...side };
  for (const { name, bytes } of fields.toSorted((a, b) => b.bytes - a.bytes)) {
    if (bytesOf(short) <= bytesMax) break;
    short = { ...short, [name]: { leftOut: true, bytes } };
  }
  return short;
}

/** The hash of an entry after one with the hash `previous`; empty: it is the first. */
function auditHash(previous: string, row: Omit<Row, "hash">): string {
  const { account_id, sequence, at, action, subject, before, after } = row;
  const who = [row.actor, row.actor_id, row.request_id];
  return createHash("sha256")
    .update(
      JSON.stringify([previous, account_id, sequence, at, ...who, action, subject, before, after]),
    )
    .digest("hex");
}

/** So many entries are looked through in one go: others are served in between. */
const lookedAtOnce = 10_000;

/** Entries of an account, newest first. */
export async function auditOf(
  { database }: ControlEngine,
  accountId: string,
  { before, limit, ...filters }: AuditSelection,
): Promise<readonly AuditEntry[]> {
  const { entries } = await endOfAudit(database, accountId);
  const found: Row[] = [];
  for (let end = Math.min(before ?? Number.POSITIVE_INFINITY, entries + 1); end > 1; ) {
    const first = Math.max(end - lookedAtOnce, 1);
    const rows = filtered(database, accountId, filters)
      .where("sequence", ">=", first)
      .where("sequence", "<", end)
      .orderBy("sequence", "desc");
    found.push(...(await rows.limit(limit - found.length).execute()));
    if (found.length >= limit) break;
    end = first;
    await nextTurn();
  }
  return found.map(toEntry);
}

function filtered(
  database: ControlEngine["database"],
  accountId: string,
  { action, actorId, subject, fromMs, toMs }: Omit<AuditSelection, "before" | "limit">,
) {
  let rows = database.selectFrom("audit").selectAll().where("account_id", "=", accountId);
  if (action !== null) rows = rows.where("action", "=", action);
  if (actorId !== null) rows = rows.where("actor_id", "=", actorId);
  if (subject !== null) rows = rows.where("subject", "=", subject);
  if (Number.isFinite(fromMs)) rows = rows.where("at", ">=", fromMs);
  if (Number.isFinite(toMs)) rows = rows.where("at", "<", toMs);
  return rows;
}

function toEntry({ actor, request_id: requestId, before, after, ...row }: Row): AuditEntry {
  return {
    sequence: row.sequence,
    at: row.at,
    actor: { ...(JSON.parse(actor) as Omit<Actor, "requestId">), requestId },
    action: row.action,
    subject: row.subject,
    before: before === null ? null : (JSON.parse(before) as object),
    after: after === null ? null : (JSON.parse(after) as object),
    hash: row.hash,
  };
}

/** Entries are read in parts: a log may be long. */
const verifiedAtOnce = 1_000;

/** What a log is found to be. */
export interface VerifiedAudit {
  readonly entries: number;
  /** The hash of the last entry: as long as it stands elsewhere, no entry can be taken away. */
  readonly head: string | null;
  /** The first entry that does not follow from the one before it; null: all do. */
  readonly brokenAt: number | null;
}

/** Whether each entry of a log follows from the one before it. */
export async function verifyAudit(
  { database }: Pick<ControlEngine, "database">,
  accountId: string,
): Promise<VerifiedAudit> {
  let entries = 0;
  let head: string | null = null;
  for (;;) {
    const all = database.selectFrom("audit").selectAll().where("account_id", "=", accountId);
    // The first part has no lower bound: an entry before the first one is found, too.
    const next = entries === 0 ? all : all.where("sequence", ">", entries);
    const rows = await next.orderBy("sequence").limit(verifiedAtOnce).execute();
    for (const row of rows) {
      const follows = row.sequence === entries + 1 && auditHash(head ?? "", row) === row.hash;
      if (!follows) return { entries, head, brokenAt: entries + 1 };
      entries = row.sequence;
      head = row.hash;
    }
    if (rows.length < verifiedAtOnce) return { entries, head, brokenAt: null };
  }
}

/** What is wrong with any log, for people; empty: nothing. */
export async function auditFaults(database: ControlEngine["database"]): Promise<readonly string[]> {
  const rows = await database
    .selectFrom("audit")
    .select("account_id")
    .distinct()
    .orderBy("account_id")
    .execute();
  const faults: string[] = [];
  for (const { account_id: id } of rows) {
    const { brokenAt } = await verifyAudit({ database }, id);
    const log = id === serviceLog ? "the service" : `account ${id}`;
    if (brokenAt !== null) faults.push(`entry ${brokenAt} of the audit log of ${log} was changed`);
  }
  return faults;
}

import { type Selectable, sql } from "kysely";
import type { ControlEngine } from "../control/control-engine.ts";
import type { ControlDatabase } from "../control/database.ts";
import type { ControlTables } from "../control/schema.ts";
import { byCodeUnit } from "../platform/by-code-unit.ts";

/** How far a record goes. */
export interface RecordEnd {
  /** The last place taken; 0 when nothing is recorded. */
  readonly sequence: number;
  /** When the newest answer was recorded, in milliseconds since 1970; null: there is none. */
  readonly recordedAtMs: number | null;
}

/** What facts are derived by. */
interface Projected {
  /** The last place in the record that they hold. */
  readonly sequence: number;
  /** Of the workspace. */
  readonly revision: number;
  /** Of the extraction, and of the facts' tables. */
  readonly rules: string;
}

/** How far an account's record goes, and how far its facts do. */
export interface AccountProgress {
  readonly id: string;
  /** Of the workspace. */
  readonly revision: number;
  /** As an import noted it; null: a version that did not note it made the account. */
  readonly recorded: RecordEnd | null;
  /** Null: there are no facts. */
  readonly projected: Projected | null;
  /** Its place in the order of changes. */
  readonly change: number;
  /** Whether there ever were: if not, what is recorded is the account's first import. */
  readonly hadFacts: boolean;
  /** Whether names that nobody tracks were ever asked for: its facts have them from then on. */
  readonly asksNames: boolean;
}

/** What the projection has done for an account. */
export interface ProjectionNote {
  readonly accountId: string;
  /** As the projection found it; noted unless the account changed since `change`. */
  readonly recorded: RecordEnd;
  readonly change: number;
  /** Null: there are no facts. Noted unless facts were forgotten since `change`. */
  readonly projected: Projected | null;
}

/** Sums over all accounts. */
export interface ProgressTotals {
  readonly recorded: number;
  /** Recorded answers that are not in the facts. */
  readonly behind: number;
  /** When the newest answer was recorded, in milliseconds since 1970; null: there is none. */
  readonly recordedAtMs: number | null;
}

/** What changed. */
export interface AccountChanges {
  readonly accounts: readonly AccountProgress[];
  readonly cursor: number;
}

/**
 * The next place in the order of changes. A writer holds the lock `changes`: otherwise a place
 * could show after a later one, which a reader has seen already. The place of an account that is
 * deleted may be given out again: then a reader looks with `behind`.
 */
export const nextChange = sql<number>`(select coalesce(max(change), 0) + 1 from accounts)`;

const columns = [
  ...(["id", "revision", "recorded", "recorded_at", "change"] as const),
  ...(["projected", "projected_revision", "projected_rules", "names_asked"] as const),
] as const;

type ProgressRow = Pick<Selectable<ControlTables["accounts"]>, (typeof columns)[number]>;

/** How far an account is; null: there is no such account. */
export async function progressOf(
  { database }: ControlEngine,
  accountId: string,
): Promise<AccountProgress | null> {
  const rows = database.selectFrom("accounts").select(columns);
  const row = await rows.where("id", "=", accountId).executeTakeFirst();
  return row === undefined ? null : toProgress(row);
}

/**
 * The accounts whose workspace or record changed after a place in the order of changes, in that
 * order, and the place up to which they are all; 0 is before the first change.
 */
export async function changesAfter(
  { database }: ControlEngine,
  after: number,
): Promise<AccountChanges> {
  const rows = database.selectFrom("accounts").select(columns);
  const changed = await rows.where("change", ">", after).orderBy("change").execute();
  return { accounts: changed.map(toProgress), cursor: changed.at(-1)?.change ?? after };
}

/**
 * The accounts whose facts may not be up to date, by id; those that never had any, and have no
 * answers, are. What changes from now on comes after the cursor.
 */
export async function accountsBehind(
  { database }: ControlEngine,
  rules: string,
): Promise<AccountChanges> {
  const { cursor } = await database
    .selectFrom("accounts")
    .select(sql<number>`coalesce(max(change), 0)`.as("cursor"))
    .executeTakeFirstOrThrow();
  const late = await database
    .selectFrom("accounts")
    .select(columns)
    .where((where) =>
      where.or([
        where("recorded", "is", null),
        // Also without any answer left: what was removed may be in the facts.
        where.and([where("projected", "is", null), where("projected_rules", "is not", null)]),
        where.and([
          where("recorded", ">", 0),
          where.or([
            where("projected", "is", null),
            where("projected", "<", where.ref("recorded")),
            where("projected_revision", "!=", where.ref("revision")),
            where("projected_rules", "!=", rules),
          ]),
        ]),
      ]),
    )
    .orderBy("id")
    .execute();
  return { accounts: late.map(toProgress), cursor };
}

/** The accounts of imports that have begun and not ended; one that was killed never ends. */
export async function recordingAccounts({ database }: ControlEngine): Promise<readonly string[]> {
  const found = await database.selectFrom("recordings").select("account_id").distinct().execute();
  return found.map(({ account_id }) => account_id);
}

/** Sums over all accounts, by one look at control. */
export async function totalsOf({
  database,
}: Pick<ControlEngine, "database">): Promise<ProgressTotals> {
  const { recorded, behind, recordedAtMs } = await database
    .selectFrom("accounts")
    .select([
      // Sums are of a wider type in PostgreSQL, which would be read as text.
      sql<number>`cast(coalesce(sum(recorded), 0) as bigint)`.as("recorded"),
      sql<number>`cast(coalesce(sum(case when recorded > coalesce(projected, 0)
        then recorded - coalesce(projected, 0) else 0 end), 0) as bigint)`.as("behind"),
      sql<number | null>`max(recorded_at)`.as("recordedAtMs"),
    ])
    .executeTakeFirstOrThrow();
  return { recorded, behind, recordedAtMs };
}

/** Notes that an import records answers now. To be repeated while it goes on. */
export async function beginRecording(
  { database }: ControlEngine,
  accountId: string,
  importId: string,
  now: number,
): Promise<void> {
  await database
    .insertInto("recordings")
    .values({ id: importId, account_id: accountId, at: now })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ at: now }))
    .execute();
}

/**
 * Writes an account's row, with `change: nextChange`, by which every node finds it. The account is
 * locked before what gives changes their order.
 */
export function changeAccount(
  { together, lock }: ControlEngine,
  accountId: string,
  write: (transaction: ControlDatabase) => Promise<unknown>,
): Promise<void> {
  return together(async (transaction) => {
    await lock(transaction, { account: accountId });
    await lock(transaction, "changes");
    await write(transaction);
  });
}

/** Notes how far an account's record goes now. */
export function noteRecorded(
  engine: ControlEngine,
  accountId: string,
  { sequence, recordedAtMs }: RecordEnd,
): Promise<void> {
  return changeAccount(engine, accountId, (transaction) =>
    transaction
      .updateTable("accounts")
      .set({ recorded: sequence, recorded_at: recordedAtMs, change: nextChange })
      .where("id", "=", accountId)
      .execute(),
  );
}

/** Notes that names that nobody tracks are asked for, unless they were before. */
export function noteNamesAsked(
  engine: ControlEngine,
  accountId: string,
  nowMs: number,
): Promise<void> {
  return changeAccount(engine, accountId, (transaction) =>
    transaction
      .updateTable("accounts")
      .set({ names_asked: new Date(nowMs).toISOString(), change: nextChange })
      .where("id", "=", accountId)
      .where("names_asked", "is", null)
      .execute(),
  );
}

/** Notes that an import records no more. */
export async function endRecording({ database }: ControlEngine, importId: string): Promise<void> {
  await database.deleteFrom("recordings").where("id", "=", importId).execute();
}

/** Forgets the imports that were last noted before an instant. */
export async function forgetRecordings(
  { database }: ControlEngine,
  beforeMs: number,
): Promise<void> {
  await database.deleteFrom("recordings").where("at", "<", beforeMs).execute();
}

/** Notes what the projection did, all in one transaction. */
export function noteProjected(
  { database }: ControlEngine,
  notes: readonly ProjectionNote[],
): Promise<void> {
  return database.transaction().execute(async (transaction) => {
    // In one order, so that two nodes do not wait for each other.
    const ordered = notes.toSorted((a, b) => byCodeUnit(a.accountId, b.accountId));
    for (const note of ordered) await noteOne(transaction, note);
  });
}

async function noteOne(
  database: ControlDatabase,
  { accountId, recorded, change, projected }: ProjectionNote,
): Promise<void> {
  await database
    .updateTable("accounts")
    .set({ recorded: recorded.sequence, recorded_at: recorded.recordedAtMs })
    .where("id", "=", accountId)
    .where("change", "=", change)
    .execute();
  await database
    .updateTable("accounts")
    .set({
      projected: projected?.sequence ?? null,
      projected_revision: projected?.revision ?? null,
      projected_rules: projected?.rules ?? null,
    })
    .where("id", "=", accountId)
    .where((row) =>
      row.or([
        row("change", "=", change),
        // Forgotten since, by who removed answers: these facts may have them.
        row("projected", "is not", null),
        row("projected_rules", "is", null),
      ]),
    )
    .execute();
}

/**
 * Notes that an account has no facts, so that they are rebuilt; null: every account. Facts of
 * several nodes are then out of force; those in a file are to be deleted.
 */
export async function forgetProjected(
  engine: ControlEngine,
  accountId: string | null,
): Promise<void> {
  const { database, dropFacts } = engine;
  const forget = database.updateTable("accounts").set({ projected: null });
  if (dropFacts === null) {
    await (accountId === null ? forget : forget.where("id", "=", accountId)).execute();
    return;
  }
  const all = await database.selectFrom("accounts").select("id").orderBy("id").execute();
  for (const { id } of all) {
    if (accountId === null || id === accountId) await forgetAndDrop(engine, dropFacts, id);
  }
}

/** Nodes that run see the change, and build the facts again. */
function forgetAndDrop(
  engine: ControlEngine,
  dropFacts: NonNullable<ControlEngine["dropFacts"]>,
  accountId: string,
): Promise<void> {
  return changeAccount(engine, accountId, async (transaction) => {
    await transaction
      .updateTable("accounts")
      .set({ projected: null, change: nextChange })
      .where("id", "=", accountId)
      .execute();
    await dropFacts(transaction, accountId);
  });
}

function toProgress(row: ProgressRow): AccountProgress {
  const { id, revision, recorded, projected, projected_revision, projected_rules } = row;
  return {
    id,
    revision,
    recorded:
      recorded === null ? null : { sequence: recorded, recordedAtMs: row.recorded_at ?? null },
    projected:
      projected === null || projected_revision === null || projected_rules === null
        ? null
        : { sequence: projected, revision: projected_revision, rules: projected_rules },
    change: row.change,
    hadFacts: projected_rules !== null,
    asksNames: row.names_asked !== null,
  };
}

import { sql } from "kysely";
import type { Clock } from "../../platform/clock.ts";
import type { ControlEngine, ControlLock } from "../control-engine.ts";
import type { ControlDatabase } from "../database.ts";
import { computesLong, lockInTransaction, lockSpend } from "./advisory-locks.ts";
import { ChangeListener } from "./change-listener.ts";
import { migratePostgres } from "./migrate-postgres.ts";
import { openPostgresDatabase } from "./postgres-dialect.ts";
import { PostgresLeases } from "./postgres-leases.ts";

/** For commands, which apply large workspaces and wait for each other. */
const commandStatementMs = 60_000;
const connectionsMax = 10;
/** Far less than a lease lasts: a renewal over a dead connection is tried again in time. */
const leaseStatementMs = 1_500;

/** To compare 100,000 prompts takes half a second between two statements, on a quiet machine. */
const longMs = 10_000;

/** Control in a database of PostgreSQL, which is migrated when need be. */
export async function openPostgresEngine(
  url: string,
  clock: Clock,
  statementMs = commandStatementMs,
): Promise<ControlEngine> {
  await migratePostgres(url);
  const database = await openPostgresDatabase(url, { statementMs, connectionsMax });
  // A connection of their own: leases must not end because all others are in use.
  const leaseDatabase = await openPostgresDatabase(url, {
    statementMs: leaseStatementMs,
    connectionsMax: 1,
  });
  const listener = new ChangeListener(url);
  const leases = new PostgresLeases(leaseDatabase.withTables(), clock);
  return {
    database,
    version: async () => listener.version(),
    wrote: () => listener.wrote(),
    together: (work) => database.transaction().execute(work),
    lock,
    locksRows: true,
    leases,
    dropFacts,
    dropLeases,
    // PostgreSQL's own vacuum overwrites dead rows, in the background.
    giveWay: async () => undefined,
    overwriteDeleted: async () => undefined,
    claimPepper: (fingerprint) => claimPepper(database, fingerprint),
    close: async () => {
      await listener.close();
      await leases.close();
      await leaseDatabase.destroy();
      await database.destroy();
    },
  };
}

async function lock(database: ControlDatabase, what: ControlLock): Promise<void> {
  if (typeof what === "string") return lockInTransaction(database, what);
  if ("spendOf" in what) return lockSpend(database, what.spendOf);
  if (what.isLong === true) await computesLong(database, longMs);
  // Not the key: keys of the account may be made meanwhile.
  const account = database.selectFrom("accounts").select("id").where("id", "=", what.account);
  await account.forNoKeyUpdate().execute();
}

async function dropLeases(database: ControlDatabase, accountId: string): Promise<void> {
  const leases = database.withTables<{ leases: { account_id: string } }>();
  await leases.deleteFrom("leases").where("account_id", "=", accountId).execute();
}

/** The first to come notes its own. */
async function claimPepper(database: ControlDatabase, fingerprint: string): Promise<boolean> {
  const peppers = database.withTables<{ pepper: { one: boolean; fingerprint: string } }>();
  await peppers
    .insertInto("pepper")
    .values({ one: true, fingerprint })
    .onConflict((conflict) => conflict.column("one").doNothing())
    .execute();
  const { fingerprint: noted } = await peppers
    .selectFrom("pepper")
    .select("fingerprint")
    .executeTakeFirstOrThrow();
  return noted === fingerprint;
}

/**
 * Takes an account's facts out of force. A node that projects it loses its lease, so what it goes
 * on to write does not count. The rows are dropped after the facts were rebuilt.
 */
async function dropFacts(database: ControlDatabase, accountId: string): Promise<void> {
  const { rows } = await sql<{ fence: number }>`
    update leases set fence = fence + 1, expires_at = clock_timestamp()
    where account_id = ${accountId} returning fence`.execute(database);
  const [lease] = rows;
  if (lease === undefined) return; // no node has ever projected it
  // In the order in which nodes lock them.
  await sql`
    update cluster_facts set fence = ${lease.fence} where account_id = ${accountId}`.execute(
    database,
  );
  await sql`
    update cluster_generations set retired_at = now()
    where account_id = ${accountId} and retired_at is null`.execute(database);
  await sql`
    update cluster_facts set current = null, next = null
    where account_id = ${accountId}`.execute(database);
}

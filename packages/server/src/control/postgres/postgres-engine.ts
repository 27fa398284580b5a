import { sql } from "kysely";
import { theService } from "../../platform/actor.ts";
import type { Clock } from "../../platform/clock.ts";
import type { ControlEngine, ControlLock } from "../control-engine.ts";
import type { ControlDatabase } from "../database.ts";
import { computesLong, lockAudit, lockInTransaction, lockSpend } from "./advisory-locks.ts";
import { ChangeListener } from "./change-listener.ts";
import { migratePostgres } from "./migrate-postgres.ts";
import { openPostgresDatabase } from "./postgres-dialect.ts";
import { PostgresLeases } from "./postgres-leases.ts";

/** For commands, which apply large workspaces and wait for locks. */
const commandStatementMs = 60_000;
const connectionsMax = 10;
/** Far shorter than a lease: a renewal over a dead connection is retried in time. */
const leaseStatementMs = 1_500;

/** Comparing 100,000 prompts takes half a second between two statements, on an idle machine. */
const longMs = 10_000;

/** Opens control in a database of PostgreSQL, and migrates it if needed. */
export async function openPostgresEngine(
  url: string,
  clock: Clock,
  statementMs = commandStatementMs,
): Promise<ControlEngine> {
  await migratePostgres(url);
  const database = await openPostgresDatabase(url, { statementMs, connectionsMax });
  // Leases have their own connection: they must not expire because the pool is exhausted.
  const leaseDatabase = await openPostgresDatabase(url, {
    statementMs: leaseStatementMs,
    connectionsMax: 1,
  });
  const listener = new ChangeListener(url);
  const leases = new PostgresLeases(leaseDatabase.withTables(), clock);
  return {
    actor: theService,
    database,
    version: async () => listener.version(),
    wrote: () => listener.wrote(),
    together: (work) => database.transaction().execute(work),
    lock,
    locksRows: true,
    leases,
    dropFacts,
    dropLeases,
    // PostgreSQL's autovacuum overwrites dead rows in the background.
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
  if ("auditOf" in what) return lockAudit(database, what.auditOf);
  if ("spendOf" in what) return lockSpend(database, what.spendOf);
  if ("person" in what) return lockPerson(database, what.person);
  if ("goingAccount" in what) return lockGoing(database, what.goingAccount);
  if (what.isLong === true) await computesLong(database, longMs);
  // Without the key columns: rows that refer to the account may be added meanwhile.
  const account = database.selectFrom("accounts").select("id").where("id", "=", what.account);
  await account.forNoKeyUpdate().execute();
}

/** With the key columns, which every row that refers to the account locks until it is committed. */
async function lockGoing(database: ControlDatabase, accountId: string): Promise<void> {
  const account = database.selectFrom("accounts").select("id").where("id", "=", accountId);
  await account.forUpdate().execute();
}

/** Also keeps other transactions from adding rows that refer to the person. */
async function lockPerson(database: ControlDatabase, personId: string): Promise<void> {
  await database.selectFrom("people").select("id").where("id", "=", personId).forUpdate().execute();
}

async function dropLeases(database: ControlDatabase, accountId: string): Promise<void> {
  const leases = database.withTables<{ leases: { account_id: string } }>();
  await leases.deleteFrom("leases").where("account_id", "=", accountId).execute();
}

/** The first node stores its own. */
async function claimPepper(database: ControlDatabase, fingerprint: string): Promise<boolean> {
  const peppers = database.withTables<{ pepper: { one: boolean; fingerprint: string } }>();
  await peppers
    .insertInto("pepper")
    .values({ one: true, fingerprint })
    .onConflict((conflict) => conflict.column("one").doNothing())
    .execute();
  const { fingerprint: stored } = await peppers
    .selectFrom("pepper")
    .select("fingerprint")
    .executeTakeFirstOrThrow();
  return stored === fingerprint;
}

/**
 * Invalidates an account's facts. A node that projects the account loses its lease, so its later
 * writes are rejected. The rows are deleted after the facts have been rebuilt.
 */
async function dropFacts(database: ControlDatabase, accountId: string): Promise<void> {
  const { rows } = await sql<{ fence: number }>`
    update leases set fence = fence + 1, expires_at = clock_timestamp()
    where account_id = ${accountId} returning fence`.execute(database);
  const [lease] = rows;
  if (lease === undefined) return; // no node has ever projected the account
  // In the order in which nodes lock the rows.
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

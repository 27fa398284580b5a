import type { Selectable } from "kysely";
import type { ControlEngine } from "../../control/control-engine.ts";
import type { ControlDatabase } from "../../control/database.ts";
import type { PartReading, SweepPart, SweepRecord } from "./collection-store.ts";
import type { CollectionTables } from "./collection-tables.ts";
import { jobsOf, type PartKey } from "./job-rows.ts";
import { type HeldUntil, holdsOf } from "./spend-ledger.ts";

type SweepRow = Selectable<CollectionTables["sweeps"]>;
type PartRow = Selectable<CollectionTables["sweep_parts"]>;

/** The jobs of a part by state, and their cost. */
export type PartCounts = Pick<
  SweepPart,
  "jobs" | "queued" | "underWay" | "done" | "failed" | "spentMicros"
>;

/** The summary of an ended part, stored as JSON in its row. */
export interface PartSummary extends PartCounts, Partial<PartReading> {
  /** Why the part is held back; omitted: it is not. */
  readonly suspicious?: readonly string[];
  /** True: the part was accepted although it looked suspicious. */
  readonly accepted?: boolean;
}

const reasonsMax = 10;

/** An account's latest `sweepsMax` sweeps, newest first. */
export async function sweepsOf(
  { database }: ControlEngine,
  accountId: string,
  sweepsMax: number,
  now: number,
): Promise<readonly SweepRecord[]> {
  const rows = await selectSweeps(database, accountId)
    .orderBy("slot", "desc")
    .orderBy("id")
    .limit(sweepsMax)
    .execute();
  const heldUntil = await holdsOf(database, accountId, now);
  const records: SweepRecord[] = [];
  for (const row of rows) records.push(await toRecord(database, row, heldUntil));
  return records;
}

/** A sweep; null: the account has no sweep with this id. */
export async function sweepById(
  { database }: ControlEngine,
  accountId: string,
  sweepId: string,
  now: number,
): Promise<SweepRecord | null> {
  const sweeps = selectSweeps(database, accountId).where("id", "=", sweepId);
  const row = await sweeps.executeTakeFirst();
  if (row === undefined) return null;
  return await toRecord(database, row, await holdsOf(database, accountId, now));
}

/** How many sweeps of accounts, since an instant, have a provider that answered nothing. */
export async function failedSweepsOf(
  { database }: ControlEngine,
  accountIds: readonly string[],
  sinceMs: number,
): Promise<ReadonlyMap<string, number>> {
  if (accountIds.length === 0) return new Map();
  const rows = await database
    .selectFrom("sweep_parts")
    .select("account_id")
    .select(({ fn }) => fn.count("sweep_id").distinct().as("sweeps"))
    .where("account_id", "in", [...accountIds])
    .where("all_failed", "=", 1)
    .where("slot", ">=", sinceMs)
    .groupBy("account_id")
    .execute();
  return new Map(rows.map(({ account_id, sweeps }) => [account_id, Number(sweeps)]));
}

function selectSweeps(database: ControlDatabase, accountId: string) {
  return database.selectFrom("sweeps").selectAll().where("account_id", "=", accountId);
}

async function toRecord(
  database: ControlDatabase,
  row: SweepRow,
  heldUntil: HeldUntil,
): Promise<SweepRecord> {
  const partRows = await database
    .selectFrom("sweep_parts")
    .selectAll()
    .where("account_id", "=", row.account_id)
    .where("sweep_id", "=", row.id)
    .orderBy("provider")
    .orderBy("surface")
    .execute();
  const parts: SweepPart[] = [];
  for (const part of partRows) {
    const { provider, surface, vendor, published_at: publishedAt } = part;
    const noted = await summaryOf(database, part);
    const { warnings = [], suspicious = [], models: _, accepted: __, ...counts } = noted;
    const held = publishedAt === null && counts.queued > 0 ? heldUntil(provider) : null;
    const read = { warnings, suspicious: publishedAt === null ? suspicious : [] };
    parts.push({ provider, surface, vendor, ...counts, ...read, heldUntil: held, publishedAt });
  }
  const { id, slot, source, deadline } = row;
  const times = { createdAt: row.created_at, cancelledAt: row.cancelled_at };
  return { id, accountId: row.account_id, slot, source, deadline, ...times, parts };
}

/** The stored summary of a part, else a fresh count. */
async function summaryOf(database: ControlDatabase, part: PartRow): Promise<PartSummary> {
  if (part.counts !== null) return JSON.parse(part.counts) as PartSummary;
  return countPart(database, {
    accountId: part.account_id,
    sweepId: part.sweep_id,
    provider: part.provider,
    surface: part.surface,
  });
}

/** Counts the jobs of a part, from an index alone unless some failed. */
export async function countPart(database: ControlDatabase, part: PartKey): Promise<PartCounts> {
  const rows = await jobsOf(database, part)
    .select(["state", ({ fn }) => fn.countAll().as("jobs")])
    .select(({ fn }) => fn.sum("spent_micros").as("spentMicros"))
    .groupBy("state")
    .execute();
  const reasons = await jobsOf(database, part)
    .select(["reason", ({ fn }) => fn.countAll().as("jobs")])
    .where("state", "=", "failed")
    .groupBy("reason")
    .orderBy("jobs", "desc")
    .orderBy("reason")
    .limit(reasonsMax)
    .execute();
  const jobs = (...states: readonly string[]) =>
    rows.reduce((sum, row) => sum + (states.includes(row.state) ? Number(row.jobs) : 0), 0);
  return {
    jobs: rows.reduce((sum, row) => sum + Number(row.jobs), 0),
    queued: jobs("queued"),
    underWay: jobs("leased", "submitted"),
    done: jobs("done"),
    failed: reasons.map((row) => ({ reason: row.reason ?? "", jobs: Number(row.jobs) })),
    spentMicros: rows.reduce((sum, row) => sum + Number(row.spentMicros), 0),
  };
}

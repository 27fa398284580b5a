import type { ControlEngine } from "../../control/control-engine.ts";
import type { ControlDatabase } from "../../control/database.ts";
import type { SpendRow, SweepPart, SweepRecord } from "./collection-store.ts";
import type { PartSummary } from "./sweep-reads.ts";

/** A published part. Summaries of its answers are not moved, nor are its jobs. */
interface MovedPart
  extends Omit<SweepPart, "publishedAt" | "heldUntil" | "warnings" | "suspicious"> {
  readonly publishedAt: number;
  /** Whether all of its jobs failed; null: its sweep was cancelled. */
  readonly allFailed: boolean | null;
}

/** An ended sweep without its jobs. Times in milliseconds since 1970, UTC. */
export interface MovedSweep extends Omit<SweepRecord, "accountId" | "parts"> {
  /** At least one; by provider, then surface. */
  readonly parts: readonly MovedPart[];
}

/** A row of the ledger; files of earlier versions lack the optional fields. */
export type MovedSpend = Omit<SpendRow, "assumedMicros" | "expectedMicros"> & {
  readonly assumedMicros?: number | undefined;
  readonly expectedMicros?: number | undefined;
};

/** The collection data of an account that is moved here. */
export interface ArrivingCollection {
  readonly spend: readonly MovedSpend[];
  readonly sweeps: readonly MovedSweep[];
}

const sweepsAtOnce = 500;

/** Sweeps whose parts are all published, by id. The others stay where they run. */
export async function* endedSweeps(
  { database }: ControlEngine,
  accountId: string,
): AsyncGenerator<MovedSweep> {
  for (let after = ""; ; ) {
    const rows = await database
      .selectFrom("sweeps")
      .selectAll()
      .where("account_id", "=", accountId)
      .where("id", ">", after)
      .orderBy("id")
      .limit(sweepsAtOnce)
      .execute();
    const last = rows.at(-1);
    if (last === undefined) return;
    const parts = Map.groupBy(
      await partsOf(database, accountId, { after, to: last.id }),
      (part) => part.sweep_id,
    );
    for (const { id, slot, source, deadline, created_at, cancelled_at } of rows) {
      const ended = (parts.get(id) ?? []).flatMap((part) => toMoved(part) ?? []);
      if (ended.length === 0 || ended.length < (parts.get(id)?.length ?? 0)) continue;
      const times = { createdAt: created_at, cancelledAt: cancelled_at };
      yield { id, slot, source, deadline, ...times, parts: ended };
    }
    after = last.id;
  }
}

function partsOf(
  database: ControlDatabase,
  accountId: string,
  { after, to }: { readonly after: string; readonly to: string },
) {
  return database
    .selectFrom("sweep_parts")
    .select(["sweep_id", "provider", "surface", "vendor", "published_at", "counts", "all_failed"])
    .where("account_id", "=", accountId)
    .where("sweep_id", ">", after)
    .where("sweep_id", "<=", to)
    .orderBy("sweep_id")
    .orderBy("provider")
    .orderBy("surface")
    .execute();
}

/** Null: not published. */
function toMoved({
  provider,
  surface,
  vendor,
  ...part
}: Awaited<ReturnType<typeof partsOf>>[number]): MovedPart | null {
  const { published_at: publishedAt, counts, all_failed: failed } = part;
  if (publishedAt === null || counts === null) return null;
  const allFailed = failed === null ? null : failed === 1;
  const { warnings: _, models: __, accepted: ___, ...counted } = JSON.parse(counts) as PartSummary;
  return { provider, surface, vendor, ...counted, publishedAt, allFailed };
}

/** Inserts moved data, up to some thousand rows. Idempotent. */
export function addCollected(
  { database }: ControlEngine,
  accountId: string,
  arriving: ArrivingCollection,
): Promise<void> {
  return database.transaction().execute((transaction) => add(transaction, accountId, arriving));
}

async function add(
  database: ControlDatabase,
  accountId: string,
  { spend, sweeps }: ArrivingCollection,
): Promise<void> {
  for (const { day, provider, vendor, calls, ...micros } of spend) {
    await database
      .insertInto("spend")
      .values({
        account_id: accountId,
        day,
        provider,
        vendor,
        calls,
        spent_micros: micros.spentMicros,
        reserved_micros: micros.reservedMicros,
        unsettled_micros: micros.unsettledMicros,
        assumed_micros: micros.assumedMicros ?? 0,
        excess_micros: micros.unsettledMicros - (micros.expectedMicros ?? micros.unsettledMicros),
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  for (const { id, slot, source, deadline, createdAt, cancelledAt, parts } of sweeps) {
    const times = { deadline, created_at: createdAt, cancelled_at: cancelledAt };
    await database
      .insertInto("sweeps")
      .values({ account_id: accountId, id, slot, source, ...times })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await database
      .insertInto("sweep_parts")
      .values(parts.map((part) => partRow(part, { accountId, sweepId: id, slot, deadline })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

interface PartOf {
  readonly accountId: string;
  readonly sweepId: string;
  readonly slot: number;
  readonly deadline: number;
}

/** Its jobs are not moved, so there are none to delete. */
function partRow(
  { provider, surface, vendor, publishedAt, allFailed, ...counts }: MovedPart,
  { accountId, sweepId, slot, deadline }: PartOf,
) {
  return {
    account_id: accountId,
    sweep_id: sweepId,
    provider,
    surface,
    vendor,
    slot,
    deadline,
    planned: 1,
    has_jobs: 0,
    published_at: publishedAt,
    counts: JSON.stringify(counts),
    all_failed: allFailed === null ? null : Number(allFailed),
  };
}

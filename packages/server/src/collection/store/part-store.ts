import { audited } from "../../audit/audit-log.ts";
import { claimDue } from "../../control/claims.ts";
import type { ControlEngine } from "../../control/control-engine.ts";
import type { ControlDatabase } from "../../control/database.ts";
import type {
  EarlierReadings,
  EndedJob,
  PartReading,
  PartToPublish,
  ReadyPart,
} from "./collection-store.ts";
import {
  ended,
  type JobRow,
  jobsOf,
  type PartKey,
  toEndedJob,
  unaskedReasons,
  updateJobs,
  updatePart,
} from "./job-rows.ts";
import { leaveUnsettled } from "./spend-ledger.ts";
import { countPart, type PartSummary } from "./sweep-reads.ts";
import { jobsOfTransaction } from "./sweep-store.ts";

/** Nothing depends on a higher number. */
const failedSweepsMax = 100;

/**
 * Unclaimed parts of all accounts to publish: those without open jobs or past their deadline; the
 * oldest slot first.
 */
export async function partsToPublish(
  { database }: ControlEngine,
  now: number,
  partsMax: number,
): Promise<readonly ReadyPart[]> {
  return await database
    .selectFrom("sweep_parts as part")
    .select(["account_id as accountId", "sweep_id as sweepId", "slot", "provider", "surface"])
    .select(["vendor", "deadline", "claimed_until as claimedUntil"])
    .where("published_at", "is", null)
    .where("claimed_until", "<=", now)
    .where(({ or, and, not, exists, eb, selectFrom }) =>
      or([
        eb("deadline", "<=", now),
        and([
          eb("planned", "=", 1),
          not(
            exists(
              selectFrom("jobs as job")
                .select("job.id")
                .whereRef("job.account_id", "=", "part.account_id")
                .whereRef("job.sweep_id", "=", "part.sweep_id")
                .whereRef("job.provider", "=", "part.provider")
                .whereRef("job.surface", "=", "part.surface")
                .where("job.due_at", "is not", null),
            ),
          ),
        ]),
      ]),
    )
    .orderBy("slot")
    .orderBy("account_id")
    .orderBy("sweep_id")
    .orderBy("provider")
    .orderBy("surface")
    .limit(partsMax)
    .execute();
}

/**
 * Claims a part for this worker until `untilMs`. Jobs that are open past the deadline fail, so that
 * the published part is final. @returns null: another worker has it.
 */
export async function claimPart(
  control: ControlEngine,
  part: ReadyPart,
  { now, untilMs }: { readonly now: number; readonly untilMs: number },
): Promise<ReadyPart | null> {
  const claimed = await renewPart(control, part, untilMs);
  if (claimed === null || part.deadline > now) return claimed;
  while ((await failOpen(control, part, now)) === jobsOfTransaction) await control.giveWay();
  return claimed;
}

/** Extends the caller's claim. @returns null: another worker has the part. */
export async function renewPart(control: ControlEngine, part: ReadyPart, untilMs: number) {
  const isOwn = await claimDue(control, dueRow(part), untilMs);
  return isOwn ? { ...part, claimedUntil: untilMs } : null;
}

/**
 * Holds back a claimed part until `untilMs`, and stores the reason.
 * @returns false: the claim was lost or the part was accepted; nothing was written.
 */
export async function holdPart(
  control: ControlEngine,
  part: ReadyPart,
  held: { readonly reading: PartReading; readonly suspicious: readonly string[]; untilMs: number },
): Promise<boolean> {
  const { reading, suspicious, untilMs } = held;
  const noted: PartSummary = {
    ...(await countPart(control.database, part)),
    ...reading,
    suspicious,
  };
  return claimDue(control, dueRow(part), untilMs, { counts: JSON.stringify(noted) });
}

function dueRow({ accountId, sweepId, provider, surface, claimedUntil }: ReadyPart) {
  const key = { account_id: accountId, sweep_id: sweepId, provider, surface };
  const is = { ...key, published_at: null };
  return { table: "sweep_parts", is, dueAt: claimedUntil } as const;
}

/**
 * Accepts a part that is held back, so that it is published unchanged. It also ends the part's
 * claim, so that a worker that read the part before cannot hold it back again.
 * @returns false: it is not held back.
 */
export function acceptPart(control: ControlEngine, part: PartKey, now: number): Promise<boolean> {
  const { accountId, sweepId, provider, surface } = part;
  return audited(control, accountId, now, async ({ database }) => {
    const noted = summaryIn((await partRow(database, part))?.counts ?? null);
    if (noted?.suspicious === undefined) return [false, null];
    const { suspicious, ...rest } = noted;
    const updated = await updatePart(database, part)
      .set({ claimed_until: 0, counts: JSON.stringify({ ...rest, accepted: true }) })
      .where("published_at", "is", null)
      .executeTakeFirst();
    if (updated.numUpdatedRows === 0n) return [false, null];
    const before = { provider, surface, suspicious };
    return [true, { action: "collection.accepted", subject: sweepId, before, after: null }];
  });
}

/** The readings that a part is compared with: up to `partsMax` earlier parts. */
export async function earlierReadings(
  { database }: ControlEngine,
  part: PartToPublish,
  partsMax: number,
): Promise<EarlierReadings> {
  const row = await partRow(database, part);
  if (row === undefined) return { isAccepted: false, held: null, before: [] };
  const rows = await database
    .selectFrom("sweep_parts")
    .select("counts")
    .where("account_id", "=", part.accountId)
    .where("provider", "=", part.provider)
    .where("surface", "=", part.surface)
    .where("vendor", "=", row.vendor)
    .where("sweep_id", "!=", part.sweepId)
    .where("published_at", "is not", null)
    .orderBy("slot", "desc")
    .limit(partsMax)
    .execute();
  const noted = rows.map(({ counts }) => summaryIn(counts));
  const accepted = noted.findIndex((each) => each?.accepted === true);
  const compared = accepted === -1 ? noted : noted.slice(0, accepted + 1);
  const before = compared.flatMap((each) => (each?.models === undefined ? [] : [each.models]));
  const own = summaryIn(row.counts);
  const { suspicious, models = [] } = own ?? {};
  const held = suspicious === undefined ? null : { suspicious, models };
  return { isAccepted: own?.accepted === true, held, before };
}

/** The jobs of a part by id, after the job `after`; at most `jobsMax`. */
export async function jobsOfPart(
  { database }: ControlEngine,
  part: PartToPublish,
  after: string | null,
  jobsMax: number,
): Promise<readonly EndedJob[]> {
  const rows = await jobsOf(database, part)
    .selectAll()
    .where("id", ">", after ?? "")
    .orderBy("id")
    .limit(jobsMax)
    .execute();
  return rows.map(toEndedJob);
}

/**
 * The number of consecutive published sweeps, from the newest back and without this one, that have
 * no answer of its provider on any surface; at most 100. For webhooks.
 */
export async function failedSweeps(
  { database }: ControlEngine,
  part: Pick<PartToPublish, "accountId" | "sweepId" | "provider">,
): Promise<number> {
  const rows = await database
    .selectFrom("sweep_parts")
    .select(({ fn }) => fn.min("all_failed").as("failed"))
    .where("account_id", "=", part.accountId)
    .where("provider", "=", part.provider)
    .where("vendor", "!=", "reader")
    .where("sweep_id", "!=", part.sweepId)
    .where("all_failed", "is not", null)
    .groupBy(["slot", "sweep_id"])
    .orderBy("slot", "desc")
    .limit(failedSweepsMax)
    .execute();
  const other = rows.findIndex(({ failed }) => Number(failed) === 0);
  return other === -1 ? rows.length : other;
}

/** Marks a part as published, and stores the counts of its jobs and the summary of its answers. */
export function recordPublished(
  { database }: ControlEngine,
  part: PartToPublish,
  now: number,
  reading?: PartReading,
): Promise<void> {
  return database.transaction().execute(async (transaction) => {
    const published = await updatePart(transaction, part)
      .set({ published_at: now })
      .where("published_at", "is", null)
      .returning("counts")
      .executeTakeFirst();
    if (published === undefined) return;
    const isAccepted = summaryIn(published.counts)?.accepted === true;
    const counts = await countPart(transaction, part);
    const noted = { ...counts, ...reading, ...(isAccepted ? { accepted: true } : {}) };
    const sweep = await transaction
      .selectFrom("sweeps")
      .select("cancelled_at")
      .where("account_id", "=", part.accountId)
      .where("id", "=", part.sweepId)
      .executeTakeFirst();
    const allFailed = counts.done === 0 ? 1 : 0;
    await updatePart(transaction, part)
      .set({ counts: JSON.stringify(noted) })
      .set({ all_failed: sweep?.cancelled_at == null ? allFailed : null })
      .execute();
  });
}

/** Fails a batch of open jobs; their reserves stay unsettled. @returns how many. */
function failOpen(
  { database, locksRows }: ControlEngine,
  part: PartKey,
  now: number,
): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    // SQLite blocks other writers only after a write; PostgreSQL locks the rows that are read.
    await updatePart(transaction, part)
      .set((row) => ({ turn: row.ref("turn") }))
      .execute();
    const open = await jobsOf(transaction, part)
      .selectAll()
      .where("due_at", "is not", null)
      .orderBy("id")
      .limit(jobsOfTransaction)
      .$if(locksRows, (query) => query.forUpdate())
      .execute();
    if (open.length === 0) return 0;
    const ids = open.map(({ id }) => id);
    await updateJobs(transaction, part.accountId)
      .set(ended("failed", unaskedReasons.deadline, now))
      .where("id", "in", ids)
      .execute();
    const reserved = open.filter((row) => row.reserve_day !== null);
    const byDay = [...Map.groupBy(reserved, dayAndVendor)].toSorted(([a], [b]) => (a < b ? -1 : 1));
    for (const [, rows] of byDay) await leaveUnsettled(transaction, rows, now);
    return open.length;
  });
}

function dayAndVendor({ reserve_day, vendor }: JobRow): string {
  return `${reserve_day} ${vendor}`;
}

function partRow(database: ControlDatabase, part: PartKey) {
  return database
    .selectFrom("sweep_parts")
    .select(["vendor", "counts"])
    .where("account_id", "=", part.accountId)
    .where("sweep_id", "=", part.sweepId)
    .where("provider", "=", part.provider)
    .where("surface", "=", part.surface)
    .executeTakeFirst();
}

/** The stored summary of a part; null: none yet. */
function summaryIn(counts: string | null): PartSummary | null {
  return counts === null ? null : (JSON.parse(counts) as PartSummary);
}

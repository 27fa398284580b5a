import { sql } from "kysely";
import type { Clock } from "../../platform/clock.ts";
import type { AccountCaps, CollectionStore, JobOutcome, LeasedJob } from "../collection-store.ts";
import type { ControlEngine } from "../control-engine.ts";
import type { ControlDatabase } from "../database.ts";
import { ended, type JobKey, type JobRow, unaskedReasons, updateJobs } from "./job-rows.ts";
import { book, dayOf, hold, nextDayMs, type Refusal, refusalOf, settle } from "./spend-ledger.ts";

/** What a worker does with a job that it has leased. */
export type AskedJobs = Pick<
  CollectionStore,
  "renewLease" | "releaseJob" | "noteSending" | "noteReply" | "noteOutcome"
>;

/** How long a job waits whose call others' reserves do not allow: some of them settle meanwhile. */
const untilSettledMs = 2_000;

/** Each write names the lease: a worker that lost it writes nothing. */
export function askedJobs(engine: ControlEngine, clock: Clock): AskedJobs {
  const { database } = engine;
  const wrote = async (update: ReturnType<typeof updateLeased>): Promise<boolean> =>
    (await update.executeTakeFirst()).numUpdatedRows === 1n;
  return {
    renewLease: (job, untilMs) => wrote(updateLeased(database, job).set({ due_at: untilMs })),
    releaseJob: (job, nextAt) => wrote(updateLeased(database, job).set(putBack(nextAt))),
    noteSending: (job, caps) =>
      database.transaction().execute((transaction) => {
        return noteSending({ ...engine, database: transaction }, job, { caps, now: clock.now() });
      }),
    noteReply: (job, state) =>
      wrote(updateLeased(database, job).set({ state, replied: sql.ref("sent") })),
    noteOutcome: (job, outcome) =>
      database.transaction().execute(async (transaction) => {
        const row = await lockJob(transaction, job);
        if (row === null) return false;
        await noteOutcome(transaction, row, { outcome, now: clock.now() });
        return true;
      }),
  };
}

type Lease = JobKey & Pick<LeasedJob, "fence">;

function updateLeased(database: ControlDatabase, job: Lease) {
  return updateJobs(database, job.accountId)
    .where("id", "=", job.id)
    .where("fence", "=", job.fence)
    .where("state", "in", ["leased", "submitted"]);
}

/** Leaves what the job did and reserved; one that asked nothing is as it was. */
function putBack(nextAt: number) {
  return {
    due_at: nextAt,
    fence: sql<number>`fence + 1`,
    state: sql<"queued">`case when sent = 0 then 'queued' else state end`,
  };
}

/**
 * Reads a leased job for a transaction that changes it; null: the lease was lost. A write, which
 * SQLite and PostgreSQL have others wait for.
 */
async function lockJob(database: ControlDatabase, job: Lease): Promise<JobRow | null> {
  const locked = updateLeased(database, job).set({ fence: sql.ref("fence") });
  return (await locked.returningAll().executeTakeFirst()) ?? null;
}

/** The job is locked first, then the account's spending, then a row of the ledger. */
async function noteSending(
  { database, lock }: Pick<ControlEngine, "database" | "lock">,
  job: LeasedJob,
  { caps, now }: { readonly caps: AccountCaps; readonly now: number },
): Promise<"noted" | "cap" | "lost"> {
  const row = await lockJob(database, job);
  if (row === null) return "lost";
  if (row.sent === 0 && (await isCancelled(database, row))) {
    await updateLeased(database, job)
      .set(ended("failed", unaskedReasons.cancelled, now))
      .execute();
    return "lost";
  }
  const isFirst = row.reserve_day === null;
  const addedMicros = isFirst ? row.reserve_micros : 0;
  const { accountId, provider, vendor } = job;
  const day = dayOf(now);
  await lock(database, { spendOf: accountId });
  const refusal = await refusalOf(database, { accountId, provider, day, addedMicros }, caps);
  if (refusal !== null) {
    await refuse(database, row, { refusal, job, now });
    return "cap";
  }
  await book(database, { accountId, day, provider, vendor, calls: 1, reservedMicros: addedMicros });
  await updateLeased(database, job)
    .set({ sent: sql`sent + 1` })
    .$if(isFirst, (update) => update.set({ reserved_micros: addedMicros, reserve_day: day }))
    .execute();
  return "noted";
}

interface Refused {
  readonly refusal: Refusal;
  readonly job: LeasedJob;
  readonly now: number;
}

/** The job waits: alone for a moment, or with all that the same cap stops. */
async function refuse(
  database: ControlDatabase,
  row: JobRow,
  { refusal: { until, provider }, job, now }: Refused,
): Promise<void> {
  if (until === "settled") {
    await updateLeased(database, job)
      .set(putBack(now + untilSettledMs))
      .execute();
    return;
  }
  const tomorrow = nextDayMs(now);
  await hold(database, job.accountId, { provider, until: tomorrow });
  if (job.deadline > tomorrow) {
    await updateLeased(database, job).set(putBack(now)).execute();
    return;
  }
  await settle(database, row, { spentMicros: null, today: dayOf(now) });
  await updateLeased(database, job)
    .set(ended("failed", unaskedReasons.cap, now))
    .execute();
}

async function noteOutcome(
  database: ControlDatabase,
  row: JobRow,
  { outcome, now }: { readonly outcome: JobOutcome; readonly now: number },
): Promise<void> {
  const { spentMicros } = outcome;
  await settle(database, row, { spentMicros, today: dayOf(now) });
  const spent_micros = row.spent_micros + (spentMicros ?? 0);
  const update = updateJobs(database, row.account_id).where("id", "=", row.id);
  if (outcome.state !== "queued") {
    const reason = outcome.state === "failed" ? outcome.reason : null;
    await update.set({ spent_micros, ...ended(outcome.state, reason, now) }).execute();
    return;
  }
  if (await isCancelled(database, row)) {
    const failed = ended("failed", unaskedReasons.cancelled, now);
    await update.set({ spent_micros, ...failed }).execute();
    return;
  }
  const { nextAt, reason, kept } = outcome;
  await update
    .set({ state: "queued", due_at: nextAt, reason, sent: kept, replied: kept })
    .set({ spent_micros, reserved_micros: 0, reserve_day: null, attempts: row.attempts + 1 })
    .execute();
}

async function isCancelled(database: ControlDatabase, row: JobRow): Promise<boolean> {
  const sweep = await database
    .selectFrom("sweeps")
    .select("cancelled_at")
    .where("account_id", "=", row.account_id)
    .where("id", "=", row.sweep_id)
    .executeTakeFirst();
  return sweep?.cancelled_at != null;
}

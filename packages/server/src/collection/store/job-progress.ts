import { sql } from "kysely";
import type { ControlEngine } from "../../control/control-engine.ts";
import type { ControlDatabase } from "../../control/database.ts";
import type { AccountCaps, JobOutcome, LeasedJob, RequestCost } from "./collection-store.ts";
import { ended, type JobKey, type JobRow, unaskedReasons, updateJobs } from "./job-rows.ts";
import { book, dayOf, hold, type Refusal, refusalOf, settle } from "./spend-ledger.ts";

/** How long a job waits for the reserves of others, some of which settle meanwhile. */
const untilSettledMs = 2_000;

/** Extends a lease until `untilMs`. @returns false: the lease was lost. */
export function renewLease(
  { database }: ControlEngine,
  job: LeasedJob,
  untilMs: number,
): Promise<boolean> {
  return isWritten(updateLeased(database, job).set({ due_at: untilMs }));
}

/**
 * Releases a lease without an outcome, when a worker stops or between polls of a vendor's task. The
 * job can be leased again from `nextAt` on, with the same `sent`, `replied`, state and reserve.
 * @returns false: the lease was lost.
 */
export function releaseJob(
  { database }: ControlEngine,
  job: LeasedJob,
  nextAt: number,
): Promise<boolean> {
  return isWritten(updateLeased(database, job).set(putBack(nextAt)));
}

/**
 * Records that the exchange is stored. `submitted`: the vendor works on a task.
 * @returns false: the lease was lost.
 */
export function recordReply(
  { database }: ControlEngine,
  job: LeasedJob,
  state: "leased" | "submitted",
): Promise<boolean> {
  return isWritten(updateLeased(database, job).set({ state, replied: sql.ref("sent") }));
}

/**
 * Ends a job or puts it back, and settles the ledger, in one transaction. @returns false: the lease
 * was lost.
 */
export function recordOutcome(
  { database }: ControlEngine,
  job: LeasedJob,
  outcome: JobOutcome,
  now: number,
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const row = await lockJob(transaction, job);
    if (row === null) return false;
    await writeOutcome(transaction, row, { outcome, now });
    return true;
  });
}

/** Each write requires the lease: a worker that lost it writes nothing. */
async function isWritten(update: ReturnType<typeof updateLeased>): Promise<boolean> {
  return (await update.executeTakeFirst()).numUpdatedRows === 1n;
}

/** The cost of a request without an estimate: the job's reserve, once, all of it expected. */
function costOf(row: JobRow): RequestCost {
  const reserveMicros = row.reserve_day === null ? row.reserve_micros : 0;
  return { usedMicros: row.reserved_micros, reserveMicros, expectedMicros: reserveMicros };
}

type Lease = JobKey & Pick<LeasedJob, "fence">;

function updateLeased(database: ControlDatabase, job: Lease) {
  return updateJobs(database, job.accountId)
    .where("id", "=", job.id)
    .where("fence", "=", job.fence)
    .where("state", "in", ["leased", "submitted"]);
}

/** Keeps the job's progress and reserve; a job that sent nothing is queued again. */
function putBack(nextAt: number) {
  return {
    due_at: nextAt,
    fence: sql<number>`fence + 1`,
    state: sql<"queued">`case when sent = 0 then 'queued' else state end`,
  };
}

/**
 * Locks and reads a leased job for a transaction; null: the lease was lost. It is a write, which
 * blocks other writers on both engines.
 */
async function lockJob(database: ControlDatabase, job: Lease): Promise<JobRow | null> {
  const locked = updateLeased(database, job).set({ fence: sql.ref("fence") });
  return (await locked.returningAll().executeTakeFirst()) ?? null;
}

/** A paid request that is about to be sent. */
export interface PaidRequest {
  readonly caps: AccountCaps;
  /** Omitted: the reserve of the job, once. */
  readonly cost?: RequestCost | undefined;
  readonly now: number;
}

/**
 * Records a paid request before it is sent, and reserves the highest cost of its attempt in the
 * same transaction: the cost of the replies so far and of the request.
 * @returns `reserved`: send the request. `cap`: a cap refuses it. Nothing was recorded, and the job
 * was put back with only its replies' cost reserved: until other reserves settle if that may
 * suffice, until interrupted calls count with their expected cost, else until the next UTC day; it
 * failed if its deadline comes first. `lost`: another worker has the job, or its sweep was
 * cancelled before anything was sent. After both, this worker drops the job.
 */
export function reserveRequest(
  engine: ControlEngine,
  job: LeasedJob,
  call: PaidRequest,
): Promise<"reserved" | "cap" | "lost"> {
  return engine.database.transaction().execute((transaction) => {
    return reserveOf({ ...engine, database: transaction }, job, call);
  });
}

/** Lock order: the job, the account's spending, a row of the ledger. */
async function reserveOf(
  { database, lock }: Pick<ControlEngine, "database" | "lock">,
  job: LeasedJob,
  { caps, cost: known, now }: PaidRequest,
): Promise<"reserved" | "cap" | "lost"> {
  const row = await lockJob(database, job);
  if (row === null) return "lost";
  if (row.sent === 0 && (await isCancelled(database, row))) {
    await updateLeased(database, job)
      .set(ended("failed", unaskedReasons.cancelled, now))
      .execute();
    return "lost";
  }
  const { accountId, provider, vendor } = job;
  const cost = known ?? costOf(row);
  const day = dayOf(now);
  const micros = cost.usedMicros + cost.reserveMicros;
  await lock(database, { spendOf: accountId });
  const reservedMicros = row.reserve_day === day ? row.reserved_micros : 0;
  const call = { accountId, provider, now, micros, reservedMicros };
  const refusal = await refusalOf(database, call, caps);
  if (refusal !== null) {
    await refuse(database, row, { refusal, job, now, usedMicros: cost.usedMicros });
    return "cap";
  }
  await book(database, { accountId, day, provider, vendor, calls: 1 });
  const expectedMicros = cost.usedMicros + cost.expectedMicros;
  await reserve(database, row, { micros, expectedMicros, day });
  await updateLeased(database, job).set({ sent: sql`sent + 1` }).execute();
  return "reserved";
}

interface Reserve {
  readonly micros: number;
  readonly expectedMicros: number;
  readonly day: number;
}

/**
 * Replaces the reserve of a job. An attempt that continues after midnight moves to the new day,
 * whose caps then count all of its requests.
 */
async function reserve(
  database: ControlDatabase,
  row: JobRow,
  { micros, expectedMicros, day }: Reserve,
): Promise<void> {
  const { account_id: accountId, provider, vendor } = row;
  const add = (day: number, reservedMicros: number) =>
    reservedMicros === 0
      ? Promise.resolve()
      : book(database, { accountId, day, provider, vendor, reservedMicros });
  const before = row.reserve_day ?? day;
  if (before !== day) await add(before, -row.reserved_micros);
  await add(day, before === day ? micros - row.reserved_micros : micros);
  await updateJobs(database, accountId)
    .set({ reserved_micros: micros, expected_micros: expectedMicros, reserve_day: day })
    .where("id", "=", row.id)
    .execute();
}

interface Refused {
  readonly refusal: Refusal;
  readonly job: LeasedJob;
  readonly now: number;
  readonly usedMicros: number;
}

/**
 * Puts a refused job back, alone or with all jobs of the cap. Only the cost of its replies stays
 * reserved, so that waiting jobs do not block each other.
 */
async function refuse(
  database: ControlDatabase,
  before: JobRow,
  { refusal: { until, provider }, job, now, usedMicros }: Refused,
): Promise<void> {
  const micros = Math.min(usedMicros, before.reserved_micros);
  const row = { ...before, reserved_micros: micros, expected_micros: micros };
  if (row.reserve_day !== null) {
    await reserve(database, before, { micros, expectedMicros: micros, day: row.reserve_day });
  }
  if (until === "settled") {
    await updateLeased(database, job)
      .set(putBack(now + untilSettledMs))
      .execute();
    return;
  }
  // A continued job may cost more than a first request, for which the cap may suffice.
  const isContinued = row.sent > 0;
  if (!isContinued) await hold(database, job.accountId, { provider, until });
  if (job.deadline > until) {
    await updateLeased(database, job)
      .set(putBack(isContinued ? until : now))
      .execute();
    return;
  }
  await settle(database, row, { spentMicros: null, now });
  await updateLeased(database, job)
    .set(ended("failed", unaskedReasons.cap, now))
    .execute();
}

async function writeOutcome(
  database: ControlDatabase,
  row: JobRow,
  { outcome, now }: { readonly outcome: JobOutcome; readonly now: number },
): Promise<void> {
  const { spentMicros } = outcome;
  const assumedMicros = outcome.spentMicros === null ? 0 : outcome.assumedMicros;
  await settle(database, row, { spentMicros, assumedMicros, now });
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
    .set({ spent_micros, reserved_micros: 0, expected_micros: null, reserve_day: null })
    .set({ attempts: row.attempts + 1 })
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

import type { Vendor } from "@sightline/contract";
import { audited } from "../../audit/audit-log.ts";
import type { ControlEngine } from "../../control/control-engine.ts";
import type { ControlDatabase } from "../../control/database.ts";
import type { LeasedJob, NewJob, NewSweep } from "./collection-store.ts";
import { ended, jobsOf, type PartKey, unaskedReasons, updatePart } from "./job-rows.ts";

/** The most jobs per transaction, so that others can write in between. */
export const jobsOfTransaction = 250;

/**
 * Adds a sweep and its new jobs, in transactions of up to 250 jobs. None is leased before all have
 * been added; after a crash, repeat the call.
 * @throws when the jobs of a provider on a surface have more than one vendor.
 */
export async function addSweep(
  engine: ControlEngine,
  accountId: string,
  sweep: NewSweep,
  now: number,
): Promise<void> {
  const { database } = engine;
  const { id, slot, source, deadline } = sweep;
  const row = { account_id: accountId, id, slot, source, deadline };
  // Under the account's lock: nothing is added while the account is being deleted.
  await audited(engine, accountId, now, async ({ database: transaction }) => {
    await engine.lock(transaction, { account: accountId });
    const { numInsertedOrUpdatedRows = 0n } = await transaction
      .insertInto("sweeps")
      .values({ ...row, created_at: now, cancelled_at: null })
      .onConflict((conflict) => conflict.columns(["account_id", "id"]).doNothing())
      .executeTakeFirst();
    // What a schedule does, the workspace's entry tells of.
    if (source === "schedule" || numInsertedOrUpdatedRows === 0n) return [undefined, null];
    const after = { deadline: new Date(deadline).toISOString() };
    return [undefined, { action: "collection.started", subject: id, before: null, after }];
  });
  const vendorOfPart = new Map<string, Vendor>();
  for (const jobs of inBatches(sweep.jobs, jobsOfTransaction)) {
    requireOneVendor(jobs, vendorOfPart);
    await database.transaction().execute(async (transaction) => {
      await engine.lock(transaction, { account: accountId });
      await addJobs(transaction, accountId, { sweep, jobs, now });
    });
    await engine.giveWay();
  }
  await database
    .updateTable("sweep_parts")
    .set({ planned: 1 })
    .where("account_id", "=", accountId)
    .where("sweep_id", "=", id)
    .execute();
  // It may have been cancelled meanwhile.
  const cancelled = await selectSweep(database, accountId, id);
  if (cancelled?.cancelled_at != null) await failSweep(engine, { accountId, id, now });
}

/**
 * Cancels a sweep: fails its queued jobs, in transactions of up to 250 jobs; running ones end.
 * @param now the time of the cancellation, in milliseconds since 1970; an earlier one stays.
 * @returns false: there is no such sweep.
 */
export async function cancelSweep(
  engine: ControlEngine,
  accountId: string,
  sweepId: string,
  now: number,
): Promise<boolean> {
  const { database } = engine;
  await audited(engine, accountId, now, async ({ database: transaction }) => {
    const { numUpdatedRows } = await transaction
      .updateTable("sweeps")
      .set({ cancelled_at: now })
      .where("account_id", "=", accountId)
      .where("id", "=", sweepId)
      .where("cancelled_at", "is", null)
      .executeTakeFirst();
    const change = { subject: sweepId, before: null, after: null } as const;
    const isNew = numUpdatedRows > 0n;
    return [undefined, isNew ? { action: "collection.cancelled", ...change } : null];
  });
  const found = await selectSweep(database, accountId, sweepId);
  if (found === undefined) return false;
  await failSweep(engine, { accountId, id: sweepId, now });
  return true;
}

/**
 * Fails the queued jobs of a job's part with the same model, in transactions of up to 250 jobs: the
 * vendor's reply to one says that it would refuse the others.
 */
export function failQueued(
  engine: ControlEngine,
  { model, ...part }: PartKey & Pick<LeasedJob, "model">,
  reason: string,
  now: number,
): Promise<void> {
  return failPart(engine, part, { now, reason, model });
}

function selectSweep(database: ControlDatabase, accountId: string, sweepId: string) {
  return database
    .selectFrom("sweeps")
    .select("cancelled_at")
    .where("account_id", "=", accountId)
    .where("id", "=", sweepId)
    .executeTakeFirst();
}

function* inBatches<Item>(items: Iterable<Item>, itemsMax: number): Generator<readonly Item[]> {
  let batch: Item[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < itemsMax) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function requireOneVendor(jobs: readonly NewJob[], vendorOfPart: Map<string, Vendor>): void {
  for (const { provider, surface, vendor } of jobs) {
    const part = `${provider} ${surface}`;
    const known = vendorOfPart.get(part) ?? vendor;
    if (known !== vendor) throw new Error(`${part} has two vendors: ${known}, ${vendor}`);
    vendorOfPart.set(part, known);
  }
}

interface JobsToAdd {
  readonly sweep: NewSweep;
  readonly jobs: readonly NewJob[];
  readonly now: number;
}

/** Inserts jobs that are new, and the rows of their parts. */
async function addJobs(
  database: ControlDatabase,
  accountId: string,
  { sweep: { id: sweepId, slot, deadline }, jobs, now }: JobsToAdd,
): Promise<void> {
  const parts = new Map<string, Pick<NewJob, "provider" | "surface" | "vendor">>();
  const rows = jobs.map((job) => ({
    account_id: accountId,
    sweep_id: sweepId,
    id: job.id,
    prompt_id: job.promptId,
    provider: job.provider,
    surface: job.surface,
    vendor: job.vendor,
    model: job.model,
    region: job.region ?? "",
    slot,
    sample: job.sample,
    state_name: job.place?.state ?? null,
    city: job.place?.city ?? null,
    reserve_micros: job.reserveMicros,
    state: "queued" as const,
    due_at: now,
    reserve_day: null,
    reason: null,
    ended_at: null,
  }));
  const added = await database
    .insertInto("jobs")
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning(["provider", "surface", "vendor"])
    .execute();
  for (const part of added) parts.set(`${part.provider} ${part.surface}`, part);
  for (const { provider, surface, vendor } of parts.values()) {
    const row = { account_id: accountId, sweep_id: sweepId, provider, surface, vendor };
    await database
      .insertInto("sweep_parts")
      .values({ ...row, slot, deadline, published_at: null, counts: null, all_failed: null })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

interface Cancelled {
  readonly accountId: string;
  readonly id: string;
  readonly now: number;
}

async function failSweep(engine: ControlEngine, { accountId, id, now }: Cancelled): Promise<void> {
  const parts = await engine.database
    .selectFrom("sweep_parts")
    .select(["account_id as accountId", "sweep_id as sweepId", "provider", "surface"])
    .where("account_id", "=", accountId)
    .where("sweep_id", "=", id)
    .execute();
  for (const part of parts) await failPart(engine, part, { now, reason: unaskedReasons.cancelled });
}

/** Why queued jobs fail, and which. */
interface FailedAs {
  readonly now: number;
  readonly reason: string;
  /** Only jobs with this model; omitted: all. */
  readonly model?: string | null;
}

/** Queued jobs have no reserve, so the ledger does not change. */
async function failPart(engine: ControlEngine, part: PartKey, as: FailedAs): Promise<void> {
  const { model } = as;
  for (let after: string | undefined = ""; after !== undefined; await engine.giveWay()) {
    const jobs: readonly { readonly id: string }[] = await jobsOf(engine.database, part)
      .select("id")
      .where("id", ">", after)
      .$if(model !== undefined, (query) =>
        query.where("model", "is not distinct from", model ?? null),
      )
      .orderBy("id")
      .limit(jobsOfTransaction)
      .execute();
    const ids = jobs.map((job) => job.id);
    if (ids.length > 0) await failThose(engine, ids, { ...as, accountId: part.accountId });
    after = ids.at(-1);
  }
}

/** In the order of ids, as other transactions lock them. */
async function failThose(
  { database, locksRows }: ControlEngine,
  ids: readonly string[],
  { accountId, now, reason }: FailedAs & Pick<PartKey, "accountId">,
): Promise<void> {
  const queued = database
    .selectFrom("jobs")
    .select("id")
    .where("account_id", "=", accountId)
    .where("id", "in", ids)
    .where("state", "=", "queued")
    .orderBy("id")
    .$if(locksRows, (query) => query.forUpdate());
  await database
    .with("picked", () => queued)
    .updateTable("jobs")
    .set(ended("failed", reason, now))
    .where("account_id", "=", accountId)
    .where("id", "in", (query) => query.selectFrom("picked").select("picked.id"))
    .execute();
}

const dayMs = 86_400_000;
const jobsKeptMs = 30 * dayMs;
const sweepsKeptMs = 400 * dayMs;
/** The most rows per call: deleting them takes a few milliseconds. */
const rowsMax = 2_000;

/**
 * Deletes jobs 30 days after their part was published and sweeps after 400 days, up to some
 * thousand rows per call. The ledger stays. @returns whether there is more to delete.
 */
export async function forgetSweeps({ database }: ControlEngine, now: number): Promise<boolean> {
  const jobs = await forgetJobs(database, now - jobsKeptMs);
  const sweeps = await forgetOldSweeps(database, now - sweepsKeptMs);
  return jobs || sweeps;
}

/** @returns whether there was a part with jobs to delete. */
async function forgetJobs(database: ControlDatabase, beforeMs: number): Promise<boolean> {
  const part = await database
    .selectFrom("sweep_parts")
    .select(["account_id as accountId", "sweep_id as sweepId", "provider", "surface"])
    .where("has_jobs", "=", 1)
    .where("published_at", "<=", beforeMs)
    .limit(1)
    .executeTakeFirst();
  if (part === undefined) return false;
  const rows = await jobsOf(database, part).select("id").orderBy("id").limit(rowsMax).execute();
  if (rows.length > 0) {
    await database
      .deleteFrom("jobs")
      .where("account_id", "=", part.accountId)
      .where(
        "id",
        "in",
        rows.map(({ id }) => id),
      )
      .execute();
  }
  if (rows.length < rowsMax) await updatePart(database, part).set({ has_jobs: 0 }).execute();
  return true;
}

/** Deletes old sweeps whose jobs have been deleted. @returns whether there may be more. */
async function forgetOldSweeps(database: ControlDatabase, beforeMs: number): Promise<boolean> {
  const sweeps = await database
    .selectFrom("sweeps as sweep")
    .select(["account_id", "id"])
    .where("created_at", "<=", beforeMs)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("sweep_parts as part")
            .select("part.provider")
            .whereRef("part.account_id", "=", "sweep.account_id")
            .whereRef("part.sweep_id", "=", "sweep.id")
            .where("part.has_jobs", "=", 1),
        ),
      ),
    )
    .limit(100)
    .execute();
  for (const { account_id, id } of sweeps) {
    await database
      .deleteFrom("sweep_parts")
      .where("account_id", "=", account_id)
      .where("sweep_id", "=", id)
      .execute();
    await database
      .deleteFrom("sweeps")
      .where("account_id", "=", account_id)
      .where("id", "=", id)
      .execute();
  }
  return sweeps.length > 0;
}

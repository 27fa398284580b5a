import type { Vendor } from "@sightline/contract";
import type { Clock } from "../../platform/clock.ts";
import type { CollectionStore, NewJob, NewSweep } from "../collection-store.ts";
import type { ControlEngine } from "../control-engine.ts";
import type { ControlDatabase } from "../database.ts";
import { ended, unaskedReasons } from "./job-rows.ts";
import { sweepReads } from "./sweep-reads.ts";

/** Sweeps: what is to be asked. */
export type SweepStore = Pick<CollectionStore, "addSweep" | "sweeps" | "sweep" | "cancelSweep">;

/** The most jobs that a transaction adds or ends: others write between two. */
export const jobsOfTransaction = 1_000;
/** SQLite takes 32,766 values a statement. */
const rowsOfStatement = 500;

/** Sweeps in control. */
export function sweepStore(engine: ControlEngine, clock: Clock): SweepStore {
  const { database } = engine;
  return {
    ...sweepReads(database),
    addSweep: async (accountId, sweep) => {
      const { id, slot, source, deadline } = sweep;
      const row = { account_id: accountId, id, slot, source, deadline };
      // Under the account's lock: nothing is added while the account is deleted.
      await database.transaction().execute(async (transaction) => {
        await engine.lock(transaction, { account: accountId });
        await transaction
          .insertInto("sweeps")
          .values({ ...row, created_at: clock.now(), cancelled_at: null })
          .onConflict((conflict) => conflict.columns(["account_id", "id"]).doNothing())
          .execute();
      });
      const vendorOfPart = new Map<string, Vendor>();
      for (const jobs of inBatches(sweep.jobs, jobsOfTransaction)) {
        requireOneVendor(jobs, vendorOfPart);
        await database.transaction().execute(async (transaction) => {
          await engine.lock(transaction, { account: accountId });
          await addJobs(transaction, accountId, { sweep, jobs, now: clock.now() });
        });
      }
      await database
        .updateTable("sweep_parts")
        .set({ planned: 1 })
        .where("account_id", "=", accountId)
        .where("sweep_id", "=", id)
        .execute();
      // It may have been cancelled while it was added.
      const cancelled = await selectSweep(database, accountId, id);
      if (cancelled?.cancelled_at != null) await failQueued(engine, clock, { accountId, id });
    },
    cancelSweep: async (accountId, sweepId) => {
      await database
        .updateTable("sweeps")
        .set({ cancelled_at: clock.now() })
        .where("account_id", "=", accountId)
        .where("id", "=", sweepId)
        .where("cancelled_at", "is", null)
        .execute();
      const found = await selectSweep(database, accountId, sweepId);
      if (found === undefined) return false;
      await failQueued(engine, clock, { accountId, id: sweepId });
      return true;
    },
  };
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

/** A part has a row when a job of it is new. */
async function addJobs(
  database: ControlDatabase,
  accountId: string,
  { sweep: { id: sweepId, slot, deadline }, jobs, now }: JobsToAdd,
): Promise<void> {
  const parts = new Map<string, Pick<NewJob, "provider" | "surface" | "vendor">>();
  for (let first = 0; first < jobs.length; first += rowsOfStatement) {
    const rows = jobs.slice(first, first + rowsOfStatement).map((job) => ({
      ...{ account_id: accountId, sweep_id: sweepId, id: job.id, prompt_id: job.promptId },
      ...{ provider: job.provider, surface: job.surface, vendor: job.vendor, model: job.model },
      ...{ region: job.region ?? "", slot, sample: job.sample },
      ...{ reserve_micros: job.reserveMicros, state: "queued" as const, due_at: now },
      ...{ reserve_day: null, reason: null, ended_at: null },
    }));
    const added = await database
      .insertInto("jobs")
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .returning(["provider", "surface", "vendor"])
      .execute();
    for (const part of added) parts.set(`${part.provider} ${part.surface}`, part);
  }
  for (const { provider, surface, vendor } of parts.values()) {
    const row = { account_id: accountId, sweep_id: sweepId, provider, surface, vendor };
    await database
      .insertInto("sweep_parts")
      .values({ ...row, slot, deadline, published_at: null, counts: null, all_failed: null })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** A queued job has nothing reserved, so the ledger stays as it is. */
async function failQueued(
  { database, locksRows }: ControlEngine,
  clock: Clock,
  { accountId, id }: { readonly accountId: string; readonly id: string },
): Promise<void> {
  for (;;) {
    const queued = database
      .selectFrom("jobs")
      .select("id")
      .where("account_id", "=", accountId)
      .where("sweep_id", "=", id)
      .where("state", "=", "queued")
      .orderBy("id")
      .limit(jobsOfTransaction)
      .$if(locksRows, (query) => query.forUpdate());
    const { numUpdatedRows } = await database
      .with("picked", () => queued)
      .updateTable("jobs")
      .set(ended("failed", unaskedReasons.cancelled, clock.now()))
      .where("account_id", "=", accountId)
      .where("id", "in", (query) => query.selectFrom("picked").select("picked.id"))
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
  }
}

import type { Clock } from "../../platform/clock.ts";
import type { CollectionStore, PartReading, PartToPublish } from "../collection-store.ts";
import type { ControlEngine } from "../control-engine.ts";
import { notedIn } from "./held-parts.ts";
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
import { countPart } from "./sweep-reads.ts";
import { jobsOfTransaction } from "./sweep-store.ts";

/** Parts: what is published as a whole. */
export type PartStore = Pick<
  CollectionStore,
  "partsToPublish" | "claimPart" | "renewPart" | "jobsOfPart" | "notePublished" | "failedSweeps"
>;

/** More are told by no number that anybody acts on. */
const failedSweepsMax = 100;

/** Parts in control. */
export function partStore(engine: ControlEngine, clock: Clock): PartStore {
  const { database } = engine;
  return {
    partsToPublish: (partsMax) => partsToPublish(engine, partsMax, clock.now()),
    claimPart: async (part, untilMs) => {
      const claimed = await updatePart(database, part)
        .set({ claimed_until: untilMs })
        .where("published_at", "is", null)
        .where("claimed_until", "<=", clock.now())
        .returning("deadline")
        .executeTakeFirst();
      if (claimed === undefined) return false;
      if (claimed.deadline <= clock.now()) {
        while ((await failOpen(engine, part, clock.now())) === jobsOfTransaction) {
          await engine.giveWay();
        }
      }
      return true;
    },
    renewPart: async (part, ownMs, untilMs) => {
      const { numUpdatedRows } = await updatePart(database, part)
        .set({ claimed_until: untilMs })
        .where("published_at", "is", null)
        .where("claimed_until", "=", ownMs)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    jobsOfPart: async (part, after, jobsMax) => {
      const rows = await jobsOf(database, part)
        .selectAll()
        .where("id", ">", after ?? "")
        .orderBy("id")
        .limit(jobsMax)
        .execute();
      return rows.map(toEndedJob);
    },
    notePublished: (part, reading) => notePublished(engine, part, { reading, now: clock.now() }),
    failedSweeps: async ({ accountId, provider, sweepId }) => {
      const rows = await database
        .selectFrom("sweep_parts")
        .select(({ fn }) => fn.min("all_failed").as("failed"))
        .where("account_id", "=", accountId)
        .where("provider", "=", provider)
        .where("sweep_id", "!=", sweepId)
        .where("all_failed", "is not", null)
        .groupBy(["slot", "sweep_id"])
        .orderBy("slot", "desc")
        .limit(failedSweepsMax)
        .execute();
      const other = rows.findIndex(({ failed }) => Number(failed) === 0);
      return other === -1 ? rows.length : other;
    },
  };
}

/** Ends a part, and keeps what became of its jobs and how its answers read. */
function notePublished(
  { database }: ControlEngine,
  part: PartToPublish,
  { reading, now }: { readonly reading: PartReading | undefined; readonly now: number },
): Promise<void> {
  return database.transaction().execute(async (transaction) => {
    const published = await updatePart(transaction, part)
      .set({ published_at: now })
      .where("published_at", "is", null)
      .returning("counts")
      .executeTakeFirst();
    if (published === undefined) return;
    const isAccepted = notedIn(published.counts)?.accepted === true;
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

/** Those whose slot is oldest first. */
async function partsToPublish(
  { database }: ControlEngine,
  partsMax: number,
  now: number,
): Promise<readonly PartToPublish[]> {
  return await database
    .selectFrom("sweep_parts as part")
    .select(["account_id as accountId", "sweep_id as sweepId", "slot", "provider", "surface"])
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

/** Fails some jobs that are open; what they reserved stays unsettled. @returns how many. */
function failOpen(
  { database, locksRows }: ControlEngine,
  part: PartKey,
  now: number,
): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    // SQLite has others wait for a write alone; PostgreSQL locks the rows that are read.
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

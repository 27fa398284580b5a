import type { ControlEngine } from "../../control/control-engine.ts";
import type { ControlDatabase } from "../../control/database.ts";
import { jobsOf, updatePart } from "./job-rows.ts";

const dayMs = 86_400_000;
const jobsKeptMs = 30 * dayMs;
const sweepsKeptMs = 400 * dayMs;
/** So many rows are deleted in a few milliseconds, and others write between two calls. */
const rowsMax = 2_000;

/**
 * Forgets jobs 30 days after their part was published and sweeps after 400 days, at most some
 * thousand a call. What was spent stays. @returns whether there is more to forget.
 */
export async function forgetSweeps({ database }: ControlEngine, now: number): Promise<boolean> {
  const jobs = await forgetJobs(database, now - jobsKeptMs);
  const sweeps = await forgetOldSweeps(database, now - sweepsKeptMs);
  return jobs || sweeps;
}

/** @returns whether there was a part with jobs to forget. */
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

/** Those whose jobs were forgotten. @returns whether there may be more. */
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

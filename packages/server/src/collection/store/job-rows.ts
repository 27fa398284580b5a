import { expressionBuilder, type Selectable } from "kysely";
import type { ControlDatabase } from "../../control/database.ts";
import type { EndedJob, LeasedJob, NewJob, PartToPublish } from "./collection-store.ts";
import type { CollectionTables } from "./collection-tables.ts";

/** A row of `jobs`. */
export type JobRow = Selectable<CollectionTables["jobs"]>;

/** The key of a job. */
export type JobKey = Pick<LeasedJob, "accountId" | "id">;

/** The key of a part. */
export type PartKey = Pick<PartToPublish, "accountId" | "sweepId" | "provider" | "surface">;

/**
 * Reasons of jobs that failed without being sent, for people; distinct from a provider's failures.
 */
export const unaskedReasons = {
  cap: "a cap was reached, and the deadline comes before the next day",
  deadline: "the deadline passed",
  cancelled: "the sweep was cancelled",
} as const;

/** The columns of an ended job. A worker that had leased it has lost it. */
export function ended(state: "done" | "failed", reason: string | null, atMs: number) {
  const settled = { reserved_micros: 0, expected_micros: null, reserve_day: null };
  return { state, reason, ended_at: atMs, due_at: null, ...settled };
}

/** A query of the jobs of a part. */
export function jobsOf(database: ControlDatabase, part: PartKey) {
  return database
    .selectFrom("jobs")
    .where("account_id", "=", part.accountId)
    .where("sweep_id", "=", part.sweepId)
    .where("provider", "=", part.provider)
    .where("surface", "=", part.surface);
}

/**
 * An update of jobs by their ids. PostgreSQL knows that ids are unique, even before it has
 * statistics of a new sweep; with more columns it would scan an index of the part.
 */
export function updateJobs(database: ControlDatabase, accountId: string) {
  return database.updateTable("jobs").where("account_id", "=", accountId);
}

/** An update of a part's row. */
export function updatePart(database: ControlDatabase, part: PartKey) {
  return database
    .updateTable("sweep_parts")
    .where("account_id", "=", part.accountId)
    .where("sweep_id", "=", part.sweepId)
    .where("provider", "=", part.provider)
    .where("surface", "=", part.surface);
}

/** Converts a row into a job. */
export function toNewJob(row: JobRow): NewJob {
  return {
    id: row.id,
    promptId: row.prompt_id,
    provider: row.provider,
    surface: row.surface,
    vendor: row.vendor,
    model: row.model,
    region: row.region === "" ? null : row.region,
    ...(row.state_name === null && row.city === null
      ? {}
      : { place: { state: row.state_name, city: row.city } }),
    sample: row.sample,
    reserveMicros: row.reserve_micros,
  };
}

/** Converts the row of an ended job. @throws when it has not ended. */
export function toEndedJob(row: JobRow): EndedJob {
  const { state, ended_at: endedAt } = row;
  if ((state !== "done" && state !== "failed") || endedAt === null) {
    throw new Error(`The job ${row.id} has not ended: its part is not claimed.`);
  }
  return {
    ...toNewJob(row),
    state,
    reason: row.reason,
    spentMicros: row.spent_micros,
    endedAt,
  };
}

/** A statement's `part`. */
type WithPart = CollectionTables & { readonly part: CollectionTables["sweep_parts"] };

/** Of a statement with a `part` of a sweep: whether one of its questions is due. */
export function hasDueJob(now: number) {
  const { exists, selectFrom } = expressionBuilder<WithPart, "part">();
  return exists(
    selectFrom("jobs as job")
      .select("job.id")
      .whereRef("job.account_id", "=", "part.account_id")
      .whereRef("job.sweep_id", "=", "part.sweep_id")
      .whereRef("job.provider", "=", "part.provider")
      .whereRef("job.surface", "=", "part.surface")
      .where("job.due_at", "<=", now),
  );
}

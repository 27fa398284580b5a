import { sampleSource } from "@sightline/contract";
import { sql } from "kysely";
import { changeAccount, nextChange, type RecordEnd } from "../accounts/progress-store.ts";
import { audited } from "../audit/audit-log.ts";
import type { ControlEngine } from "../control/control-engine.ts";
import type { Flag } from "../control/schema.ts";

/** An import of answers, as far as it noted what it did. Times are milliseconds since 1970. */
export interface ImportRecord {
  readonly id: string;
  readonly startedAt: number;
  /**
   * incomplete: it broke off. One whose process was killed is `running` until the note that it
   * records is forgotten.
   */
  readonly state: "complete" | "running" | "incomplete";
  /** A file's name, or how the answers came. */
  readonly source: string;
  /** Lines. */
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: number;
  /** Null: its answers are there, unless they were removed one by one. */
  readonly undoneAt: number | null;
}

/** What an import notes of itself. */
export interface ImportNote
  extends Pick<ImportRecord, "id" | "source" | "accepted" | "duplicates" | "rejected"> {
  /** Every line was read. */
  readonly isComplete: boolean;
}

/** An import of sample answers, and how many it recorded. */
export type SampleImport = Pick<ImportRecord, "id" | "accepted">;

/** A reader tries samples once; no reply grows with what a program does. */
const sampleImportsMax = 100;

/** The most imports that a list has. */
const importsMax = 1_000;

/** As the index of samples has it: literally, or no planner would take that index. */
const ofSamples = sql<boolean>`source = ${sql.lit(sampleSource)}`;

const state = sql<ImportRecord["state"]>`case when complete = 1 then 'complete'
  when exists (select 1 from recordings where recordings.id = imports.id) then 'running'
  else 'incomplete' end`;

function selectImports({ database }: ControlEngine, accountId: string) {
  return database
    .selectFrom("imports")
    .select(["id", "started_at as startedAt", "source", "accepted", "duplicates", "rejected"])
    .select(["undone_at as undoneAt", state.as("state")])
    .where("account_id", "=", accountId);
}

/** Notes an import with its lines so far. To be repeated while it goes on. */
export async function noteImport(
  control: ControlEngine,
  accountId: string,
  { id, source, isComplete, ...counts }: ImportNote,
  now: number,
): Promise<void> {
  const { accepted, duplicates, rejected } = counts;
  const complete: Flag = isComplete ? 1 : 0;
  const soFar = { accepted, duplicates, rejected, complete };
  const { numUpdatedRows } = await control.database
    .updateTable("imports")
    .set(soFar)
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return;
  await audited(control, accountId, now, async ({ database }) => {
    await database
      .insertInto("imports")
      .values({ id, account_id: accountId, started_at: now, source, ...soFar })
      .onConflict((conflict) => conflict.column("id").doUpdateSet(soFar))
      .execute();
    const after = { source };
    return [undefined, { action: "answers.imported", subject: id, before: null, after }];
  });
}

/** An account's imports, newest first, and of equal times by id; the latest `importsMax`. */
export function importsOf(
  engine: ControlEngine,
  accountId: string,
): Promise<readonly ImportRecord[]> {
  const newestFirst = selectImports(engine, accountId).orderBy("started_at", "desc").orderBy("id");
  return newestFirst.limit(importsMax).execute();
}

/** An import; null: the account has none of this id. */
export async function importById(
  engine: ControlEngine,
  accountId: string,
  importId: string,
): Promise<ImportRecord | null> {
  const found = selectImports(engine, accountId).where("id", "=", importId);
  return (await found.executeTakeFirst()) ?? null;
}

/** The latest imports of samples that recorded answers and are not undone, newest first. */
export function sampleImportsOf(
  { database }: ControlEngine,
  accountId: string,
): Promise<readonly SampleImport[]> {
  return database
    .selectFrom("imports")
    .select(["id", "accepted"])
    .where("account_id", "=", accountId)
    .where(ofSamples)
    .where("undone_at", "is", null)
    .where("accepted", ">", 0)
    .orderBy("started_at", "desc")
    .orderBy("id")
    .limit(sampleImportsMax)
    .execute();
}

/** Notes that an import was undone. */
export async function noteUndone(
  { database }: ControlEngine,
  accountId: string,
  importId: string,
  now: number,
): Promise<void> {
  await database
    .updateTable("imports")
    .set({ undone_at: now })
    .where("account_id", "=", accountId)
    .where("id", "=", importId)
    .execute();
}

/** Notes that answers were removed: the facts are of another record, and are rebuilt. */
export function noteRemoved(
  engine: ControlEngine,
  accountId: string,
  { sequence, recordedAtMs }: RecordEnd,
): Promise<void> {
  return changeAccount(engine, accountId, (transaction) =>
    transaction
      .updateTable("accounts")
      .set({ recorded: sequence, recorded_at: recordedAtMs, projected: null })
      // As of an account that had facts: a node may be about to note its first ones.
      .set({ change: nextChange, projected_rules: sql`coalesce(projected_rules, '')` })
      .where("id", "=", accountId)
      .execute(),
  );
}

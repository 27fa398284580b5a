import type { ControlEngine } from "../../control/control-engine.ts";

/** Crashed processes leave a row each; rows this old are deleted. */
const keptMs = 86_400_000;

/** Stores the latest report of a collecting process: the state of its vendors, as JSON. */
export async function saveCollectorReport(
  { database }: ControlEngine,
  id: string,
  report: string,
  now: number,
): Promise<void> {
  const noted = { noted_at: now, report };
  await database
    .insertInto("collectors")
    .values({ id, ...noted })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(noted))
    .execute();
  await database
    .deleteFrom("collectors")
    .where("noted_at", "<", now - keptMs)
    .execute();
}

/** Reports that were stored after an instant, in milliseconds since 1970; by process id. */
export async function collectorReports({ database }: ControlEngine, afterMs: number) {
  const rows = await database
    .selectFrom("collectors")
    .select("report")
    .where("noted_at", ">", afterMs)
    .orderBy("id")
    .execute();
  return rows.map(({ report }) => report);
}

/** Deletes the report of a process that stops collecting. */
export async function deleteCollector({ database }: ControlEngine, id: string): Promise<void> {
  await database.deleteFrom("collectors").where("id", "=", id).execute();
}

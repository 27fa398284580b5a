import type { ControlEngine } from "../../control/control-engine.ts";

/** Processes that died leave a row each, which nobody reads any more. */
const keptMs = 86_400_000;

/** Notes that a process collects, and in JSON how vendors stand with it; in place of before. */
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

/** What processes noted after an instant, in milliseconds since 1970. */
export async function collectorReports({ database }: ControlEngine, afterMs: number) {
  const rows = await database
    .selectFrom("collectors")
    .select("report")
    .where("noted_at", ">", afterMs)
    .orderBy("id")
    .execute();
  return rows.map(({ report }) => report);
}

/** Notes that a process collects no more. */
export async function deleteCollector({ database }: ControlEngine, id: string): Promise<void> {
  await database.deleteFrom("collectors").where("id", "=", id).execute();
}

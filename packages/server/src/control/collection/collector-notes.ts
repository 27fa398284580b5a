import type { Clock } from "../../platform/clock.ts";
import type { CollectionStore } from "../collection-store.ts";
import type { ControlDatabase } from "../database.ts";

/** Which processes collect, and how vendors stand with them. */
export type CollectorNotes = Pick<
  CollectionStore,
  "noteCollector" | "collectors" | "dropCollector"
>;

/** Processes that died leave a row each, which nobody reads any more. */
const keptMs = 86_400_000;

/** Collectors in control. */
export function collectorNotes(database: ControlDatabase, clock: Clock): CollectorNotes {
  return {
    noteCollector: async (id, report) => {
      const noted = { noted_at: clock.now(), report };
      await database
        .insertInto("collectors")
        .values({ id, ...noted })
        .onConflict((conflict) => conflict.column("id").doUpdateSet(noted))
        .execute();
      await database
        .deleteFrom("collectors")
        .where("noted_at", "<", noted.noted_at - keptMs)
        .execute();
    },
    collectors: async (afterMs) => {
      const rows = await database
        .selectFrom("collectors")
        .select("report")
        .where("noted_at", ">", afterMs)
        .orderBy("id")
        .execute();
      return rows.map(({ report }) => report);
    },
    dropCollector: async (id) => {
      await database.deleteFrom("collectors").where("id", "=", id).execute();
    },
  };
}

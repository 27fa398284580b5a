import { sql } from "kysely";
import type { ControlEngine } from "../../control/control-engine.ts";
import { byCodeUnit } from "../../platform/by-code-unit.ts";

/** The calls of one key on one UTC day (days since 1970-01-01). */
export interface UsageCount {
  readonly keyId: string;
  readonly day: number;
  readonly calls: number;
}

/** Stores the counts across restarts. */
export interface UsageStore {
  /** Calls of a key on a UTC day (days since 1970-01-01); 0 when none is stored. */
  readonly usage: (keyId: string, day: number) => Promise<number>;
  /**
   * Adds calls to the stored counts, which all nodes share, and deletes old days.
   * @returns the counts afterwards, in any order.
   */
  readonly addUsage: (added: readonly UsageCount[]) => Promise<readonly UsageCount[]>;
}

/** Days that are kept, for a clock that steps back. */
const daysKept = 7;

/** Calls of a key on a UTC day (days since 1970-01-01); 0 when none is stored. */
export async function usageOfKey(
  { database }: ControlEngine,
  keyId: string,
  day: number,
): Promise<number> {
  const row = await database
    .selectFrom("key_usage")
    .select("calls")
    .where("key_id", "=", keyId)
    .where("day", "=", day)
    .executeTakeFirst();
  return row?.calls ?? 0;
}

/**
 * The calls of an account's keys on a UTC day, by key id, as last saved; keys without calls are
 * missing.
 */
export async function usageOfDay(
  { database }: ControlEngine,
  accountId: string,
  day: number,
): Promise<ReadonlyMap<string, number>> {
  const rows = await database
    .selectFrom("keys")
    .innerJoin("key_usage", "key_usage.key_id", "keys.id")
    .select(["keys.id", "key_usage.calls"])
    .where("keys.account_id", "=", accountId)
    .where("key_usage.day", "=", day)
    .execute();
  return new Map(rows.map(({ id, calls }) => [id, calls]));
}

/** As `UsageStore.addUsage`, in control. */
export function addUsage(
  { database }: ControlEngine,
  added: readonly UsageCount[],
): Promise<readonly UsageCount[]> {
  return database.transaction().execute(async (transaction) => {
    // In a fixed order, to prevent deadlocks between nodes that count the same keys.
    const ordered = added.toSorted((a, b) => byCodeUnit(a.keyId, b.keyId) || a.day - b.day);
    const counts: UsageCount[] = [];
    for (const { keyId, day, calls } of ordered) {
      const key = transaction.selectFrom("keys").select("id").where("id", "=", keyId);
      if ((await key.executeTakeFirst()) === undefined) {
        counts.push({ keyId, day, calls }); // its account was deleted
        continue;
      }
      const row = await transaction
        .insertInto("key_usage")
        .values({ key_id: keyId, day, calls })
        .onConflict((conflict) =>
          conflict
            .columns(["key_id", "day"])
            .doUpdateSet({ calls: sql`key_usage.calls + excluded.calls` }),
        )
        .returning("calls")
        .executeTakeFirstOrThrow();
      counts.push({ keyId, day, calls: row.calls });
      await transaction
        .deleteFrom("key_usage")
        .where("key_id", "=", keyId)
        .where("day", "<", day - daysKept)
        .execute();
    }
    return counts;
  });
}

/** The usage store in control. */
export function usageStore(engine: ControlEngine): UsageStore {
  return {
    usage: (keyId, day) => usageOfKey(engine, keyId, day),
    addUsage: (added) => addUsage(engine, added),
  };
}

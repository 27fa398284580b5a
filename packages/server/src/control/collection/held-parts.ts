import type { CollectionStore } from "../collection-store.ts";
import type { ControlDatabase } from "../database.ts";
import { type PartKey, updatePart } from "./job-rows.ts";
import { countPart, type NotedPart } from "./sweep-reads.ts";

/** Parts whose answers look wrong, and what they are compared with. */
export type HeldParts = Pick<CollectionStore, "earlierReadings" | "holdPart" | "acceptPart">;

/** Parts that are held back, in control. */
export function heldParts(database: ControlDatabase): HeldParts {
  return {
    earlierReadings: async (part, partsMax) => {
      const row = await partRow(database, part);
      if (row === undefined) return { isAccepted: false, held: null, before: [] };
      const rows = await database
        .selectFrom("sweep_parts")
        .select("counts")
        .where("account_id", "=", part.accountId)
        .where("provider", "=", part.provider)
        .where("surface", "=", part.surface)
        .where("vendor", "=", row.vendor)
        .where("sweep_id", "!=", part.sweepId)
        .where("published_at", "is not", null)
        .orderBy("slot", "desc")
        .limit(partsMax)
        .execute();
      const noted = rows.map(({ counts }) => notedIn(counts));
      const accepted = noted.findIndex((each) => each?.accepted === true);
      const compared = accepted === -1 ? noted : noted.slice(0, accepted + 1);
      const before = compared.flatMap((each) => (each?.models === undefined ? [] : [each.models]));
      const own = notedIn(row.counts);
      const { suspicious, models = [] } = own ?? {};
      const held = suspicious === undefined ? null : { suspicious, models };
      return { isAccepted: own?.accepted === true, held, before };
    },
    // Who accepts a part ends its claim, so that a worker which read it before holds it no more.
    holdPart: async (part, { reading, suspicious, ownMs, untilMs }) => {
      const noted: NotedPart = { ...(await countPart(database, part)), ...reading, suspicious };
      const { numUpdatedRows } = await updatePart(database, part)
        .set({ claimed_until: untilMs, counts: JSON.stringify(noted) })
        .where("published_at", "is", null)
        .where("claimed_until", "=", ownMs)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    acceptPart: async (part) => {
      const noted = notedIn((await partRow(database, part))?.counts ?? null);
      if (noted?.suspicious === undefined) return false;
      const { suspicious: _, ...rest } = noted;
      const updated = await updatePart(database, part)
        .set({ claimed_until: 0, counts: JSON.stringify({ ...rest, accepted: true }) })
        .where("published_at", "is", null)
        .executeTakeFirst();
      return updated.numUpdatedRows > 0n;
    },
  };
}

function partRow(database: ControlDatabase, part: PartKey) {
  return database
    .selectFrom("sweep_parts")
    .select(["vendor", "counts"])
    .where("account_id", "=", part.accountId)
    .where("sweep_id", "=", part.sweepId)
    .where("provider", "=", part.provider)
    .where("surface", "=", part.surface)
    .executeTakeFirst();
}

/** How a part stands, by its row; null: it has not ended. */
export function notedIn(counts: string | null): NotedPart | null {
  return counts === null ? null : (JSON.parse(counts) as NotedPart);
}

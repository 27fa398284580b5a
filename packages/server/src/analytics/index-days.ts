import { dayOf } from "./buckets.ts";
import {
  type AppearanceRows,
  firstRowDay,
  type Narrow,
  narrow,
  rowDay,
  rowEntity,
} from "./index-rows.ts";
import { type Measure, markPlaces } from "./metric-definitions.ts";

/**
 * Sums of rows: those of a prompt (its place), a day and an entity stand at
 * (prompt × days + day) × entities + entity.
 */
export type DaySums = Readonly<Record<Measure, Narrow>> & {
  /** Of the segment, from the day of its `firstMs`. */
  readonly days: number;
  readonly entities: number;
};

/**
 * Adds up a segment's rows: five times as many answers of the same prompts and days have as many
 * sums. Null: the rows are of too many prompts, days and entities, or a sum does not fit.
 */
export function daySums(rows: AppearanceRows): DaySums | null {
  if (firstRowDay(rows) === null) return null;
  let entities = 0;
  for (let place = 0; place < rows.row.length; place++) {
    entities = Math.max(entities, rowEntity(rows.row[place] ?? 0) + 1);
  }
  const days = dayOf(rows.lastMs) - dayOf(rows.firstMs) + 1;
  const places = rows.prompt.length * days * entities;
  if (places > rows.row.length) return null; // not worth their memory: 4 to 8 bytes a place
  const sums = {
    mentioned: new Uint16Array(places),
    cited: new Uint16Array(places),
    visible: new Uint16Array(places),
    rank: new Uint16Array(places),
  };
  if (!addUp(rows, { days, entities }, sums)) return null;
  const { mentioned, cited, visible, rank } = sums;
  return {
    days,
    entities,
    mentioned: narrow(mentioned),
    cited: narrow(cited),
    visible: narrow(visible),
    rank: narrow(rank),
  };
}

/** Says whether all sums fit. */
function addUp(
  { promptStart, groupRow, row, rank }: AppearanceRows,
  { days, entities }: Pick<DaySums, "days" | "entities">,
  sums: Readonly<Record<Measure, Uint16Array>>,
): boolean {
  let fits = true;
  const add = (into: Uint16Array, place: number, amount: number) => {
    const sum = (into[place] ?? 0) + amount;
    into[place] = sum;
    if (into[place] !== sum) fits = false;
  };
  for (let prompt = 0; prompt + 1 < promptStart.length && fits; prompt++) {
    const end = groupRow[promptStart[prompt + 1] ?? 0] ?? 0;
    for (let each = groupRow[promptStart[prompt] ?? 0] ?? 0; each < end; each++) {
      const bits = row[each] ?? 0;
      const place = (prompt * days + rowDay(bits)) * entities + rowEntity(bits);
      add(sums.mentioned, place, (bits >> markPlaces.mentioned) & 1);
      add(sums.cited, place, (bits >> markPlaces.cited) & 1);
      add(sums.visible, place, (bits >> markPlaces.visible) & 1);
      add(sums.rank, place, rank[each] ?? 0);
    }
  }
  return fits;
}

import { dayOf } from "./buckets.ts";
import { type AppearanceRows, firstRowDay, type Narrow, rowDay, rowEntity } from "./index-rows.ts";
import { eachStretch, type IndexStretch, type Pause } from "./index-stretches.ts";
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

/** To look at an answer takes as long as to add so many sums of each measure. */
const sumsAnAnswer = 4;

/** Appearances, and what was added up of them before. */
interface AddedRows extends AppearanceRows {
  readonly days: DaySums | null;
}

/**
 * Adds up a segment's rows: five times as many answers of the same prompts and days have as many
 * sums. Null: the rows are of too many prompts, days and entities, or a sum does not fit.
 */
export function daySums(rows: AppearanceRows): DaySums | null {
  const sums = SumsOfDays.for(rows);
  const added = { ...rows, days: null };
  for (let prompt = 0; prompt < rows.prompt.length; prompt++) {
    sums?.add(added, prompt, { prompt, later: 0 });
  }
  return sums?.end() ?? null;
}

/** As `daySums`, of a segment that was made of others: what they have is not added up again. */
export async function mergedDays(
  rows: AppearanceRows,
  parts: readonly AddedRows[],
  pause: Pause,
): Promise<DaySums | null> {
  const sums = SumsOfDays.for(rows);
  if (sums === null) return null;
  const stretches = parts.map((segment) => ({ segment, from: 0, to: segment.prompt.length }));
  await eachStretch(stretches, { pause, cost: promptCost }, ({ segment, from, to }) => {
    const later = dayOf(segment.firstMs) - dayOf(rows.firstMs);
    let place = 0;
    for (let prompt = from; prompt < to; prompt++) {
      while (rows.prompt[place] !== segment.prompt[prompt]) place++;
      sums.add(segment, prompt, { prompt: place, later });
    }
  });
  await pause();
  return sums.end();
}

/** Of a prompt. */
function promptCost({ segment: { days, row, prompt } }: IndexStretch<AddedRows>): number {
  const sums = days === null ? row.length / prompt.length : days.days * days.entities;
  return sums / sumsAnAnswer;
}

class SumsOfDays {
  readonly #days: number;
  readonly #entities: number;
  readonly #mentioned: SumTable;
  readonly #cited: SumTable;
  readonly #visible: SumTable;
  readonly #rank: SumTable;

  private constructor(prompts: number, days: number, entities: number) {
    this.#days = days;
    this.#entities = entities;
    const places = prompts * days * entities;
    this.#mentioned = new SumTable(places);
    this.#cited = new SumTable(places);
    this.#visible = new SumTable(places);
    this.#rank = new SumTable(places);
  }

  /** Null: not worth their memory, 4 to 8 bytes a place, or rows do not say their days. */
  static for({ firstMs, lastMs, ...rows }: AppearanceRows): SumsOfDays | null {
    const days = dayOf(lastMs) - dayOf(firstMs) + 1;
    const places = rows.prompt.length * days * rows.entities;
    if (firstRowDay({ firstMs, lastMs }) === null || places > rows.row.length) return null;
    return new SumsOfDays(rows.prompt.length, days, rows.entities);
  }

  /** Adds one prompt of a segment, to one whose place is known; its days are so many later. */
  add(
    segment: AddedRows,
    from: number,
    { prompt, later }: { readonly prompt: number; readonly later: number },
  ): void {
    const first = (prompt * this.#days + later) * this.#entities;
    if (segment.days === null) this.#addRows(segment, from, first);
    else this.#addDays(segment.days, from, first);
  }

  /** Null: a sum does not fit. */
  end(): DaySums | null {
    const [mentioned, cited] = [this.#mentioned.narrow(), this.#cited.narrow()];
    const [visible, rank] = [this.#visible.narrow(), this.#rank.narrow()];
    if (mentioned === null || cited === null || visible === null || rank === null) return null;
    return { days: this.#days, entities: this.#entities, mentioned, cited, visible, rank };
  }

  #addRows({ promptStart, groupRow, row, rank }: AppearanceRows, from: number, first: number) {
    const end = groupRow[promptStart[from + 1] ?? 0] ?? 0;
    for (let each = groupRow[promptStart[from] ?? 0] ?? 0; each < end; each++) {
      const bits = row[each] ?? 0;
      const place = first + rowDay(bits) * this.#entities + rowEntity(bits);
      this.#mentioned.add(place, (bits >> markPlaces.mentioned) & 1);
      this.#cited.add(place, (bits >> markPlaces.cited) & 1);
      this.#visible.add(place, (bits >> markPlaces.visible) & 1);
      this.#rank.add(place, rank[each] ?? 0);
    }
  }

  #addDays({ days, entities, ...sums }: DaySums, from: number, first: number): void {
    for (let day = 0; day < days; day++) {
      const own = (from * days + day) * entities;
      const place = first + day * this.#entities;
      for (let entity = 0; entity < entities; entity++) {
        this.#mentioned.add(place + entity, sums.mentioned[own + entity] ?? 0);
        this.#cited.add(place + entity, sums.cited[own + entity] ?? 0);
        this.#visible.add(place + entity, sums.visible[own + entity] ?? 0);
        this.#rank.add(place + entity, sums.rank[own + entity] ?? 0);
      }
    }
  }
}

/** One measure's sums. */
class SumTable {
  readonly #sums: Uint16Array;
  /** All that any sum had: none is larger. */
  #bits = 0;

  constructor(places: number) {
    this.#sums = new Uint16Array(places);
  }

  add(place: number, amount: number): void {
    const sum = (this.#sums[place] ?? 0) + amount;
    this.#sums[place] = sum;
    this.#bits |= sum;
  }

  /** Null: a sum did not fit. */
  narrow(): Narrow | null {
    if (this.#bits > 0xffff) return null;
    return this.#bits > 0xff ? this.#sums : new Uint8Array(this.#sums);
  }
}

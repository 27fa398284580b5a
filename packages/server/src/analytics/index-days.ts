import { dayOf } from "./buckets.ts";
import type { AnswerSegment } from "./index-answers.ts";
import { markPlaces } from "./metric-definitions.ts";

/** Appearances, one place a row, answer by answer. */
export interface AppearanceRows extends AnswerSegment {
  readonly entity: Uint16Array;
  readonly marks: Uint8Array;
  readonly rank: Uint16Array;
}

/**
 * The sums of a segment's rows, one place for a prompt, a UTC day and an entity; several where a
 * sum would not fit. Five times as many answers of the same days are hardly more of these.
 */
export interface DaySums {
  /** Of each prompt the first place; one more than there are prompts. */
  readonly start: Int32Array;
  /** Counted from the day of the segment's `firstMs`. */
  readonly day: Uint16Array;
  readonly entity: Uint16Array;
  readonly mentioned: Uint8Array;
  readonly cited: Uint8Array;
  readonly visible: Uint8Array;
  readonly rank: Uint16Array;
}

/** Fewer rows a sum are not worth their memory: 9 bytes, in the place of a day's 2 a row. */
const rowsASumMin = 3.5;
const countMax = 0xff;
const rankMax = 0xffff;
/** Days are told apart in 16 bits. */
const daysMax = 0x10000;
/** Days times entities of a segment: more are not added up. */
const placesMax = 1_000_000;

/** Adds up a segment; null: its rows are of too many prompts and days, or too far apart. */
export function daySums(rows: AppearanceRows): DaySums | null {
  const { rowStart, promptStart, answeredAt, entity } = rows;
  const firstDay = dayOf(rows.firstMs);
  const entities = entity.reduce((most, each) => Math.max(most, each), 0) + 1;
  const daysIn = dayOf(rows.lastMs) - firstDay + 1;
  if (daysIn > daysMax || daysIn * entities > placesMax) return null;
  const sums = emptySums(promptStart.length, Math.floor(entity.length / rowsASumMin));
  const lastOf = new Int32Array(daysIn * entities).fill(-1); // of a day and an entity
  const add = adding(rows, sums);
  let count = 0;
  for (let prompt = 0; prompt + 1 < promptStart.length; prompt++) {
    const start = count;
    sums.start[prompt] = start;
    for (let answer = promptStart[prompt] ?? 0; answer < (promptStart[prompt + 1] ?? 0); answer++) {
      const day = dayOf(answeredAt[answer] ?? 0) - firstDay;
      for (let row = rowStart[answer] ?? 0; row < (rowStart[answer + 1] ?? 0); row++) {
        const place = day * entities + (entity[row] ?? 0);
        const last = lastOf[place] ?? -1;
        if (last >= start && add(last, row)) continue;
        if (count === sums.day.length) return null;
        sums.day[count] = day;
        sums.entity[count] = entity[row] ?? 0;
        add(count, row);
        lastOf[place] = count++;
      }
    }
  }
  sums.start[promptStart.length - 1] = count;
  return cutTo(count, sums);
}

/** Adds a row to the sums at a place; says whether there was room: each stays in its bits. */
function adding(
  { marks, rank }: AppearanceRows,
  sums: DaySums,
): (place: number, row: number) => boolean {
  const { mentioned, cited, visible, rank: ranks } = sums;
  return (place, row) => {
    const mark = marks[row] ?? 0;
    const mentions = (mentioned[place] ?? 0) + ((mark >> markPlaces.mentioned) & 1);
    const citations = (cited[place] ?? 0) + ((mark >> markPlaces.cited) & 1);
    const seen = (visible[place] ?? 0) + ((mark >> markPlaces.visible) & 1);
    const ranked = (ranks[place] ?? 0) + (rank[row] ?? 0);
    if ((mentions | citations | seen) > countMax || ranked > rankMax) return false;
    mentioned[place] = mentions;
    cited[place] = citations;
    visible[place] = seen;
    ranks[place] = ranked;
    return true;
  };
}

function emptySums(starts: number, room: number): DaySums {
  return {
    start: new Int32Array(starts),
    day: new Uint16Array(room),
    entity: new Uint16Array(room),
    mentioned: new Uint8Array(room),
    cited: new Uint8Array(room),
    visible: new Uint8Array(room),
    rank: new Uint16Array(room),
  };
}

function cutTo(count: number, sums: DaySums): DaySums {
  return {
    start: sums.start,
    day: sums.day.slice(0, count),
    entity: sums.entity.slice(0, count),
    mentioned: sums.mentioned.slice(0, count),
    cited: sums.cited.slice(0, count),
    visible: sums.visible.slice(0, count),
    rank: sums.rank.slice(0, count),
  };
}

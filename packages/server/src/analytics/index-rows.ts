import { dayOf } from "./buckets.ts";
import type { AnswerSegment, Numbers } from "./index-answers.ts";

/** Numbers in as few bytes as the largest of them needs. */
export type Narrow = Uint8Array | Uint16Array;

/** The same numbers: most ranks, and sums of a day, are small. */
export function narrow(numbers: Uint16Array): Narrow {
  return numbers.every((number) => number <= 0xff) ? new Uint8Array(numbers) : numbers;
}

/** Appearances, one place a row, answer by answer. */
export interface AppearanceRows extends AnswerSegment {
  /**
   * What most series look at, in the 32 bits of one number, so that it is read from one place: the
   * marks (the lowest bits; see `markPlaces`), the entity, and the UTC day of the answer, counted
   * from `firstRowDay`.
   */
  readonly row: Int32Array;
  readonly rank: Narrow;
  /** Above the largest number of one. */
  readonly entities: number;
}

const entityBit = 3;
const entityMask = 0xffff;
const dayBit = 19;
/** More days than this are not told apart. */
const daysMax = 2 ** (32 - dayBit);

/** The entity of a row. */
export function rowEntity(row: number): number {
  return (row >>> entityBit) & entityMask;
}

/** The day of a row, counted from `firstRowDay`. */
export function rowDay(row: number): number {
  return row >>> dayBit;
}

/** From which day those of a segment's rows are counted; null: they are too far apart, and 0. */
export function firstRowDay({
  firstMs,
  lastMs,
}: Pick<AnswerSegment, "firstMs" | "lastMs">): number | null {
  const first = dayOf(firstMs);
  return dayOf(lastMs) - first < daysMax ? first : null;
}

/** What is packed of each appearance. */
interface Unpacked {
  readonly answered_at: Numbers;
  readonly entity: Numbers;
  readonly marks: Numbers;
}

/** Packs rows; see `AppearanceRows`. */
export function packedRows(
  { answered_at, entity, marks }: Unpacked,
  firstDay: number | null,
): Int32Array {
  const packed = new Int32Array(entity.length);
  for (let row = 0; row < packed.length; row++) {
    const day = firstDay === null ? 0 : dayOf(answered_at[row] ?? 0) - firstDay;
    packed[row] = (day << dayBit) | ((entity[row] ?? 0) << entityBit) | (marks[row] ?? 0);
  }
  return packed;
}

/** How packed rows' days are counted from another day: `(row & mask) + add`. */
export interface Recounting {
  readonly mask: number;
  readonly add: number;
}

/** From `to` in the place of `from`, of which see `firstRowDay`. */
export function recounting(from: number | null, to: number | null): Recounting {
  if (from === null || to === null) return { mask: (1 << dayBit) - 1, add: 0 };
  return { mask: -1, add: (from - to) << dayBit };
}

import { dayOf } from "./buckets.ts";
import type { AnswerSegment, Numbers } from "./index-answers.ts";

/**
 * What most series look at of an appearance, in the 32 bits of one number, so that it is read from
 * one place: the marks, the entity, and the UTC day of its answer, counted from the day of the
 * segment's `firstMs`.
 */
export const rowBits = { entity: 3, entityMask: 0xffff, day: 19 } as const;

/** More days than this are not told apart. */
const daysMax = 2 ** (32 - rowBits.day);

/** Whether the rows of a segment can say their days; else the day's bits are 0. */
export function rowsHaveDays({ firstMs, lastMs }: Pick<AnswerSegment, "firstMs" | "lastMs">) {
  return dayOf(lastMs) - dayOf(firstMs) < daysMax;
}

/** The columns of appearances that are packed. */
interface Unpacked {
  readonly answered_at: Numbers;
  readonly entity: Numbers;
  readonly marks: Numbers;
}

/** The numbers of rows, in the order in which they lie. `firstDay` null: without days. */
export function packedRows(
  { answered_at, entity, marks }: Unpacked,
  firstDay: number | null,
): Int32Array {
  const packed = new Int32Array(entity.length);
  for (let row = 0; row < packed.length; row++) {
    const day = firstDay === null ? 0 : dayOf(answered_at[row] ?? 0) - firstDay;
    const number = (entity[row] ?? 0) << rowBits.entity;
    packed[row] = (day << rowBits.day) | number | (marks[row] ?? 0);
  }
  return packed;
}

/** The same numbers, their days counted from so many days before; null: without days. */
export function movedRows(packed: Int32Array, days: number | null): Int32Array {
  if (days === null) return packed.map((row) => row & ((1 << rowBits.day) - 1));
  return packed.map((row) => row + (days << rowBits.day));
}

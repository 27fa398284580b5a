/** Gives room for so many numbers. What was written there before may be lost. */
export type Room<Numbers> = (length: number) => Numbers;

/** Longer texts have room of their own. */
const keptMax = 65_536;

/** Room that is used again: what is written in it is good until room is asked for again. */
export function reusedRoom<Numbers extends { readonly length: number }>(
  make: Room<Numbers>,
): Room<Numbers> {
  let kept: Numbers | null = null;
  return (length) => {
    if (length > keptMax) return make(length);
    if (kept === null || kept.length < length) kept = make(Math.min(2 * length, keptMax));
    return kept;
  };
}

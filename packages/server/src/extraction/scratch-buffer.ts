/** Returns a buffer for this many numbers. Its previous contents may be lost. */
export type Allocate<Numbers> = (length: number) => Numbers;

/** Longer texts get their own buffer. */
const keptMax = 65_536;

/** A reused buffer: its contents are valid until the next request for it. */
export function scratchBuffer<Numbers extends { readonly length: number }>(
  make: Allocate<Numbers>,
): Allocate<Numbers> {
  let kept: Numbers | null = null;
  return (length) => {
    if (length > keptMax) return make(length);
    if (kept === null || kept.length < length) kept = make(Math.min(2 * length, keptMax));
    return kept;
  };
}

/** Larger than any cache of a processor. */
const bytes = 512 * 1024 * 1024;
const rounds = 5;

/** Bytes that one thread reads (and copies) in a second: the best of some rounds. */
export function memoryBytesPerSecond(): number {
  const from = new Float64Array(bytes / Float64Array.BYTES_PER_ELEMENT).fill(1);
  const to = new Float64Array(from.length);
  let best = 0;
  for (let round = 0; round < rounds; round++) {
    const started = performance.now();
    to.set(from);
    best = Math.max(best, bytes / ((performance.now() - started) / 1000));
  }
  return best;
}

/** The bytes in stretches of at most so many; nothing is copied. */
export function* stretchesOf(bytes: Buffer, bytesMax: number): Generator<Buffer, void, void> {
  for (let from = 0; from < bytes.length; from += bytesMax) {
    yield bytes.subarray(from, from + bytesMax);
  }
}

/** Bytes in chunks of a size, as a stream gives them. Each is a copy, as a file's chunks are. */
export async function* byteChunks(bytes: Buffer, size = 64 * 1024): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += size) {
    yield Buffer.from(bytes.subarray(start, start + size));
  }
}

/** Chunks and then an error, as a disk or a pipe that breaks gives them. */
export async function* brokenChunks(bytes: Buffer, error: Error): AsyncGenerator<Buffer> {
  yield bytes;
  throw error;
}

/** Everything that a stream gives. */
export async function collected<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

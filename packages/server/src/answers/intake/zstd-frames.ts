import { createZstdDecompress, type ZstdDecompress } from "node:zlib";

/**
 * The plain bytes of a zstd stream, all its frames one after the other: several files in one, or
 * what a compressor that works in parallel wrote.
 *
 * TRICKY: Node's decompressor ends with the first frame. What follows it was dropped without a
 * word, or ended the process with an error that nobody could catch. So each frame gets its own.
 * @throws the decompressor's error when the stream is damaged or ends early.
 */
export async function* zstdFrames(chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  const source = new Source(chunks);
  while (await source.hasMore()) yield* oneFrame(source);
}

async function* oneFrame(source: Source): AsyncGenerator<Buffer> {
  const decompressor = createZstdDecompress();
  // Until the end of the frame the loop below throws it; afterwards it is about the next frame.
  decompressor.on("error", () => undefined);
  const feeding = feed(decompressor, source);
  try {
    yield* decompressor as AsyncIterable<Buffer>;
  } finally {
    decompressor.destroy();
    await feeding;
    source.giveBack(decompressor.bytesWritten);
  }
}

async function feed(decompressor: ZstdDecompress, source: Source): Promise<void> {
  try {
    while (!decompressor.destroyed) {
      const chunk = await source.take(decompressor.bytesWritten);
      if (chunk === null) {
        decompressor.end();
        return;
      }
      if (!decompressor.write(chunk)) await drainedOrClosed(decompressor);
    }
  } catch (error) {
    decompressor.destroy(error instanceof Error ? error : new Error(String(error)));
  }
}

function drainedOrClosed(decompressor: ZstdDecompress): Promise<void> {
  return new Promise((resolve) => {
    if (decompressor.closed) return resolve();
    const done = () => {
      decompressor.off("drain", done).off("close", done);
      resolve();
    };
    decompressor.on("drain", done).on("close", done);
  });
}

/** Chunks that can be given back from the place where a frame ended. */
class Source {
  readonly #chunks: AsyncIterator<Buffer>;
  /** Read, and still to be taken. */
  #ahead: Buffer[] = [];
  /** Taken by the present frame, the last ones: it may end inside of them. */
  #taken: Buffer[] = [];
  /** The frame's bytes before `#taken`. */
  #dropped = 0;

  constructor(chunks: AsyncIterator<Buffer>) {
    this.#chunks = chunks;
  }

  async hasMore(): Promise<boolean> {
    while (this.#ahead.length === 0) {
      const next = await this.#chunks.next();
      if (next.done === true) return false;
      if (next.value.length > 0) this.#ahead.push(next.value);
    }
    return true;
  }

  /** The next chunk; null at the end. `used`: the bytes that the frame is known to have. */
  async take(used: number): Promise<Buffer | null> {
    if (!(await this.hasMore())) return null;
    const chunk = this.#ahead.shift() ?? Buffer.alloc(0);
    for (let first = this.#taken[0]; first !== undefined; first = this.#taken[0]) {
      if (this.#dropped + first.length > used) break;
      this.#dropped += first.length;
      this.#taken.shift();
    }
    this.#taken.push(chunk);
    return chunk;
  }

  /** The frame had `used` bytes: what was taken beyond them is the next frame's. */
  giveBack(used: number): void {
    const rest = Buffer.concat(this.#taken).subarray(used - this.#dropped);
    this.#taken = [];
    this.#dropped = 0;
    if (rest.length > 0) this.#ahead.unshift(rest);
  }
}

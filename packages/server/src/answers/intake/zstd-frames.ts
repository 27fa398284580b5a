import { createZstdDecompress, type ZstdDecompress } from "node:zlib";

/**
 * The plain bytes of a zstd stream with all its frames: several concatenated files, or the output
 * of a parallel compressor.
 *
 * TRICKY: Node's decompressor ends with the first frame. The rest was silently dropped, or ended
 * the process with an uncatchable error. Each frame therefore gets its own decompressor.
 * @throws the decompressor's error when the stream is damaged or ends early.
 */
export async function* zstdFrames(chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  const source = new Source(chunks);
  while (await source.hasMore()) yield* oneFrame(source);
}

async function* oneFrame(source: Source): AsyncGenerator<Buffer> {
  const decompressor = createZstdDecompress();
  // Until the frame ends, the loop below throws the error; afterwards it belongs to the next frame.
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

/** Chunks that can be pushed back from the end of a frame. */
class Source {
  readonly #chunks: AsyncIterator<Buffer>;
  /** Read, but not yet taken. */
  #ahead: Buffer[] = [];
  /** The last chunks taken by the current frame, which may end inside them. */
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

  /**
   * The next chunk; null at the end. `used` is the number of bytes known to belong to the frame.
   */
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

  /** The frame had `used` bytes: the taken bytes after them belong to the next frame. */
  giveBack(used: number): void {
    const rest = Buffer.concat(this.#taken).subarray(used - this.#dropped);
    this.#taken = [];
    this.#dropped = 0;
    if (rest.length > 0) this.#ahead.unshift(rest);
  }
}

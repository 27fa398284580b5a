import { constants, createZstdDecompress, type ZstdDecompress } from "node:zlib";

/**
 * The plain bytes of a zstd stream with all its frames: several concatenated files, or the output
 * of a parallel compressor.
 *
 * TRICKY: Node's decompressor ends with the first frame. The rest was silently dropped, or ended
 * the process with an uncatchable error. Each frame therefore gets its own decompressor. That of an
 * empty frame of 9 bytes takes as long as some answers, so its end is given as an empty chunk: a
 * reader who takes turns, or has to stop, learns of it.
 * @param windowLogMax a frame with a larger window is refused.
 * @throws the decompressor's error when the stream is damaged or ends early.
 */
export async function* zstdFrames(
  chunks: AsyncIterator<Buffer>,
  windowLogMax: number,
): AsyncGenerator<Buffer> {
  const source = new Source(chunks);
  while (await source.hasMore()) yield* oneFrame(source, windowLogMax);
}

async function* oneFrame(source: Source, windowLogMax: number): AsyncGenerator<Buffer> {
  const params = { [constants.ZSTD_d_windowLogMax]: windowLogMax };
  const decompressor = createZstdDecompress({ params });
  // Until the frame ends, the loop below throws the error; afterwards it belongs to the next frame.
  decompressor.on("error", () => undefined);
  void feed(decompressor, source);
  try {
    let isEmpty = true;
    for await (const chunk of decompressor as AsyncIterable<Buffer>) {
      isEmpty = false;
      yield chunk;
    }
    if (isEmpty) yield Buffer.alloc(0);
  } finally {
    decompressor.destroy(); // what feeds it may wait for the sender, and is not waited for
  }
  source.giveBack(decompressor.bytesWritten);
}

async function feed(decompressor: ZstdDecompress, source: Source): Promise<void> {
  try {
    while (!decompressor.destroyed) {
      const hasMore = await source.hasMore();
      if (decompressor.destroyed) return; // the next frame takes what came
      if (!hasMore) {
        decompressor.end();
        return;
      }
      const chunk = source.take(decompressor.bytesWritten);
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
  /** The next chunk, while it is awaited: by a frame that ended, and by what comes after it. */
  #coming: Promise<boolean> | null = null;
  /** The last chunks taken by the current frame, which may end inside them. */
  #taken: Buffer[] = [];
  /** The frame's bytes before `#taken`. */
  #dropped = 0;

  constructor(chunks: AsyncIterator<Buffer>) {
    this.#chunks = chunks;
  }

  async hasMore(): Promise<boolean> {
    while (this.#ahead.length === 0) {
      this.#coming ??= this.#read();
      if (!(await this.#coming)) return false;
    }
    return true;
  }

  async #read(): Promise<boolean> {
    const next = await this.#chunks.next();
    this.#coming = null;
    if (next.done === true) return false;
    if (next.value.length > 0) this.#ahead.push(next.value);
    return true;
  }

  /** The next chunk, which is there. `used`: the number of bytes known to belong to the frame. */
  take(used: number): Buffer {
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

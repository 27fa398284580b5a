import { Readable } from "node:stream";
import { constants, createGunzip, createZstdDecompress, type ZstdDecompress } from "node:zlib";

const gzipMagic = Buffer.from([0x1f, 0x8b]);
const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
/** A skippable frame, with which parallel compressors begin; its first byte is 0x50 to 0x5f. */
const zstdSkipMagic = Buffer.from([0x2a, 0x4d, 0x18]);

/** Smaller streams may shrink by any ratio; the largest real files shrink to a hundredth. */
const unboundedBytes = 64 * 1024 * 1024;
const expansionMax = 1_000;

/** A compressed stream stands for more than anything that somebody wrote. */
export class ExpansionError extends Error {
  constructor() {
    super(
      "after its first 64 MiB the content must be at most 1,000 times as long as what it was " +
        "compressed to, and it is longer",
    );
    this.name = "ExpansionError";
  }
}

/** How a stream is decompressed. */
interface DecompressOptions {
  /**
   * The largest window of a zstd frame, the memory that it takes, as a power of two. Omitted: 27,
   * as for the zstd command.
   */
  readonly zstdWindowLogMax?: number;
}

/**
 * The plain bytes of a stream that is plain, gzip or zstd. The format is detected from the first
 * bytes, so standard input and files with any name work.
 * @throws ExpansionError, or the decompressor's error when the stream is damaged or ends early.
 */
export async function* decompressed(
  chunks: AsyncIterable<Buffer>,
  { zstdWindowLogMax = 27 }: DecompressOptions = {},
): AsyncGenerator<Buffer> {
  const iterator = chunks[Symbol.asyncIterator]();
  const head = await firstBytes(iterator, zstdMagic.length);
  let packedBytes = head.length;
  const whole = (async function* () {
    if (head.length > 0) yield head;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
      packedBytes += next.value.length;
      yield next.value;
    }
  })();
  let plain: AsyncIterable<Buffer>;
  if (isZstd(head.subarray(0, 4))) plain = zstdFrames(whole, zstdWindowLogMax);
  else if (head.subarray(0, 2).equals(gzipMagic)) plain = gunzipped(whole);
  else return yield* whole;
  let plainBytes = 0;
  for await (const chunk of plain) {
    plainBytes += chunk.length;
    if (plainBytes > Math.max(unboundedBytes, expansionMax * packedBytes)) {
      throw new ExpansionError();
    }
    yield chunk;
  }
}

function isZstd(head: Buffer): boolean {
  const first = head[0] ?? 0;
  const skips = first >= 0x50 && first <= 0x5f && head.subarray(1, 4).equals(zstdSkipMagic);
  return skips || head.equals(zstdMagic);
}

function gunzipped(chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const decompressor = createGunzip();
  const source = Readable.from(chunks, { objectMode: true });
  source.on("error", (error) => decompressor.destroy(error));
  return source.pipe(decompressor) as AsyncIterable<Buffer>;
}

async function firstBytes(iterator: AsyncIterator<Buffer>, least: number): Promise<Buffer> {
  let head: Buffer = Buffer.alloc(0);
  while (head.length < least) {
    const next = await iterator.next();
    if (next.done === true) break;
    head = Buffer.concat([head, next.value]);
  }
  return head;
}

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
async function* zstdFrames(
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

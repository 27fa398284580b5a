import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { zstdFrames } from "./zstd-frames.ts";

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
export interface DecompressOptions {
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

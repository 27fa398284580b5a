import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { zstdFrames } from "./zstd-frames.ts";

const gzipMagic = Buffer.from([0x1f, 0x8b]);
const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
/** A skippable frame, with which parallel compressors begin; its first byte is 0x50 to 0x5f. */
const zstdSkipMagic = Buffer.from([0x2a, 0x4d, 0x18]);

/**
 * The plain bytes of a stream that is plain, gzip or zstd. The format is detected from the first
 * bytes, so standard input and files with any name work.
 * @throws the decompressor's error when the stream is damaged or ends early.
 */
export async function* decompressed(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const iterator = chunks[Symbol.asyncIterator]();
  const head = await firstBytes(iterator, zstdMagic.length);
  const whole = (async function* () {
    if (head.length > 0) yield head;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
      yield next.value;
    }
  })();
  if (isZstd(head.subarray(0, 4))) yield* zstdFrames(whole);
  else if (head.subarray(0, 2).equals(gzipMagic)) yield* gunzipped(whole);
  else yield* whole;
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

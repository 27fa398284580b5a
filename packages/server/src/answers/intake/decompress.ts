import { Readable } from "node:stream";
import { createGunzip, createZstdDecompress } from "node:zlib";

const gzipMagic = Buffer.from([0x1f, 0x8b]);
const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/**
 * The plain bytes of a stream that is plain, gzip or zstd. What it is shows in its first bytes, so
 * standard input and files without a telling name work too.
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
  const decompressor = decompressorFor(head);
  if (decompressor === null) {
    yield* whole;
    return;
  }
  const source = Readable.from(whole, { objectMode: true });
  source.on("error", (error) => decompressor.destroy(error));
  yield* source.pipe(decompressor) as AsyncIterable<Buffer>;
}

function decompressorFor(head: Buffer) {
  if (head.subarray(0, 2).equals(gzipMagic)) return createGunzip();
  if (head.subarray(0, 4).equals(zstdMagic)) return createZstdDecompress();
  return null;
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

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { brokenChunks, byteChunks, collected } from "@sightline/test-kit/byte-chunks.ts";
import { decompressed, ExpansionError } from "./decompress.ts";

/** Chunk sizes that end inside of heads, inside of frames, and never. */
const sizes = [1, 7, 1_000, 1_000_000];

const plain = Buffer.from("plain text\n".repeat(20));
const random = randomBytes(5_000); // does not shrink, so that every cut is inside of content
const gzip = gzipSync(random);
const zstd = zstdCompressSync(random);
/** A frame of four bytes that decompressors skip; parallel compressors begin with one. */
const skipped = Buffer.from("502a4d180400000001020304", "hex");

async function unpack(bytes: Buffer, size: number): Promise<Buffer> {
  return Buffer.concat(await collected(decompressed(byteChunks(bytes, size))));
}

const whole: readonly (readonly [name: string, packed: Buffer, unpacked: Buffer])[] = [
  ["nothing", Buffer.alloc(0), Buffer.alloc(0)],
  ["one byte", Buffer.from("{"), Buffer.from("{")],
  ["plain", plain, plain],
  ["gzip", gzip, random],
  ["gzip of nothing", gzipSync(Buffer.alloc(0)), Buffer.alloc(0)],
  ["gzip of several members", Buffer.concat([gzip, gzipSync(plain), gzip]), join3()],
  ["gzip filled up with zeros", Buffer.concat([gzip, Buffer.alloc(512)]), random],
  ["zstd", zstd, random],
  ["zstd of nothing", zstdCompressSync(Buffer.alloc(0)), Buffer.alloc(0)],
  ["zstd of several frames", Buffer.concat([zstd, zstdCompressSync(plain), zstd]), join3()],
  ["zstd with frames to skip", Buffer.concat([skipped, zstd, skipped]), random],
];

function join3(): Buffer {
  return Buffer.concat([random, plain, random]);
}

for (const [name, packed, unpacked] of whole) {
  test(`decompressed: ${name}`, async () => {
    for (const size of sizes) {
      assert.deepEqual(await unpack(packed, size), unpacked, `in chunks of ${size}`);
    }
  });
}

const damaged: readonly (readonly [name: string, packed: Buffer, error: RegExp])[] = [
  ["gzip cut off", gzip.subarray(0, 3_000), /unexpected end of file/],
  [
    "gzip cut off in its second member",
    Buffer.concat([gzip, gzip.subarray(0, 5)]),
    /unexpected end/,
  ],
  [
    "gzip with text behind it",
    Buffer.concat([gzip, Buffer.from('{"a":1}\n')]),
    /incorrect header check/,
  ],
  ["gzip with a wrong checksum", flipped(gzip, gzip.length - 6), /incorrect data check/],
  ["zstd cut off", zstd.subarray(0, 3_000), /unexpected end of file/],
  ["zstd cut off in its head", zstd.subarray(0, 4), /unexpected end of file/],
  [
    "zstd cut off in its second frame",
    Buffer.concat([zstd, zstd.subarray(0, 5)]),
    /unexpected end/,
  ],
  ["zstd with text behind it", Buffer.concat([zstd, plain]), /Unknown frame descriptor/],
];

for (const [name, packed, error] of damaged) {
  test(`decompressed: ${name} is an error`, async () => {
    for (const size of sizes) await assert.rejects(() => unpack(packed, size), error);
  });
}

test("decompressed: an error of the stream itself comes through", async () => {
  for (const start of [plain, gzip.subarray(0, 100), zstd.subarray(0, 100)]) {
    const stream = decompressed(brokenChunks(start, new Error("disk gone")));
    await assert.rejects(() => collected(stream), /disk gone/);
  }
});

test("decompressed: what stands before the damage is given", async () => {
  const bytes = Buffer.concat([zstdCompressSync(plain), Buffer.from("no frame")]);
  const given: Buffer[] = [];
  const reading = async () => {
    for await (const chunk of decompressed(byteChunks(bytes))) given.push(chunk);
  };
  await assert.rejects(reading, /Unknown frame descriptor/);
  assert.deepEqual(Buffer.concat(given), plain);
});

/** A frame of zstd that stands for so many line feeds, in blocks of 128 KiB of one byte each. */
function lineFeeds(blocks: number, windowLog = 17): Buffer {
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, (windowLog - 10) << 3]);
  const block = (isLast: boolean) => {
    const bytes = Buffer.alloc(4, "\n");
    bytes.writeUIntLE((131_072 << 3) | (1 << 1) | Number(isLast), 0, 3);
    return bytes;
  };
  const all = Array.from({ length: blocks }, (_, index) => block(index === blocks - 1));
  return Buffer.concat([head, ...all]);
}

async function lengthOf(chunks: AsyncIterable<Buffer>): Promise<number> {
  let length = 0;
  for await (const chunk of chunks) length += chunk.length;
  return length;
}

test("decompressed: up to 64 MiB a stream may stand for anything", async () => {
  assert.equal(await lengthOf(decompressed(byteChunks(lineFeeds(512)))), 64 * 1024 * 1024);
});

test("decompressed: beyond that, for a thousand times its size", async () => {
  const gzipOfZeros = gzipSync(Buffer.alloc(80 * 1024 * 1024), { level: 9 });
  for (const packed of [lineFeeds(513), lineFeeds(100_000), gzipOfZeros]) {
    await assert.rejects(lengthOf(decompressed(byteChunks(packed))), ExpansionError);
  }
});

test("decompressed: the first piece counts as much as what comes behind it", async () => {
  const plainBytes = 65 * 1024 * 1024;
  const packed = Buffer.concat([zstdCompressSync(randomBytes(100_000)), lineFeeds(520)]);
  async function* whole() {
    yield packed;
  }
  assert.equal(await lengthOf(decompressed(whole())), plainBytes + 100_000);
});

test("decompressed: the end of an empty frame shows", async () => {
  const chunks: number[] = [];
  const frames = Buffer.concat([zstdCompressSync(""), zstdCompressSync(""), zstdCompressSync("a")]);
  for await (const { length } of decompressed(byteChunks(frames))) chunks.push(length);
  assert.deepEqual(chunks, [0, 0, 1]);
});

test("decompressed: a failure is told while more of the stream is awaited", async () => {
  for (const packed of [lineFeeds(1_024), Buffer.concat([zstd, plain])]) {
    async function* silent() {
      yield packed;
      await new Promise(() => undefined);
    }
    await assert.rejects(lengthOf(decompressed(silent())));
  }
});

test("decompressed: a frame whose window is too large is refused", async () => {
  const options = { zstdWindowLogMax: 23 };
  assert.equal(await lengthOf(decompressed(byteChunks(lineFeeds(1, 23)), options)), 131_072);
  const tooLarge = lengthOf(decompressed(byteChunks(lineFeeds(1, 24)), options));
  await assert.rejects(tooLarge, /too much memory/);
});

function flipped(bytes: Buffer, place: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[place] = (copy[place] ?? 0) ^ 0xff;
  return copy;
}

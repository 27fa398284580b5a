import assert from "node:assert/strict";
import { test } from "node:test";
import { brokenChunks, byteChunks, collected } from "@sightline/test-kit/byte-chunks.ts";
import fc from "fast-check";
import { type Line, lineBytesMax, linesOf } from "./lines.ts";

async function readLines(chunks: AsyncIterable<Buffer>): Promise<readonly Line[]> {
  return collected(linesOf(chunks));
}

/** Each line as [number, text, endByte]. */
async function shown(bytes: string | Buffer, size?: number) {
  const lines = await readLines(byteChunks(Buffer.from(bytes), size));
  return lines.map((line) => [line.number, line.bytes?.toString() ?? null, line.endByte]);
}

const cases: readonly {
  readonly name: string;
  readonly bytes: string;
  readonly lines: readonly (readonly [number, string, number])[];
}[] = [
  { name: "nothing", bytes: "", lines: [] },
  { name: "one line without its end", bytes: "a", lines: [[1, "a", 1]] },
  { name: "one line with its end", bytes: "a\n", lines: [[1, "a", 2]] },
  {
    name: "the last line without its end",
    bytes: "a\nb",
    lines: [
      [1, "a", 2],
      [2, "b", 3],
    ],
  },
  {
    name: "CRLF and LF mixed",
    bytes: "a\r\nb\nc\r\n",
    lines: [
      [1, "a", 3],
      [2, "b", 5],
      [3, "c", 8],
    ],
  },
  { name: "a CR inside a line", bytes: "a\rb\n", lines: [[1, "a\rb", 4]] },
  {
    name: "blank lines, which count and are left out",
    bytes: "\n\r\n\na\n \t\r\n\u00a0\n\n",
    lines: [
      [4, "a", 6],
      [6, "\u00a0", 13],
    ],
  },
  { name: "a byte order mark at the beginning", bytes: "\uFEFFa\n", lines: [[1, "a", 5]] },
  {
    name: "a byte order mark elsewhere, which is text",
    bytes: "a\n\uFEFFb\n",
    lines: [
      [1, "a", 2],
      [2, "\uFEFFb", 7],
    ],
  },
];

for (const { name, bytes, lines } of cases) {
  test(`lines: ${name}`, async () => {
    assert.deepEqual(await shown(bytes), lines);
    assert.deepEqual(await shown(bytes, 1), lines, "byte by byte");
  });
}

test("any chunking gives the same lines", async () => {
  const piece = fc.constantFrom("a", "é", "\r", "\n", "\r\n", "\uFEFF", "日本", "");
  await fc.assert(
    fc.asyncProperty(
      fc.array(piece, { maxLength: 40 }),
      fc.array(fc.nat(9), { maxLength: 60 }),
      async (pieces, sizes) => {
        const bytes = Buffer.from(pieces.join(""));
        const whole = await readLines(byteChunks(bytes, Math.max(1, bytes.length)));
        assert.deepEqual(await readLines(inSizes(bytes, sizes)), whole);
        // What lines are, written a second time and the simple way.
        const texts = bytes.toString().split("\n");
        if (texts.at(-1) === "") texts.pop();
        const simple = texts.map((text, index) =>
          (index === 0 ? text.replace(/^\uFEFF/, "") : text).replace(/\r$/, ""),
        );
        assert.deepEqual(
          whole.map((line) => line.bytes?.toString()),
          simple.filter((text) => text.replaceAll("\r", "") !== ""),
        );
      },
    ),
    { numRuns: 500 },
  );
});

/** Chunks of these sizes, empty ones too, then the rest. */
async function* inSizes(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  let start = 0;
  for (const size of sizes) {
    yield bytes.subarray(start, start + size);
    start += size;
  }
  yield bytes.subarray(start);
}

test("a line of just the most bytes is read, one byte more is passed over", async () => {
  const most = Buffer.alloc(lineBytesMax, "a");
  const bytes = Buffer.concat([most, Buffer.from("\nb\n"), most, Buffer.from("x\nc\n")]);
  const lines = await readLines(byteChunks(bytes));
  assert.deepEqual(
    lines.map((line) => [line.number, line.bytes?.length ?? null, line.endByte]),
    [
      [1, lineBytesMax, lineBytesMax + 1],
      [2, 1, lineBytesMax + 3],
      [3, null, 2 * lineBytesMax + 5],
      [4, 1, 2 * lineBytesMax + 7],
    ],
  );
});

test("an overlong line at the end, without its end, is passed over too", async () => {
  const lines = await readLines(byteChunks(Buffer.alloc(lineBytesMax + 1, "a")));
  assert.deepEqual(lines, [{ number: 1, bytes: null, endByte: lineBytesMax + 1 }]);
});

test("an overlong line is not held in memory", async () => {
  const chunk = Buffer.alloc(1024 * 1024, "a");
  const chunks = 512;
  let mostHeld = 0;
  async function* endless() {
    const before = process.memoryUsage().arrayBuffers;
    for (let index = 0; index < chunks; index++) {
      yield Buffer.from(chunk);
      mostHeld = Math.max(mostHeld, process.memoryUsage().arrayBuffers - before);
    }
  }
  const lines = await readLines(endless());
  assert.deepEqual(lines, [{ number: 1, bytes: null, endByte: chunks * chunk.length }]);
  // The garbage collector runs when it likes, so a bound far below the line's own 512 MiB.
  assert.ok(mostHeld < 256 * 1024 * 1024, `held ${mostHeld} bytes`);
});

test("empty lines are not kept in memory", async () => {
  const chunk = Buffer.alloc(256 * 1024, "\n");
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  async function* endless() {
    for (let index = 0; index < 1_024; index++) {
      yield Buffer.from(chunk);
      most = Math.max(most, process.memoryUsage().arrayBuffers - before);
    }
  }
  assert.deepEqual(await readLines(endless()), []);
  assert.ok(most < 128 * 1024 * 1024, `held ${most} bytes`);
});

test("the error of a stream that breaks comes through, after the lines before it", async () => {
  const seen: string[] = [];
  const reading = async () => {
    for await (const line of linesOf(brokenChunks(Buffer.from("a\nb"), new Error("disk gone")))) {
      seen.push(line.bytes?.toString() ?? "");
    }
  };
  await assert.rejects(reading, /disk gone/);
  assert.deepEqual(seen, ["a"]);
});

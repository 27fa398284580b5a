import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type AnswerLines, type LinePart, partsOf } from "./line-parts.ts";

async function all(lines: AnswerLines): Promise<readonly LinePart[]> {
  const parts: LinePart[] = [];
  for await (const part of partsOf(lines)) parts.push(part);
  return parts;
}

async function* streamed(chunks: Iterable<Uint8Array>) {
  yield* chunks;
}

test("objects are lines", async () => {
  const [part, ...others] = await all([{ a: 1 }, { b: "ä\n" }]);
  const lines = ['{"a":1}', '{"b":"ä\\n"}'];
  assert.deepEqual(part, { body: `${lines.join("\n")}\n`, lines, linesBefore: 0 });
  assert.deepEqual(others, []);
});

test("parts have at most 2,000 lines, and say how many came before", async () => {
  const parts = await all("x\n".repeat(4_500));
  assert.deepEqual(
    parts.map(({ body, linesBefore }) => [body.length / 2, linesBefore]),
    [
      [2_000, 0],
      [2_000, 2_000],
      [500, 4_000],
    ],
  );
});

test("long lines make small parts", async () => {
  const parts = await all(`${"x".repeat(3_000_000)}\n`.repeat(3));
  assert.deepEqual(
    parts.map(({ linesBefore }) => linesBefore),
    [0, 2],
  );
});

test("nothing has no parts", async () => {
  assert.deepEqual(await all(""), []);
  assert.deepEqual(await all([]), []);
});

test("however a text is cut up, its parts are the text", async () => {
  const texts = fc.array(fc.string({ unit: "binary" }), { maxLength: 9 });
  await fc.assert(
    fc.asyncProperty(texts, fc.integer({ min: 1, max: 7 }), async (lines, size) => {
      const text = lines.map((line) => `${line.toWellFormed()}\n`).join("");
      const bytes = new TextEncoder().encode(text);
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, place) =>
        bytes.subarray(place * size, (place + 1) * size),
      );
      const parts = await all(streamed(chunks));
      assert.equal(parts.map(({ body }) => body).join(""), text);
    }),
  );
});

test("bytes that are not UTF-8 are sent as they are, however they are cut up", async () => {
  const bytes = new Uint8Array([...new TextEncoder().encode("ä\n"), 0xe9, 0x0a, 0x0a, 0xc3]);
  for (const size of [1, 2, 3, bytes.length]) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, place) =>
      bytes.slice(place * size, (place + 1) * size),
    );
    const [part, ...others] = await all(streamed(chunks));
    assert.deepEqual(others, []);
    assert.deepEqual(part?.body, new Uint8Array([...bytes, 0x0a]));
    assert.deepEqual(part?.lines, ["ä", new Uint8Array([0xe9]), "", new Uint8Array([0xc3])]);
  }
});

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { RecordedContent } from "../../answers/answer-store.ts";
import { languageCode, languageOf, promptCodesOf } from "../codes.ts";
import { buffersOf } from "../columns.ts";
import { compileContentExtractor, factRowsOf, Int32Column } from "./batch.ts";

const promptId = "30000000-0000-4000-8000-000000000001";
const prompts = promptCodesOf(`${promptId} 0 0`);
const answer = (sequence: number): RecordedContent => ({
  sequence,
  stamp: "",
  promptId,
  provider: "OPENAI",
  region: null,
  answeredAt: Date.UTC(2026, 0, sequence),
  outcome: "answered",
  text: "",
  citations: [],
  model: null,
  surface: null,
  searchQueries: [],
  mentioned: null,
});
const read = (answers: AsyncIterable<RecordedContent>) =>
  factRowsOf(answers, prompts, () => ({
    mentions: [],
    language: null,
    flags: new Map(),
    citedEntities: [],
    citations: [{ url: "https://a.com/", domain: "a.com" }],
    names: [],
    words: { lower: [], capital: [] },
  }));

async function* recorded(...sequences: readonly number[]) {
  for (const sequence of sequences) yield answer(sequence);
}

test("a batch holds nothing of one whose reading failed", async () => {
  const alone = await read(recorded(1));
  async function* failing() {
    yield* recorded(1, 2);
    throw new Error("the record cannot be read");
  }
  await assert.rejects(read(failing()), /cannot be read/);
  assert.deepEqual(await read(recorded(1)), alone);
});

test("a batch stays as it is when the next one is read, and its memory can move away", async () => {
  const first = await read(recorded(1, 2));
  assert.ok(first !== null);
  const before = structuredClone(first);
  const moved = structuredClone(first, { transfer: [...buffersOf(first)] });
  assert.equal((await read(recorded(3)))?.answers.day.length, 1);
  assert.deepEqual(moved, before);
});

test("an answer whose text was removed mentions whom it did, and is not read", async () => {
  const names = [{ text: "Tarnfell", caseSensitive: false }];
  const extract = compileContentExtractor(
    [{ id: "brand", name: "Tarnfell", names, domains: [] }],
    false,
  );
  const text = "For most of the teams I would recommend Tarnfell.";
  const rowsOf = async (content: Pick<RecordedContent, "text" | "mentioned">) => {
    async function* one() {
      yield { ...answer(1), ...content };
    }
    const rows = await factRowsOf(one(), prompts, extract);
    return [rows?.appearances.mentioned, rows?.appearances.portrayal, rows?.details.language];
  };
  const [mentioned, ...read] = await rowsOf({ text, mentioned: null });
  const [still, ...removed] = await rowsOf({ text: "", mentioned: ["brand"] });
  assert.deepEqual(mentioned, still);
  // The bits are recommended, and read; the answer itself always counts as read.
  assert.deepEqual(read, [Int32Array.of(33, 33), Int32Array.of(languageCode("en"))]);
  assert.deepEqual(removed, [Int32Array.of(32, 0), Int32Array.of(0)]);
  assert.equal(languageOf(languageCode("en")), "en");
});

test("gives the numbers pushed since it was cleared, however many", () => {
  const column = new Int32Column();
  const length = fc.oneof(fc.nat(10), fc.constantFrom(4_095, 4_096, 4_097, 262_145));
  fc.assert(
    fc.property(fc.integer({ min: -(2 ** 31), max: 2 ** 30 }), length, (first, count) => {
      const numbers = Int32Array.from({ length: count }, (_, place) => first + place);
      for (const number of numbers) column.push(number);
      const copy = column.copy();
      column.clear();
      column.push(-1);
      assert.deepEqual(copy, numbers);
      assert.deepEqual(column.copy(), Int32Array.of(-1));
      column.clear();
    }),
    { numRuns: 30 },
  );
});

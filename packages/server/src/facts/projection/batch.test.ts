import assert from "node:assert/strict";
import { test } from "node:test";
import type { RecordedContent } from "../../answers/answer-store.ts";
import { promptCodesOf } from "../codes.ts";
import { buffersOf } from "../fact-rows.ts";
import { factRowsOf } from "./batch.ts";

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
  mentioned: null,
});
const read = (answers: AsyncIterable<RecordedContent>) =>
  factRowsOf(answers, prompts, () => ({
    mentions: [],
    citedEntities: [],
    citations: [{ url: "https://a.com/", domain: "a.com" }],
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

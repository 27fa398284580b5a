import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { controlOf } from "@sightline/test-kit/engines/control-of.ts";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { openDataFolder } from "../../platform/data-folder.ts";
import type { AnswerStore } from "../answer-store.ts";
import { undoImport } from "../corrections/corrections.ts";
import { importsOf, noteUndone } from "../import-store.ts";
import { sqliteAnswerStore } from "../sqlite/sqlite-answer-store.ts";
import { importAnswers } from "./import-answers.ts";

const accountId = "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a001";
const importId = "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a002";
const promptId = "11111111-1111-4111-8111-111111111111";
const prompts = [{ id: promptId, text: "What is the best anvil?", retired: false }];

function lines(first: number, end: number): Buffer {
  const samples = Array.from({ length: end - first }, (_, index) => first + index);
  const line = { promptId, provider: "OPENAI", answeredAt: "2026-10-01T08:00:00Z", text: "Acme." };
  return Buffer.from(samples.map((sample) => `${JSON.stringify({ ...line, sample })}\n`).join(""));
}

async function importing(t: TestContext) {
  const folder = temporaryFolder();
  const clock = new HeldClock();
  const answers = sqliteAnswerStore(openDataFolder(join(folder, "data")), clock);
  const control = await controlOf(accountId, clock);
  t.after(async () => {
    await answers.close();
    await control.close();
    rmSync(folder, { recursive: true });
  });
  const reasons: string[] = [];
  return {
    answers,
    control,
    clock,
    reasons,
    recorded: async () => (await answers.read(accountId, { after: 0, limit: 10_000 })).length,
    undo: () => undoImport({ answers, control, clock }, accountId, importId),
    stream: (chunks: AsyncIterable<Buffer>, id: string, store: Partial<AnswerStore> = {}) =>
      importAnswers(chunks, {
        accountId,
        prompts,
        importId: id,
        source: "test",
        control,
        clock,
        now: () => Date.parse("2026-10-02T00:00:00Z"),
        store: { ...answers, ...store },
        onProgress: () => undefined,
        onRejected: async (rejected) => {
          reasons.push(...rejected.map(({ line, reason }) => `${line}: ${reason}`));
        },
      }),
  };
}

async function* oneChunk(chunk: Buffer): AsyncGenerator<Buffer> {
  yield chunk;
}

test("an import that is undone while it goes on records nothing more", async (t) => {
  const { stream, recorded, undo, reasons } = await importing(t);
  await stream(oneChunk(lines(5_000, 5_001)), "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a003");
  async function* chunks() {
    yield lines(0, 500); // the first commit
    assert.equal(await recorded(), 501);
    assert.equal(await undo(), 500);
    yield lines(500, 1_500);
  }
  const tally = await stream(chunks(), importId);
  assert.deepEqual(tally, { accepted: 500, duplicates: 0, rejected: 1_000, warnings: 0 });
  assert.equal(reasons[0], "501: The import was undone before this line came.");
  assert.equal(await recorded(), 1, "what another import recorded stays");
});

test("what was recorded before the import could see that it is undone goes as well", async (t) => {
  const { answers, control, clock, stream, recorded } = await importing(t);
  await stream(oneChunk(lines(0, 600)), importId, {
    record: async (...batch) => {
      const outcome = await answers.record(...batch);
      // Its answers were removed before the last ones were recorded.
      if ((await recorded()) === 600) await noteUndone(control, accountId, importId, clock.now());
      return outcome;
    },
  });
  assert.equal(await recorded(), 0);
});

test("what an import records before it is noted as undone goes with the rest", async (t) => {
  const { answers, control, clock, stream, recorded } = await importing(t);
  await stream(oneChunk(lines(0, 10)), importId);
  let isNoted = false;
  const remove: AnswerStore["remove"] = async (...removal) => {
    const removed = await answers.remove(...removal);
    if (!isNoted) await stream(oneChunk(lines(10, 30)), importId);
    isNoted = true;
    return removed;
  };
  const tools = { answers: { ...answers, remove }, control, clock };
  assert.equal(await undoImport(tools, accountId, importId), 30);
  assert.equal(await recorded(), 0);
});

test("an import that dies once it has recorded is in the list, and can be undone", async (t) => {
  const { answers, control, stream, recorded, undo } = await importing(t);
  const killed = stream(oneChunk(lines(0, 10)), importId, {
    record: async (...batch) => {
      await answers.record(...batch);
      throw new Error("killed");
    },
  });
  await assert.rejects(killed, /killed/);
  const again = await stream(oneChunk(lines(0, 10)), "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a003");
  assert.equal(again.duplicates, 10);
  assert.ok((await importsOf(control, accountId)).some(({ id }) => id === importId));
  assert.equal(await undo(), 10);
  assert.equal(await recorded(), 0);
});

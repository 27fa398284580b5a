import assert from "node:assert/strict";
import { test } from "node:test";
import { TestService } from "../../test-service.ts";
import { percentile } from "../load-plan.ts";

const [prompts, entities, answers] = [1_000, 10, 100_000];
const dayMs = 86_400_000;
const from = Date.parse("2026-01-01T00:00:00Z");
const timeRange = { from: new Date(from), to: new Date(from + 90 * dayMs) };

test("a summary of 90 days by prompt takes 150 ms at most", async (t) => {
  const service = await TestService.start({ settings: { replyCache: "off" } });
  t.after(() => service.close());
  const accountId = await service.apply({
    account: { name: "Many" },
    brand: { name: "Rival 0x" },
    competitors: Array.from({ length: entities - 1 }, (_, each) => ({
      name: `Rival ${each + 1}x`,
    })),
    prompts: Array.from({ length: prompts }, (_, each) => ({ text: `Prompt ${each}?` })),
  });
  await service.import(
    accountId,
    Array.from({ length: answers }, (_, each) => ({
      prompt: `Prompt ${(each * 7) % prompts}?`,
      provider: "OPENAI",
      answeredAt: new Date(from + (each / answers) * 90 * dayMs).toISOString(),
      text: [1, 3, 7].map((step) => `Rival ${(each * step) % entities}x`).join(", "),
      sample: each,
    })),
  );
  const token = await service.session(accountId);
  const body = { groupBy: "prompt", filters: { timeRange } };
  const times: number[] = [];
  for (let asked = 0; asked < 20; asked += 1) {
    const started = performance.now();
    const reply = await service.post("/v1/insights/summary", { token, body });
    times.push(performance.now() - started);
    assert.equal(reply.status, 200);
  }
  const median = percentile(times, 0.5);
  t.diagnostic(`${Math.round(median)} ms, the slowest ${Math.round(Math.max(...times))} ms`);
  assert.ok(median <= 150);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { TestService } from "../../../../test/test-service.ts";

const promptId = "11111111-1111-4111-8111-111111111111";
const workspace = {
  account: { name: "Acme" },
  brand: { id: "aaaaaaaa-0000-4000-8000-000000000001", name: "Acme", domains: ["acme.com"] },
  competitors: [{ id: "aaaaaaaa-0000-4000-8000-000000000002", name: "Globex" }],
  prompts: [{ id: promptId, text: "What is the best anvil?" }],
};

test("mentions / all answers, each day of the range, null where there is no answer", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const accountId = await service.apply(workspace);
  const tally = await service.import(accountId, [
    {
      promptId,
      provider: "OPENAI",
      answeredAt: "2026-01-05T08:00:00Z",
      text: "Take Acme or Globex.",
    },
    { promptId, provider: "GROK", answeredAt: "2026-01-05T09:00:00Z", text: "Take Acme." },
    { promptId, provider: "GROK", answeredAt: "2026-01-07T00:00:00Z", text: "Take none." },
  ]);
  assert.deepEqual(tally, { accepted: 3, duplicates: 0, rejected: 0 });
  const token = await service.session(accountId);

  const reply = await service.post("/v1/analytics/brands/mentions", {
    token,
    body: {
      interval: "daily",
      filters: { timeRange: { from: "2026-01-05T08:00:00+00:00", to: "2026-01-07T00:00:00.001Z" } },
    },
  });

  assert.equal(reply.status, 200);
  assert.equal(reply.headers["content-type"], "application/json; charset=utf-8");
  const at = (day: number) => `2026-01-0${day}T00:00:00.000Z`;
  assert.deepEqual(reply.json(), {
    interval: "daily",
    timeRange: { from: "2026-01-05T08:00:00+00:00", to: "2026-01-07T00:00:00.001Z" },
    series: [
      {
        id: "aaaaaaaa-0000-4000-8000-000000000001",
        name: "Acme",
        data: [
          { timestamp: at(5), value: 1 },
          { timestamp: at(6), value: null },
          { timestamp: at(7), value: 0 },
        ],
      },
      {
        id: "aaaaaaaa-0000-4000-8000-000000000002",
        name: "Globex",
        data: [
          { timestamp: at(5), value: 0.5 },
          { timestamp: at(6), value: null },
          { timestamp: at(7), value: 0 },
        ],
      },
    ],
  });
});

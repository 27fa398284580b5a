import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { percentile } from "../load-plan.ts";

const [prompts, answers] = [1_000, 100_000];
const dayMs = 86_400_000;
const from = Date.parse("2026-01-01T00:00:00Z");
const timeRange = { from: new Date(from), to: new Date(from + 90 * dayMs) };

/** An account of 1,000 prompts whose answers of 90 days name some entities each. */
async function accountOf(
  t: TestContext,
  entities: number,
  namedIn: (answer: number) => readonly number[],
) {
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
      text: namedIn(each)
        .map((entity) => `Rival ${entity % entities}x`)
        .join(", "),
      sample: each,
    })),
  );
  return { service, token: await service.session(accountId) };
}

type Account = Awaited<ReturnType<typeof accountOf>>;

/** Asks 20 times. @returns the last reply. */
async function measured(
  t: TestContext,
  { service, token }: Account,
  { mostMs, ...more }: { readonly mostMs: number; readonly entityIds?: readonly unknown[] },
) {
  const body = { groupBy: "prompt", filters: { timeRange }, ...more };
  const times: number[] = [];
  let reply: Awaited<ReturnType<TestService["post"]>> | undefined;
  for (let asked = 0; asked < 20; asked += 1) {
    const started = performance.now();
    reply = await service.post("/v1/insights/summary", { token, body });
    times.push(performance.now() - started);
    assert.equal(reply.status, 200, reply.body);
  }
  const median = percentile(times, 0.5);
  t.diagnostic(`${Math.round(median)} ms, the slowest ${Math.round(Math.max(...times))} ms`);
  assert.ok(median <= mostMs);
  return reply;
}

test("a summary of 90 days by prompt takes 150 ms at most", async (t) => {
  const account = await accountOf(t, 10, (answer) => [answer, answer * 3, answer * 7]);
  await measured(t, account, { mostMs: 150 });
});

test("of 101 entities, one by prompt takes 300 ms and 1 MB at most", async (t) => {
  const steps = [1, 3, 7, 11, 13, 17, 19, 23];
  const account = await accountOf(t, 101, (answer) => steps.map((step) => answer * step));
  const { service, token } = account;
  const asked = { token, body: { groupBy: "none", filters: { timeRange } } };
  const all = await service.post("/v1/insights/summary", asked);
  const { groups } = all.json<{ groups: { entities: { id: string }[] }[] }>();
  const entityIds = [groups[0]?.entities[0]?.id];
  const reply = await measured(t, account, { entityIds, mostMs: 300 });
  t.diagnostic(`${reply?.body.length} characters`);
  assert.ok((reply?.body.length ?? 0) < 1_000_000);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import type {
  InsightsPlanRequest,
  InsightsPlanResponse,
  InsightsSummaryResponse,
} from "@sightline/contract";
import { ServedSchemas } from "@sightline/test-kit/requests/served-schemas.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";

const prompts = Array.from({ length: 10 }, (_, prompt) => ({ text: `Prompt ${prompt}?` }));

/** Answers to each prompt, of which some mention the brand. */
function answersOf(day: string, hits: string, answers: string) {
  const all = answers.split(" ").map(Number);
  return hits.split(" ").flatMap((hit, prompt) =>
    Array.from({ length: all[prompt] ?? 0 }, (_, sample) => ({
      prompt: prompts[prompt]?.text,
      provider: "OPENAI",
      sample,
      answeredAt: `${day}T08:00:00Z`,
      text: sample < Number(hit) ? "Acme." : "Nobody.",
    })),
  );
}

const range = (from: string, to: string) => {
  return { timeRange: { from: `2026-01-${from}T00:00:00Z`, to: `2026-01-${to}T00:00:00Z` } };
};

test("the prompts that show a change, from how an account's answers vary", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const accountId = await service.apply({
    account: { name: "Ten" },
    brand: { name: "Acme" },
    prompts,
  });
  await service.import(accountId, [
    ...answersOf("2026-01-02", "7 6 0 0 7 1 3 0 7 2", "7 7 7 7 7 7 7 7 7 7"),
    ...answersOf("2026-01-12", "7 7 1 0 7 3 5 0 7 4", "7 7 7 7 7 7 7 7 7 6"),
  ]);
  const token = await service.session(accountId);
  const summary = await service.post("/v1/insights/summary", {
    token,
    body: { groupBy: "none", filters: range("08", "15") },
  });
  const [brand] = summary.json<InsightsSummaryResponse>().groups[0]?.entities ?? [];
  const entityId = brand?.id ?? "";
  const ask = async (more: Partial<InsightsPlanRequest>): Promise<InsightsPlanResponse> => {
    const body = { entityId, metric: "mentions", filters: range("08", "15"), ...more };
    const reply = await service.post("/v1/insights/plan", { token, body });
    assert.equal(reply.status, 200, reply.body);
    (await ServedSchemas.of(service)).assertValid("InsightsPlanResponseDto", reply.json());
    return reply.json<InsightsPlanResponse>();
  };
  const tenth = await ask({ change: 0.1 });
  assert.ok(Math.abs((tenth.withinVariance ?? 0) - 0.0856342537) < 1e-10);
  assert.ok(Math.abs((tenth.correlation ?? 0) - 0.6560209115) < 1e-10);
  assert.deepEqual([tenth.drift, tenth.assumed, tenth.prompts], [0, false, 10]);
  // The second window has 7 answers to each prompt but one, which has 6.
  const each = 10 / (9 / 7 + 1 / 6);
  assert.ok(Math.abs((tenth.now.answersPerPrompt ?? 0) - each) < 1e-12);
  const ofAnswers = new Map(tenth.options.map((at) => [at.answersPerPrompt, at.leastChange ?? 0]));
  const least = tenth.now.leastChange ?? 0;
  assert.ok(least > (ofAnswers.get(7) ?? 0) && least < (ofAnswers.get(3) ?? 0));
  const needed = new Map(tenth.options.map((each) => [each.answersPerPrompt, each.prompts]));
  assert.deepEqual([needed.get(1), needed.get(7), needed.get(28)], [183, 68, 54]);
  const cheapest = tenth.options.filter(({ isCheapest }) => isCheapest);
  assert.deepEqual(
    cheapest.map((each) => [each.answersPerPrompt, each.requests, each.cost]),
    [[1, 183, null]],
  );
  assert.deepEqual(tenth.prices, [{ provider: "OPENAI", share: 1, cost: null }]);
  assert.deepEqual(
    tenth.windows.map(({ from }) => from),
    ["2026-01-01T00:00:00.000Z", "2026-01-08T00:00:00.000Z"],
  );

  const assumed = await ask({ rate: 0.3, correlation: 0.9, change: 0.05, answersPerPrompt: 7 });
  assert.deepEqual(
    assumed.options.map((each) => each.prompts),
    [156],
  );
  assert.equal(assumed.assumed, true);
  const share = await ask({ metric: "shareOfVoice" });
  assert.deepEqual([share.withinVariance, share.rate], [null, 1]);
  const { leastChange: ofShare = null } = share.options[0] ?? {};
  assert.deepEqual(share.now, { answersPerPrompt: null, leastChange: ofShare });
  const unknown = await ask({ entityId: "00000000-0000-4000-8000-000000000000" });
  assert.deepEqual([unknown.rate, unknown.options[0]?.prompts], [null, null]);
  const gone = await ask({ filters: { timeRange: range("20", "27").timeRange } });
  assert.equal(gone.empty?.reason, "outsideRange");
});

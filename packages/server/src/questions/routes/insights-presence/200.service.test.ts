import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type EvidenceResponse,
  type InsightsPresenceResponse,
  type InsightsSummaryResponse,
  presenceWays,
} from "@sightline/contract";
import { ServedSchemas } from "@sightline/test-kit/requests/served-schemas.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";

const prompts = Array.from({ length: 8 }, (_, prompt) => ({ text: `Prompt ${prompt}?` }));

/** Answers of a day: of each prompt so many are named and cited, named, cited, neither. */
function answersOf(day: string, ways: readonly (readonly [number, number, number, number])[]) {
  return ways.flatMap(([both, named, cited, neither], prompt) => {
    const texts = [
      ...Array.from({ length: both }, () => ["Acme.", true] as const),
      ...Array.from({ length: named }, () => ["Acme.", false] as const),
      ...Array.from({ length: cited }, () => ["Globex.", true] as const),
      ...Array.from({ length: neither }, () => ["Globex.", false] as const),
    ];
    return texts.map(([text, isCited], sample) => ({
      prompt: prompts[prompt]?.text,
      provider: "OPENAI",
      sample,
      answeredAt: `2026-01-${day}T08:00:00Z`,
      text,
      citations: isCited ? [{ url: "https://acme.example/a" }] : [],
    }));
  });
}

const range = (from: string, to: string) => {
  return { timeRange: { from: `2026-01-${from}T00:00:00Z`, to: `2026-01-${to}T00:00:00Z` } };
};

test("four ways of being named and cited add up, and each opens its answers", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const accountId = await service.apply({
    account: { name: "Ways" },
    brand: { name: "Acme", domains: ["acme.example"] },
    competitors: [{ name: "Globex" }],
    prompts,
  });
  await service.import(accountId, [
    ...answersOf(
      "02",
      [...prompts.keys()].map((at) => [1, 1, at % 2, 2]),
    ),
    ...answersOf(
      "12",
      [...prompts.keys()].map((at) => [2, 1, at % 3 === 0 ? 2 : 0, 1]),
    ),
  ]);
  const token = await service.session(accountId);
  const ask = async (body: object): Promise<InsightsPresenceResponse> => {
    const reply = await service.post("/v1/insights/presence", { token, body });
    assert.equal(reply.status, 200, reply.body);
    (await ServedSchemas.of(service)).assertValid("InsightsPresenceResponseDto", reply.json());
    return reply.json<InsightsPresenceResponse>();
  };
  const filters = range("08", "15");
  const body = { groupBy: "none", filters };
  const summary = await service.post("/v1/insights/summary", { token, body });
  const [brand] = summary.json<InsightsSummaryResponse>().groups[0]?.entities ?? [];
  const entityId = brand?.id ?? "";
  const compare = { filters: range("01", "08") };
  const found = await ask({ entityId: entityId.toUpperCase(), filters, compare });
  assert.deepEqual([found.entityId, found.answers, found.prompts], [entityId, 38, 8]);
  const counts = presenceWays.map((way) => found[way].numerator);
  assert.deepEqual(counts, [16, 8, 6, 8]);
  assert.deepEqual(
    [brand?.mentions, brand?.citations, brand?.visibility].map((each) => each?.numerator),
    [16 + 8, 16 + 6, 16 + 8 + 6],
  );
  for (const way of presenceWays) {
    const { denominator, interval, change } = found[way];
    assert.equal(denominator, 38);
    assert.ok(interval !== null && change?.parts != null, way);
    const role = way === "neither" ? "notVisible" : way;
    const asked = { entityId, role, filters, limit: 1 };
    const evidence = await service.post("/v1/evidence", { token, body: asked });
    assert.equal(evidence.json<EvidenceResponse>().total, found[way].numerator, way);
  }
  const changes = presenceWays.map((way) => found[way].change?.value ?? Number.NaN);
  assert.ok(Math.abs(changes.reduce((sum, each) => sum + each, 0)) < 1e-12, "a sum of nothing");
  assert.equal(found.tests, 4);
  const unknown = await ask({ entityId: "00000000-0000-4000-8000-000000000000", filters });
  assert.deepEqual(
    [unknown.answers, unknown.both.value, unknown.neither.denominator],
    [38, null, 0],
  );
  const gone = await ask({ entityId, filters: range("20", "27") });
  assert.deepEqual([gone.empty?.reason, gone.both.value], ["outsideRange", null]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  contributionGroupings,
  type InsightsChangesRequest,
  type InsightsChangesResponse,
  type InsightsSummaryResponse,
  summaryMetricNames,
} from "@sightline/contract";
import { ServedSchemas } from "@sightline/test-kit/requests/served-schemas.ts";
import { sampleIds } from "@sightline/test-kit/sample-account.ts";
import { corpusAnswers, corpusWorkspace } from "@sightline/test-kit/sample-corpus.ts";
import { sharedSample } from "@sightline/test-kit/shared-sample.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";

const path = "/v1/insights/changes";

type Change = InsightsChangesResponse["change"];

interface Asking {
  readonly service: TestService;
  readonly token: string;
}

async function ask(
  { service, token }: Asking,
  body: InsightsChangesRequest,
): Promise<InsightsChangesResponse> {
  const reply = await service.post(path, { token, body });
  assert.equal(reply.status, 200, reply.body);
  (await ServedSchemas.of(service)).assertValid("InsightsChangesResponseDto", reply.json());
  return reply.json<InsightsChangesResponse>();
}

const range = (from: string, to: string) => {
  return { timeRange: { from: `${from}T00:00:00Z`, to: `${to}T00:00:00Z` } };
};

test("contributions and parts add up to the change, whatever it is divided by", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const accountId = await service.apply(corpusWorkspace);
  await service.import(accountId, corpusAnswers(1_200));
  const token = await service.session(accountId);
  const filters = range("2026-01-15", "2026-02-15");
  const compare = { filters: range("2026-01-01", "2026-01-15") };
  const summaryBody = { groupBy: "none", filters, compare };
  const reply = await service.post("/v1/insights/summary", { token, body: summaryBody });
  const [brand] = reply.json<InsightsSummaryResponse>().groups[0]?.entities ?? [];
  assert.ok(brand !== undefined);
  let asked = 0;
  for (const metric of summaryMetricNames) {
    for (const by of contributionGroupings) {
      if (by === "domain" && (metric === "rank" || metric === "shareOfVoice")) continue;
      const body = { filters, compare, entityId: brand.id, metric, by, limit: 3 };
      const { value, parts, change, contributions, rest } = await ask({ service, token }, body);
      const summed: Change | undefined = brand[metric].change;
      assert.deepEqual([value, parts], [summed?.value, summed?.parts]);
      assert.deepEqual([change.p, change.interval], [summed?.p, summed?.interval]);
      assert.ok(value !== null && value !== 0 && parts !== null, `${metric} changed`);
      const sum = contributions.reduce((total, each) => total + each.value, rest.value);
      assert.ok(Math.abs(sum - value) < 1e-12, `${metric} by ${by}: ${sum} is not ${value}`);
      const all = parts.likeForLike + parts.mix + parts.promptsAdded + parts.promptsRemoved;
      assert.ok(Math.abs(all - value) < 1e-12);
      for (const each of [...contributions, rest]) {
        assert.ok(Math.abs(each.within + each.mix - each.value) < 1e-12);
      }
      const sizes = contributions.map((each) => Math.abs(each.value));
      assert.deepEqual(
        sizes,
        sizes.toSorted((a, b) => b - a),
      );
      asked += contributions.length;
    }
  }
  assert.ok(asked > 40, `${asked} contributions`);
});

test("what a provider counted on both sides, and domains share the answers that cite", async () => {
  const sample = await sharedSample();
  const asked = {
    filters: range("2026-01-06", "2026-02-01"),
    compare: { filters: range("2026-01-01", "2026-01-06") },
    entityId: sampleIds.acme,
    metric: "mentions",
    limit: 10,
  } as const;
  const byProvider = await ask(sample, { ...asked, by: "provider" });
  const byDomain = await ask(sample, { ...asked, by: "domain" });
  assert.equal(byProvider.value, byDomain.value);
  assert.equal(byProvider.change.verdict, null, "a side is shorter than a week");
  assert.deepEqual(
    byProvider.contributions.map(({ key, name }) => [key, name]),
    byProvider.contributions.map(({ key }) => [key, key]),
  );
  const sum = byDomain.contributions.reduce((total, each) => total + each.value, 0);
  assert.ok(Math.abs(sum - (byDomain.value ?? 0)) < 1e-12);
  const unknown = await ask(sample, {
    ...asked,
    entityId: "00000000-0000-4000-8000-000000000000",
    by: "topic",
  });
  assert.deepEqual([unknown.value, unknown.contributions, unknown.rest.value], [null, [], 0]);
});

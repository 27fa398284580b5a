import assert from "node:assert/strict";

// A client of @hey-api/openapi-ts: exchange, one series, one page, the workspace, an error.
const [, , baseUrl = "", key = ""] = process.argv;
const timeRange = { from: "2026-01-05T00:00:00Z", to: "2026-01-08T00:00:00Z" };

client.setConfig({ baseUrl, auth: key });
const exchanged = await exchangeAccessKey({ throwOnError: true });
client.setConfig({ baseUrl, auth: exchanged.data.sessionJwt });

const providers: ProviderDto[] = ["OPENAI", "GROK"];
const series = await mentions({
  body: { interval: "daily", filters: { timeRange, providers } },
  throwOnError: true,
});
const point: PointDto | undefined = series.data.series[0]?.data[0];
assert.deepEqual(point, { timestamp: "2026-01-05T00:00:00.000Z", value: 1 });

const page = await sources({
  body: { groupBy: "domain", limit: 1, offset: 0, filters: { timeRange } },
});
assert.deepEqual(page.data?.sources, [{ source: "example.org", share: 0.6, citations: 3 }]);
assert.equal(page.data?.pagination.hasMore, true);

const described = await workspace({ throwOnError: true });
const data: WorkspaceResponseDto = described.data;
assert.equal(data.brand.name, "Acme");
assert.equal(data.answers.last, "2026-01-07T00:00:00.000Z");

const refused = await sources({
  // @ts-expect-error there is no such grouping
  body: { groupBy: "page", limit: 1, offset: 0, filters: { timeRange } },
});
const problem: ProblemDto | undefined = refused.error;
assert.equal(problem?.code, "invalid_request");
assert.equal(problem?.errors?.[0]?.path, "/groupBy");

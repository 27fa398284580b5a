import assert from "node:assert/strict";
import createClient from "openapi-fetch";

// A client of openapi-typescript's types: exchange, one series, one page, the workspace, an error.
const [, , baseUrl = "", key = ""] = process.argv;
const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });
const timeRange = { from: "2026-01-05T00:00:00Z", to: "2026-01-08T00:00:00Z" };

const exchanging = createClient<paths>({ baseUrl, ...bearer(key) });
const exchanged = await exchanging.POST("/v1/auth/accesskey/exchange");
assert.ok(exchanged.data !== undefined);

const client = createClient<paths>({ baseUrl, ...bearer(exchanged.data.sessionJwt) });
const providers: components["schemas"]["ProviderDto"][] = ["OPENAI", "GROK"];
const mentions = await client.POST("/v1/analytics/brands/mentions", {
  body: { interval: "daily", filters: { timeRange, providers } },
});
const point: components["schemas"]["PointDto"] | undefined = mentions.data?.series[0]?.data[0];
assert.deepEqual(point, { timestamp: "2026-01-05T00:00:00.000Z", value: 1 });

const sources = await client.POST("/v1/analytics/sources", {
  body: { groupBy: "domain", limit: 1, offset: 0, filters: { timeRange } },
});
assert.deepEqual(sources.data?.sources, [{ source: "example.org", share: 0.6, citations: 3 }]);
assert.equal(sources.data?.pagination.hasMore, true);

const workspace = await client.GET("/v1/workspace");
assert.equal(workspace.data?.brand.name, "Acme");
const last: string | null | undefined = workspace.data?.answers.last;
assert.equal(last, "2026-01-07T00:00:00.000Z");

const refused = await client.POST("/v1/analytics/sources", {
  // @ts-expect-error there is no such grouping
  body: { groupBy: "page", limit: 1, offset: 0, filters: { timeRange } },
});
const problem: components["schemas"]["ProblemDto"] | undefined = refused.error;
assert.equal(problem?.code, "invalid_request");
assert.equal(problem?.errors?.[0]?.path, "/groupBy");

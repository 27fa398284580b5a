import assert from "node:assert/strict";
import { test } from "node:test";
import type { SourceAnalysisResponse } from "@sightline/contract";
import { ServedSchemas } from "@sightline/test-kit/requests/served-schemas.ts";
import { sampleIds, sampleRange } from "@sightline/test-kit/sample-account.ts";
import { sharedSample } from "@sightline/test-kit/shared-sample.ts";

const path = "/v1/analytics/sources";
const offsetMax = 9007199254740991;

const byUrl = [
  { source: "https://example.org/x", share: 0.4, citations: 2 },
  { source: "https://acme.com/a", share: 0.2, citations: 1 },
  { source: "https://blog.example.org/y", share: 0.2, citations: 1 },
  { source: "https://globex.com/z", share: 0.2, citations: 1 },
];
const byDomain = [
  { source: "example.org", share: 0.6, citations: 3 },
  { source: "acme.com", share: 0.2, citations: 1 },
  { source: "globex.com", share: 0.2, citations: 1 },
];

test("urls by citations, then code unit; an answer cites a page once", async () => {
  const { service, token } = await sharedSample();
  const body = { groupBy: "url", limit: 100, offset: 0, filters: { timeRange: sampleRange } };
  const reply = await service.post(path, { token, body });
  assert.equal(reply.status, 200);
  assert.equal(reply.headers["content-type"], "application/json; charset=utf-8");
  assert.deepEqual(reply.json(), {
    groupBy: "url",
    sources: byUrl,
    pagination: { total: 4, limit: 100, offset: 0, hasMore: false },
  });
  (await ServedSchemas.of(service)).assertValid("SourceAnalysisResponseDto", reply.json());
});

test("domains: the registrable ones, their citations the sum of their urls'", async () => {
  const { service, token } = await sharedSample();
  const body = { groupBy: "domain", limit: 100, offset: 0, filters: { timeRange: sampleRange } };
  const reply = await service.post(path, { token, body });
  assert.equal(reply.status, 200);
  assert.deepEqual(reply.json(), {
    groupBy: "domain",
    sources: byDomain,
    pagination: { total: 3, limit: 100, offset: 0, hasMore: false },
  });
});

test("pages are disjoint and complete, shares are of all that passes", async () => {
  const { service, token } = await sharedSample();
  const page = async (groupBy: string, limit: number, offset: number) => {
    const body = { groupBy, limit, offset, filters: { timeRange: sampleRange } };
    const reply = await service.post(path, { token, body });
    assert.equal(reply.status, 200);
    return reply.json<SourceAnalysisResponse>();
  };
  for (const [groupBy, all] of [["url", byUrl] as const, ["domain", byDomain] as const]) {
    for (let limit = 1; limit <= all.length + 1; limit++) {
      for (let offset = 0; offset <= all.length + 1; offset++) {
        const sources = all.slice(offset, offset + limit);
        const hasMore = offset + sources.length < all.length;
        assert.deepEqual(await page(groupBy, limit, offset), {
          groupBy,
          sources,
          // Past the end an empty page has nothing behind it.
          pagination: { total: all.length, limit, offset, hasMore },
        });
      }
    }
    assert.deepEqual(await page(groupBy, 100, offsetMax), {
      groupBy,
      sources: [],
      pagination: { total: all.length, limit: 100, offset: offsetMax, hasMore: false },
    });
  }
});

test("filters choose the answers, and the shares are of what is left", async () => {
  const { service, token } = await sharedSample();
  const ask = async (filters: object) => {
    const body = { groupBy: "url", limit: 1, offset: 0 };
    const reply = await service.post(path, {
      token,
      body: { ...body, filters: { timeRange: sampleRange, ...filters } },
    });
    assert.equal(reply.status, 200);
    const { sources, pagination } = reply.json<SourceAnalysisResponse>();
    return [sources, pagination.total, pagination.hasMore];
  };
  const acme = { source: "https://acme.com/a", share: 0.5, citations: 1 };
  const blog = { source: "https://blog.example.org/y", share: 1, citations: 1 };
  const example = { source: "https://example.org/x", share: 0.5, citations: 2 };
  assert.deepEqual(await ask({ regions: [{ code: "us" }] }), [[acme], 2, true]);
  assert.deepEqual(await ask({ branded: true }), [[blog], 1, false]);
  assert.deepEqual(await ask({ topics: [{ id: sampleIds.storage }] }), [[example], 3, true]);
  assert.deepEqual(await ask({ providers: ["GEMINI"] }), [[], 0, false]);
  assert.deepEqual(await ask({ promptIds: [sampleIds.acme] }), [[], 0, false]);
  const before = { from: "2026-01-04T00:00:00Z", to: "2026-01-05T08:00:00Z" };
  assert.deepEqual(await ask({ timeRange: before }), [[], 0, false]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import type { InsightsSourcesResponse } from "@sightline/contract";
import { ServedSchemas } from "@sightline/test-kit/requests/served-schemas.ts";
import { sampleIds, sampleRange } from "@sightline/test-kit/sample-account.ts";
import { sharedSample } from "@sightline/test-kit/shared-sample.ts";

const path = "/v1/insights/sources";
const page = { groupBy: "url", limit: 100, offset: 0 };

async function ask(asked: object): Promise<InsightsSourcesResponse> {
  const { service, token } = await sharedSample();
  const body = { ...page, filters: { timeRange: sampleRange }, ...asked };
  const reply = await service.post(path, { token, body });
  assert.equal(reply.status, 200, reply.body);
  assert.equal(reply.headers["content-type"], "application/json; charset=utf-8");
  (await ServedSchemas.of(service)).assertValid("InsightsSourcesResponseDto", reply.json());
  return reply.json<InsightsSourcesResponse>();
}

test("whose each source is, and who is visible in the answers that cite it", async () => {
  const { sources, ...rest } = await ask({});
  const counts = sources.map((source) => [
    ...[source.source, source.class, source.entityId, source.answers],
    ...[source.withBrand, source.withBrandOnly, source.withCompetitorOnly],
  ]);
  assert.deepEqual(counts, [
    ["https://example.org/x", "thirdParty", null, 2, 1, 0, 1],
    ["https://acme.com/a", "own", sampleIds.acme, 1, 1, 0, 0],
    ["https://blog.example.org/y", "thirdParty", null, 1, 1, 1, 0],
    ["https://globex.com/z", "competitor", sampleIds.globex, 1, 0, 0, 1],
  ]);
  assert.deepEqual(rest, {
    groupBy: "url",
    pagination: { total: 4, limit: 100, offset: 0, hasMore: false },
    tests: 0,
    empty: null,
  });
});

test("the sources are those of operation 5, on each of its pages", async () => {
  const { service, token } = await sharedSample();
  for (const groupBy of ["url", "domain"]) {
    for (const limit of [1, 3, 5]) {
      for (let offset = 0; offset <= 5; offset++) {
        const body = { groupBy, limit, offset, filters: { timeRange: sampleRange } };
        const plain = await service.post("/v1/analytics/sources", { token, body });
        const { sources, pagination } = await ask({ groupBy, limit, offset });
        const same = sources.map(({ source, share, citations }) => ({ source, share, citations }));
        assert.deepEqual({ groupBy, sources: same, pagination }, plain.json());
      }
    }
  }
});

test("a domain's pages, a page in any spelling, and a page's domain; values stay", async () => {
  const every = { url: await ask({}), domain: await ask({ groupBy: "domain" }) };
  const listed = async (groupBy: "url" | "domain", source: object) => {
    const { sources, pagination, empty } = await ask({ groupBy, ...source });
    assert.deepEqual(
      sources,
      every[groupBy].sources.filter((each) => sources.some(({ source }) => source === each.source)),
    );
    assert.deepEqual([pagination.total, empty], [sources.length, null]);
    return sources.map(({ source }) => source.replace("https://", ""));
  };
  const pages = ["example.org/x", "blog.example.org/y"];
  assert.deepEqual(await listed("url", { domain: "Example.org" }), pages);
  assert.deepEqual(await listed("domain", { domain: "example.org" }), ["example.org"]);
  const spelled = { url: "http://www.example.org/x?utm_source=a#b" };
  assert.deepEqual(await listed("url", spelled), ["example.org/x"]);
  assert.deepEqual(await listed("domain", spelled), ["example.org"]);
  assert.deepEqual(await listed("url", { ...spelled, domain: "acme.com" }), []);
  for (const url of ["https://other.example/", "no URL", "\0\ud800", "javascript:1"]) {
    assert.deepEqual(await listed("url", { url }), []);
  }
  assert.deepEqual(await listed("url", { domain: "blog.example.org" }), []);
  const { sources, pagination } = await ask({ domain: "example.org", limit: 1, offset: 1 });
  assert.deepEqual(
    sources.map(({ source }) => source),
    ["https://blog.example.org/y"],
  );
  assert.deepEqual(pagination, { total: 2, limit: 1, offset: 1, hasMore: false });
});

test("a comparison with what has no answers; what is empty, and why", async () => {
  const gone = { timeRange: { from: "2020-01-01T00:00:00Z", to: "2020-02-01T00:00:00Z" } };
  const { sources, compare, tests } = await ask({ compare: { filters: gone } });
  assert.equal(tests, 0);
  assert.equal(compare?.empty?.reason, "outsideRange");
  const none = {
    value: null,
    parts: null,
    effectivePrompts: 0,
    interval: null,
    p: null,
    adjustedP: null,
    verdict: "insufficient",
    flags: [],
  };
  assert.deepEqual(
    sources.map(({ change }) => change),
    Array(4).fill(none),
  );
  assert.equal((await ask({ filters: gone })).empty?.reason, "outsideRange");
  const unknown = { timeRange: sampleRange, promptIds: [sampleIds.acme] };
  const others = { ...unknown, promptIds: [sampleIds.globex] };
  const neither = await ask({ filters: unknown, compare: { filters: others } });
  assert.deepEqual([neither.sources, neither.empty?.reason], [[], "filteredOut"]);
});

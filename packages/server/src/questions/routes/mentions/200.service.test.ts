import assert from "node:assert/strict";
import { test } from "node:test";
import type { TimeSeriesResponse } from "@sightline/contract";
import { ServedSchemas } from "@sightline/test-kit/requests/served-schemas.ts";
import { sampleIds, sampleRange, sampleSeries } from "@sightline/test-kit/sample-account.ts";
import { sharedSample } from "@sightline/test-kit/shared-sample.ts";

const path = "/v1/analytics/brands/mentions";

test("answers that mention it / all answers, by day; null where there is none", async () => {
  const { service, token } = await sharedSample();
  const body = { interval: "daily", filters: { timeRange: sampleRange } };
  const reply = await service.post(path, { token, body });
  assert.equal(reply.status, 200);
  assert.equal(reply.headers["content-type"], "application/json; charset=utf-8");
  assert.deepEqual(
    reply.json(),
    sampleSeries({ acme: [1, null, 0], globex: [0.5, null, 0], initech: [0, null, 0] }),
  );
  (await ServedSchemas.of(service)).assertValid("TimeSeriesResponseDto", reply.json());
});

test("from is included and to is not; both come back as they were sent", async () => {
  const { service, token } = await sharedSample();
  const acme = async (from: string, to: string) => {
    const body = { interval: "daily", filters: { timeRange: { from, to } } };
    const reply = (await service.post(path, { token, body })).json<TimeSeriesResponse>();
    assert.deepEqual(reply.timeRange, { from, to });
    return reply.series[0]?.data.map(({ timestamp, value }) => [timestamp.slice(0, 10), value]);
  };
  const [first, last] = ["2026-01-05T08:00:00Z", "2026-01-07T00:00:00Z"];
  assert.deepEqual(await acme(first, "2026-01-05t08:00:00.001z"), [["2026-01-05", 1]]);
  assert.deepEqual(await acme("2026-01-05T08:00:00.001Z", "2026-01-05T09:00:00+00:00"), [
    ["2026-01-05", null],
  ]);
  assert.deepEqual(await acme("2026-01-06T23:00:00.000000001Z", last), [["2026-01-06", null]]);
  assert.deepEqual(await acme("2026-01-07T01:00:00+01:00", "2026-01-07T00:00:00.001Z"), [
    ["2026-01-07", 0],
  ]);
  // Midnight of the 6th in New York is 05:00 UTC: the day that is cut in two is UTC's.
  assert.deepEqual(await acme("2026-01-05T00:00:00-05:00", "2026-01-06T00:00:00-05:00"), [
    ["2026-01-05", 1],
    ["2026-01-06", null],
  ]);
});

test("weeks begin on Monday and months on the first, also before from", async () => {
  const { service, token } = await sharedSample();
  const acme = async (interval: string, from: string, to: string) => {
    const body = { interval, filters: { timeRange: { from, to } } };
    const reply = (await service.post(path, { token, body })).json<TimeSeriesResponse>();
    return reply.series[0]?.data.map(({ timestamp, value }) => [timestamp, value]);
  };
  // All three answers that count are in the week of the 5th; two of them mention it.
  assert.deepEqual(await acme("weekly", "2026-01-04T12:00:00Z", "2026-01-12T00:00:00.001Z"), [
    ["2025-12-29T00:00:00.000Z", null],
    ["2026-01-05T00:00:00.000Z", 2 / 3],
    ["2026-01-12T00:00:00.000Z", null],
  ]);
  assert.deepEqual(await acme("weekly", "2026-01-05T12:00:00Z", "2026-01-12T00:00:00Z"), [
    ["2026-01-05T00:00:00.000Z", 0.5],
  ]);
  assert.deepEqual(await acme("monthly", "2025-12-31T23:59:59.999Z", "2026-02-01T00:00:00Z"), [
    ["2025-12-01T00:00:00.000Z", null],
    ["2026-01-01T00:00:00.000Z", 2 / 3],
  ]);
});

test("as many buckets as are allowed, each of them", async () => {
  const { service, token } = await sharedSample();
  for (const [interval, to] of [
    ["daily", "2010-12-14T00:00:00Z"],
    ["weekly", "2076-08-24T00:00:00Z"],
    ["monthly", "2333-05-01T00:00:00Z"],
  ]) {
    const body = { interval, filters: { timeRange: { from: "2000-01-01T00:00:00Z", to } } };
    const reply = await service.post(path, { token, body });
    assert.equal(reply.status, 200, interval);
    const { series } = reply.json<TimeSeriesResponse>();
    assert.deepEqual(
      series.map(({ data }) => data.length),
      [4_000, 4_000, 4_000],
    );
  }
});

test("the first and the last instant that can be asked for", async () => {
  const { service, token } = await sharedSample();
  for (const interval of ["daily", "weekly", "monthly"]) {
    const points = async (from: string, to: string) => {
      const body = { interval, filters: { timeRange: { from, to } } };
      const reply = (await service.post(path, { token, body })).json<TimeSeriesResponse>();
      return reply.series[0]?.data.map(({ timestamp }) => timestamp);
    };
    assert.deepEqual(await points("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.001Z"), [
      "0001-01-01T00:00:00.000Z",
    ]);
    const last = await points("9999-12-31T23:59:59.998Z", "9999-12-31T23:59:59.999Z");
    const starts = { daily: "9999-12-31", weekly: "9999-12-27", monthly: "9999-12-01" };
    assert.deepEqual(last, [`${starts[interval as keyof typeof starts]}T00:00:00.000Z`]);
  }
});

const unknownId = "99999999-9999-4999-8999-999999999999";
const { storage, hosting, storagePrompt, hostingPrompt } = sampleIds;

// Acme's share of answers over the three days, as mentions / answers; null: no answer passes.
const filters: Readonly<Record<string, readonly [object, number | null]>> = {
  "none at all": [{}, 2 / 3],
  "every one empty": [{ providers: [], topics: [], promptIds: [], regions: [] }, 2 / 3],
  "a provider": [{ providers: ["OPENAI"] }, 1 / 2],
  "two providers": [{ providers: ["OPENAI", "GROK"] }, 2 / 3],
  "a provider twice": [{ providers: ["GROK", "GROK"] }, 1],
  "a provider without answers": [{ providers: ["COPILOT"] }, null],
  "a topic": [{ topics: [{ id: storage }] }, 1 / 2],
  "both topics": [{ topics: [{ id: storage }, { id: hosting }] }, 2 / 3],
  "a topic in capitals": [{ topics: [{ id: hosting.toUpperCase() }] }, 1],
  "an unknown topic": [{ topics: [{ id: unknownId }] }, null],
  "an unknown topic beside a known one": [{ topics: [{ id: unknownId }, { id: hosting }] }, 1],
  "a prompt": [{ promptIds: [hostingPrompt] }, 1],
  "a prompt in capitals, and no topic": [
    { promptIds: [storagePrompt.toUpperCase()], topics: [] },
    1 / 2,
  ],
  "an unknown prompt": [{ promptIds: [unknownId] }, null],
  "a topic's id as a prompt's": [{ promptIds: [storage] }, null],
  "a region": [{ regions: [{ code: "US" }] }, 1],
  "regions in either case": [{ regions: [{ code: "us" }, { code: "De" }] }, 1 / 2],
  "a region that is not there": [{ regions: [{ code: "ZZ" }] }, null],
  "branded prompts": [{ branded: true }, 1],
  "prompts that are not branded": [{ branded: false }, 1 / 2],
  "several filters": [{ providers: ["OPENAI"], regions: [{ code: "DE" }], branded: false }, 0],
  "filters that exclude each other": [{ providers: ["GROK"], branded: false }, null],
};

test("all filters hold together, the items of one are alternatives", async () => {
  const { service, token } = await sharedSample();
  for (const [what, [given, value]] of Object.entries(filters)) {
    const body = { interval: "monthly", filters: { timeRange: sampleRange, ...given } };
    const reply = await service.post(path, { token, body });
    assert.equal(reply.status, 200, what);
    const [acme] = reply.json<TimeSeriesResponse>().series;
    assert.deepEqual(acme?.data, [{ timestamp: "2026-01-01T00:00:00.000Z", value }], what);
  }
});

test("filters with as many items as are allowed", async () => {
  const { service, token } = await sharedSample();
  const ids = Array.from({ length: 9_999 }, (_, i) => unknownId.slice(0, -4) + hexadecimal(i));
  const given = {
    promptIds: [...ids, hostingPrompt],
    providers: Array(10_000).fill("GROK"),
    regions: [],
  };
  const body = { interval: "monthly", filters: { timeRange: sampleRange, ...given } };
  const reply = await service.post(path, { token, body });
  assert.equal(reply.status, 200);
  assert.equal(reply.json<TimeSeriesResponse>().series[0]?.data[0]?.value, 1);
});

function hexadecimal(number: number): string {
  return number.toString(16).padStart(4, "0");
}

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type InsightsSeriesRequest,
  type InsightsSeriesResponse,
  type MetricName,
  metricNames,
  metrics,
} from "@sightline/contract";
import { seriesRequests } from "@sightline/test-kit/requests/random-requests.ts";
import { ServedSchemas } from "@sightline/test-kit/requests/served-schemas.ts";
import { sampleIds, sampleRange, startSample } from "@sightline/test-kit/sample-account.ts";
import fc from "fast-check";

const path = "/v1/insights/series";

/** A series a line: `numerator/denominator=value` of each day, `-` where it is empty. */
function shown({ series }: InsightsSeriesResponse): Readonly<Record<string, string>> {
  return Object.fromEntries(
    series.map(({ name, data }) => [
      name,
      data
        .map(({ value, numerator, denominator, empty }) =>
          empty ? `- ${value}` : `${numerator}/${denominator}=${value}`,
        )
        .join(", "),
    ]),
  );
}

async function startAsking(t: Parameters<typeof startSample>[0]) {
  const { service, accountId, token } = await startSample(t);
  const ask = async (metric: MetricName, more: Partial<InsightsSeriesRequest> = {}) => {
    const body = { metric, interval: "daily", filters: { timeRange: sampleRange }, ...more };
    const reply = await service.post(path, { token, body });
    assert.equal(reply.status, 200, reply.body);
    assert.equal(reply.headers["content-type"], "application/json; charset=utf-8");
    (await ServedSchemas.of(service)).assertValid("InsightsSeriesResponseDto", reply.json());
    return reply.json<InsightsSeriesResponse>();
  };
  return { service, accountId, ask };
}

test("a rate by day: the answers that count over all answers of the day", async (t) => {
  const { ask } = await startAsking(t);
  const reply = await ask("mentions");
  assert.deepEqual([reply.interval, reply.timeRange], ["daily", sampleRange]);
  assert.deepEqual(shown(reply), {
    Acme: "2/2=1, - null, 0/1=0",
    Globex: "1/2=0.5, - null, 0/1=0",
    Initech: "0/2=0, - null, 0/1=0",
  });
  assert.deepEqual(reply.series[0]?.data[1], {
    timestamp: "2026-01-06T00:00:00.000Z",
    value: null,
    numerator: 0,
    denominator: 0,
    interval: null,
    empty: true,
    covered: 1,
    days: 1,
  });
  assert.deepEqual(shown(await ask("citations")), {
    Acme: "1/2=0.5, - null, 0/1=0",
    Globex: "0/2=0, - null, 1/1=1",
    Initech: "0/2=0, - null, 0/1=0",
  });
});

test("a bucket that the range or the last answer cuts says so", async (t) => {
  const { service, accountId, ask } = await startAsking(t);
  const timeRange = { from: "2026-01-06T12:00:00Z", to: "2026-02-01T00:00:00Z" };
  const covered = async (more: object = {}) => {
    const filters = { timeRange, ...more };
    const { series } = await ask("mentions", { interval: "weekly", filters });
    return series.map(({ data }) => data.map((each) => `${each.covered}/${each.days}`).join(" "));
  };
  // The last answer is of 7 January, and counts its whole day, also where a filter leaves it out.
  const week = Array(3).fill("1.5/7 0/7 0/7 0/7");
  assert.deepEqual(await covered(), week);
  assert.deepEqual(await covered({ providers: ["COPILOT"] }), week);
  const answer = { promptId: sampleIds.storagePrompt, provider: "GEMINI", text: "Acme." };
  await service.import(accountId, [{ ...answer, answeredAt: "2026-01-13T08:00:00Z" }]);
  assert.deepEqual(await covered(), Array(3).fill("5.5/7 2/7 0/7 0/7"));
});

test("the weeks in which models or prompts changed are told when they are asked for", async (t) => {
  const { service, accountId, ask } = await startAsking(t);
  const timeRange = { from: "2026-01-05T00:00:00Z", to: "2026-02-02T00:00:00Z" };
  assert.equal((await ask("mentions", { filters: { timeRange } })).marks, undefined);
  const answer = { promptId: sampleIds.storagePrompt, provider: "GEMINI", text: "Acme." };
  await service.import(accountId, [
    { ...answer, answeredAt: "2026-01-12T08:00:00Z", model: "one" },
    { ...answer, answeredAt: "2026-01-19T08:00:00Z", model: "two" },
    { ...answer, answeredAt: "2026-01-26T08:00:00Z", model: "two" },
  ]);
  const marksOf = async (more: object = {}) =>
    (await ask("mentions", { filters: { timeRange, ...more }, include: ["marks"] })).marks;
  const models = { kind: "models", providers: ["GEMINI"], added: 0, removed: 0 };
  const marks = await marksOf();
  assert.deepEqual(
    marks?.filter(({ kind }) => kind === "models"),
    [{ timestamp: "2026-01-19T00:00:00.000Z", ...models }],
  );
  assert.deepEqual(await marksOf({ providers: ["COPILOT"] }), []);
});

test("rank: the sum of ranks over mentions; a day without a mention is not empty", async (t) => {
  const { ask } = await startAsking(t);
  assert.deepEqual(shown(await ask("rank")), {
    Acme: "3/2=1.5, - null, 0/0=null",
    Globex: "1/1=1, - null, 0/0=null",
    Initech: "0/0=null, - null, 0/0=null",
  });
});

test("a filter that no answer passes leaves every bucket empty", async (t) => {
  const { ask } = await startAsking(t);
  const timeRange = sampleRange;
  const unknown = { id: "99999999-0000-4000-8000-000000000009" };
  for (const filters of [
    { timeRange, topics: [unknown] },
    { timeRange, providers: ["COPILOT"] },
  ]) {
    const { series } = await ask("rank", { filters } as Partial<InsightsSeriesRequest>);
    const points = series.flatMap(({ data }) => data.map(({ empty, value }) => [empty, value]));
    assert.deepEqual(points, Array(9).fill([true, null]));
  }
});

test("a cached reply is not that of another metric, and ends with new answers", async (t) => {
  const { service, accountId, ask } = await startAsking(t);
  const [mentions, rank] = [await ask("mentions"), await ask("rank")];
  assert.notDeepEqual(mentions, rank);
  assert.deepEqual([await ask("mentions"), await ask("rank")], [mentions, rank]);
  const { values } = await service.services.metrics.replyCache.get();
  assert.equal(values.find(({ labels }) => labels.result === "hit")?.value, 2);
  await service.import(accountId, [
    {
      promptId: sampleIds.storagePrompt,
      provider: "GEMINI",
      answeredAt: "2026-01-06T08:00:00Z",
      text: "Acme.",
    },
  ]);
  assert.equal(shown(await ask("mentions"))["Acme"], "2/2=1, 1/1=1, 0/1=0");
});

type Asked = Omit<InsightsSeriesRequest, "metric">;

test("values are those of the metric's operation, numerator / denominator", async (t) => {
  const { service, token } = await startSample(t);
  const requests = fc.tuple(fc.constantFrom(...metricNames), seriesRequests);
  const property = fc.asyncProperty(requests, async ([metric, asked]) => {
    const body = asked as Asked;
    const plain = await service.post(metrics[metric].path, { token, body });
    const counted = await service.post(path, { token, body: { metric, ...body } });
    const { series, ...rest } = counted.json<InsightsSeriesResponse>();
    const values = series.map(({ data, ...entity }) => ({
      ...entity,
      data: data.map(({ timestamp, value }) => ({ timestamp, value })),
    }));
    assert.deepEqual({ ...rest, series: values }, plain.json());
    for (const { value, numerator, denominator, empty } of series.flatMap(({ data }) => data)) {
      assert.equal(value, denominator === 0 ? null : numerator / denominator);
      if (empty) assert.deepEqual([numerator, denominator], [0, 0]);
    }
    // However the range is cut, the parts are the same.
    const whole = { metric, ...body, interval: "monthly" };
    const months = (
      await service.post(path, { token, body: whole })
    ).json<InsightsSeriesResponse>();
    assert.deepEqual(sumsOf(series), sumsOf(months.series));
  });
  await fc.assert(property, { numRuns: 60, seed: 20_260_101 });
});

/** The sum of numerators and that of denominators of each series. */
function sumsOf(series: InsightsSeriesResponse["series"]) {
  const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
  return series.map(({ data }) => [
    sum(data.map(({ numerator }) => numerator)),
    sum(data.map(({ denominator }) => denominator)),
  ]);
}

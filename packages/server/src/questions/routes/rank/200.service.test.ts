import assert from "node:assert/strict";
import { test } from "node:test";
import type { TimeSeriesResponse } from "@sightline/contract";
import { ServedSchemas } from "@sightline/test-kit/requests/served-schemas.ts";
import {
  sampleIds,
  sampleRange,
  sampleSeries,
  startSample,
} from "@sightline/test-kit/sample-account.ts";
import { sharedSample } from "@sightline/test-kit/shared-sample.ts";

test("the mean rank over the answers that mention it, by day; null where none does", async () => {
  const { service, token } = await sharedSample();
  const body = { interval: "daily", filters: { timeRange: sampleRange } };
  const reply = await service.post("/v1/analytics/brands/rank", { token, body });
  assert.equal(reply.status, 200);
  assert.equal(reply.headers["content-type"], "application/json; charset=utf-8");
  assert.deepEqual(
    reply.json(),
    sampleSeries({ acme: [1.5, null, null], globex: [1, null, null], initech: [null, null, null] }),
  );
  (await ServedSchemas.of(service)).assertValid("TimeSeriesResponseDto", reply.json());
});

test("a longer bucket's rank is the mean over its answers, not over its days", async (t) => {
  const { service, accountId, token } = await startSample(t);
  // Acme's ranks are 2 and 1 on the 5th, and now 1, 1 and 3 on the 7th. The mean of the days' means
  // would be (3 / 2 + 5 / 3) / 2.
  const answer = (text: string, second: number) => ({
    promptId: sampleIds.storagePrompt,
    provider: "GEMINI",
    answeredAt: `2026-01-07T10:00:0${second}Z`,
    text,
  });
  await service.import(accountId, [
    answer("Acme.", 1),
    answer("Acme!", 2),
    answer("Initech, Globex, Initech or Acme?", 3),
  ]);
  const body = { interval: "weekly", filters: { timeRange: sampleRange } };
  const reply = await service.post("/v1/analytics/brands/rank", { token, body });
  const { series } = reply.json<TimeSeriesResponse>();
  assert.deepEqual(
    series.map(({ name, data }) => [name, data.map(({ value }) => value)]),
    [
      ["Acme", [(2 + 1 + 1 + 1 + 3) / 5]],
      ["Globex", [(1 + 2) / 2]],
      ["Initech", [1]],
    ],
  );
});

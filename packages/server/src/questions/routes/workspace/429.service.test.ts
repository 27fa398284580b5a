import assert from "node:assert/strict";
import { test } from "node:test";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { sampleRange, startSample } from "@sightline/test-kit/sample-account.ts";

test("the workspace counts with the questions, in the rate and in the day", async (t) => {
  const { service, token } = await startSample(t, { rateLimit: "2/s", dailyQuota: "5" });
  const headers = { authorization: `Bearer ${token}` };
  const ask = () => service.request("GET", "/v1/workspace", { headers });
  // The exchange was the first call.
  const first = await ask();
  assert.equal(first.status, 200);
  assert.equal(first.headers["ratelimit"], '"rate";r=2;t=1, "day";r=3;t=43200');
  const body = { interval: "daily", filters: { timeRange: sampleRange } };
  assert.equal((await service.post("/v1/analytics/brands/rank", { token, body })).status, 200);
  assert.equal((await ask()).status, 200);

  const refused = await ask();
  assertProblem(refused, "rate_limited");
  assert.equal(refused.headers["retry-after"], "1");
  service.clock.advance(1_000);
  assert.equal((await ask()).status, 200);
  const over = await ask();
  assertProblem(over, "quota_exhausted");
  assert.equal(over.headers["retry-after"], String(12 * 3_600 - 1));
});

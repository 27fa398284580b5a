import assert from "node:assert/strict";
import { test } from "node:test";
import { ServedSchemas } from "@sightline/test-kit/requests/served-schemas.ts";
import { sampleRange, sampleSeries } from "@sightline/test-kit/sample-account.ts";
import { sharedSample } from "@sightline/test-kit/shared-sample.ts";

test("answers that mention or cite it / all answers, by day", async () => {
  const { service, token } = await sharedSample();
  const body = { interval: "daily", filters: { timeRange: sampleRange } };
  const reply = await service.post("/v1/analytics/brands/overall-visibility", { token, body });
  assert.equal(reply.status, 200);
  assert.equal(reply.headers["content-type"], "application/json; charset=utf-8");
  assert.deepEqual(
    reply.json(),
    sampleSeries({ acme: [1, null, 0], globex: [0.5, null, 1], initech: [0, null, 0] }),
  );
  (await ServedSchemas.of(service)).assertValid("TimeSeriesResponseDto", reply.json());
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { sampleRange, sampleSeries } from "../../../../test/sample-account.ts";
import { ServedSchemas } from "../../../../test/served-schemas.ts";
import { sharedSample } from "../../../../test/shared-sample.ts";

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

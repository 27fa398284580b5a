import { test } from "node:test";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { sampleRange, startSample } from "@sightline/test-kit/sample-account.ts";

test("a first question is refused while names are read that nobody asked for before", async (t) => {
  const { service, token } = await startSample(t);
  await service.services.projection.close();
  const body = { filters: { timeRange: sampleRange } };
  assertProblem(await service.post("/v1/insights/names", { token, body }), "facts_not_ready");
});

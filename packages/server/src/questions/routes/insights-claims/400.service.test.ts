import assert from "node:assert/strict";
import { test } from "node:test";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { sampleRange } from "@sightline/test-kit/sample-account.ts";
import { sharedSample } from "@sightline/test-kit/shared-sample.ts";

test("claims refuse what is outside their schema", async () => {
  const { service, token } = await sharedSample();
  const filters = { timeRange: sampleRange };
  const cases: readonly (readonly [object, string])[] = [
    [{}, "/filters missing"],
    [{ filters, limit: 0 }, "/limit too_small"],
    [{ filters, limit: 101 }, "/limit too_large"],
    [{ filters, reader: "rules" }, "/reader wrong_format"],
    [{ filters, compare: {} }, "/compare unknown_field"],
    [{ filters: { ...filters, providers: ["BARD"] } }, "/filters/providers/0 not_allowed"],
  ];
  for (const [body, expected] of cases) {
    const reply = await service.post("/v1/insights/claims", { token, body });
    const { errors = [] } = assertProblem(reply, "invalid_request");
    assert.deepEqual(
      errors.map(({ path, code }) => `${path} ${code}`),
      [expected],
    );
  }
});

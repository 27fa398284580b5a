import { test } from "node:test";
import { assertSeriesRefusals } from "@sightline/test-kit/requests/bad-requests.ts";

test("overall-visibility refuses what is outside its schema", (t) =>
  assertSeriesRefusals(t, "/v1/analytics/brands/overall-visibility"));

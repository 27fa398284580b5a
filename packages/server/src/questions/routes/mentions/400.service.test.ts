import { test } from "node:test";
import { assertSeriesRefusals } from "@sightline/test-kit/requests/bad-requests.ts";

test("mentions refuses what is outside its schema", (t) =>
  assertSeriesRefusals(t, "/v1/analytics/brands/mentions"));

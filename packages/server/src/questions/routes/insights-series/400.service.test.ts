import { test } from "node:test";
import { assertSeriesRefusals, badFields } from "@sightline/test-kit/requests/bad-requests.ts";

const path = "/v1/insights/series";
const others = { metric: "rank" };
const good = { ...others, interval: "daily" };

const more = {
  "a metric that is none": badFields(good, { metric: "ranks" }, "/metric not_allowed"),
  "a metric as the terminal names it": badFields(
    good,
    { metric: "visibility" },
    "/metric not_allowed",
  ),
  "a metric as null": badFields(good, { metric: null }, "/metric not_allowed"),
  "metrics as an array": badFields(good, { metric: ["rank"] }, "/metric not_allowed"),
};

test("time series with counts refuse what is outside their schema", (t) =>
  assertSeriesRefusals(t, path, { others, more }));

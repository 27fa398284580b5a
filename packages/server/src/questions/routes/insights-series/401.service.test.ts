import { test } from "node:test";
import {
  assertSessionEnds,
  assertSessionWanted,
} from "@sightline/test-kit/requests/session-refusals.ts";

const request = {
  path: "/v1/insights/series",
  good: { metric: "mentions", interval: "daily" },
};

test("time series with counts want a session", () => assertSessionWanted(request));
test("time series with counts take a session until it ends or its key is revoked", (t) =>
  assertSessionEnds(t, request));

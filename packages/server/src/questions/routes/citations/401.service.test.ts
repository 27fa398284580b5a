import { test } from "node:test";
import {
  assertSessionEnds,
  assertSessionWanted,
} from "@sightline/test-kit/requests/session-refusals.ts";

const request = { path: "/v1/analytics/brands/citations", good: { interval: "daily" } };

test("citations wants a session", () => assertSessionWanted(request));
test("citations takes a session until it ends or its key is revoked", (t) =>
  assertSessionEnds(t, request));

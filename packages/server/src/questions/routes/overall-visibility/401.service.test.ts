import { test } from "node:test";
import {
  assertSessionEnds,
  assertSessionWanted,
} from "@sightline/test-kit/requests/session-refusals.ts";

const request = { path: "/v1/analytics/brands/overall-visibility", good: { interval: "daily" } };

test("overall-visibility wants a session", () => assertSessionWanted(request));
test("overall-visibility takes a session until it ends or its key is revoked", (t) =>
  assertSessionEnds(t, request));

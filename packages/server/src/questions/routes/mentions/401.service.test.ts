import { test } from "node:test";
import {
  assertSessionEnds,
  assertSessionWanted,
} from "@sightline/test-kit/requests/session-refusals.ts";

const request = { path: "/v1/analytics/brands/mentions", good: { interval: "daily" } };

test("mentions wants a session", () => assertSessionWanted(request));
test("mentions takes a session until it ends or its key is revoked", (t) =>
  assertSessionEnds(t, request));

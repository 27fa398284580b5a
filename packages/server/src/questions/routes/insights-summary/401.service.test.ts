import { test } from "node:test";
import {
  assertSessionEnds,
  assertSessionWanted,
} from "@sightline/test-kit/requests/session-refusals.ts";

const request = { path: "/v1/insights/summary", good: { groupBy: "none" } };

test("a summary wants a session", () => assertSessionWanted(request));
test("a summary takes a session until it ends or its key is revoked", (t) =>
  assertSessionEnds(t, request));

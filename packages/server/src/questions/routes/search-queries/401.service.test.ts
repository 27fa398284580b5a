import { test } from "node:test";
import {
  assertSessionEnds,
  assertSessionWanted,
} from "@sightline/test-kit/requests/session-refusals.ts";

const request = { path: "/v1/insights/queries", good: { limit: 5 } };

test("search queries want a session", () => assertSessionWanted(request));
test("search queries take a session until it ends or its key is revoked", (t) =>
  assertSessionEnds(t, request));

import { test } from "node:test";
import {
  assertSessionEnds,
  assertSessionWanted,
} from "@sightline/test-kit/requests/session-refusals.ts";

const request = { path: "/v1/insights/citation-life", good: { by: "provider" } };

test("the life of citations wants a session", () => assertSessionWanted(request));
test("the life of citations takes a session until it ends or its key is revoked", (t) =>
  assertSessionEnds(t, request));

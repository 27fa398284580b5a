import { test } from "node:test";
import {
  assertSessionEnds,
  assertSessionWanted,
} from "@sightline/test-kit/requests/session-refusals.ts";

const request = { path: "/v1/insights/claims", good: {} };

test("claims want a session", () => assertSessionWanted(request));
test("claims take a session until it ends or its key is revoked", (t) =>
  assertSessionEnds(t, request));

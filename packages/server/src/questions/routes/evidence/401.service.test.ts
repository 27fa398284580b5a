import { test } from "node:test";
import {
  assertSessionEnds,
  assertSessionWanted,
} from "@sightline/test-kit/requests/session-refusals.ts";

const request = { path: "/v1/evidence", good: { role: "any" } };

test("evidence wants a session", () => assertSessionWanted(request));
test("evidence takes a session until it ends or its key is revoked", (t) =>
  assertSessionEnds(t, request));

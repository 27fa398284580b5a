import { test } from "node:test";
import {
  assertSessionEnds,
  assertSessionWanted,
} from "@sightline/test-kit/requests/session-refusals.ts";

const request = { path: "/v1/workspace", good: null };

test("workspace wants a session", () => assertSessionWanted(request));
test("workspace takes a session until it ends or its key is revoked", (t) =>
  assertSessionEnds(t, request));

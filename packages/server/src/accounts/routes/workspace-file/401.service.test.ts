import { test } from "node:test";
import {
  assertSessionEnds,
  assertSessionWanted,
} from "@sightline/test-kit/requests/session-refusals.ts";

const request = { path: "/v1/workspace/file", good: null };

test("the workspace file wants a session", () => assertSessionWanted(request));
test("the workspace file takes a session until it ends or its key is revoked", (t) =>
  assertSessionEnds(t, request));

import { test } from "node:test";
import {
  assertSessionEnds,
  assertSessionWanted,
} from "@sightline/test-kit/requests/session-refusals.ts";

const request = { path: "/v1/insights/names", good: { limit: 5 } };

test("untracked names want a session", () => assertSessionWanted(request));
test("untracked names take a session until it ends or its key is revoked", (t) =>
  assertSessionEnds(t, request));

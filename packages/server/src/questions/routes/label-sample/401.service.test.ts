import { test } from "node:test";
import {
  assertSessionEnds,
  assertSessionWanted,
} from "@sightline/test-kit/requests/session-refusals.ts";

const good = { entityId: "aaaaaaaa-0000-4000-8000-000000000001", metric: "mentions" };
const request = { path: "/v1/labels/sample", good };

test("a draw wants a session", () => assertSessionWanted(request));
test("a draw takes a session until it ends or its key is revoked", (t) =>
  assertSessionEnds(t, request));

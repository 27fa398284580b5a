import { test } from "node:test";
import {
  assertSessionEnds,
  assertSessionWanted,
} from "@sightline/test-kit/requests/session-refusals.ts";

const good = { limit: 10, offset: 0, groupBy: "url" };
const request = { path: "/v1/analytics/sources", good };

test("sources wants a session", () => assertSessionWanted(request));
test("sources takes a session until it ends or its key is revoked", (t) =>
  assertSessionEnds(t, request));

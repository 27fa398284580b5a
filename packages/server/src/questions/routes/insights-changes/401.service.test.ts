import { test } from "node:test";
import {
  assertSessionEnds,
  assertSessionWanted,
} from "@sightline/test-kit/requests/session-refusals.ts";

const good = {
  entityId: "aaaaaaaa-0000-4000-8000-000000000001",
  metric: "mentions",
  by: "provider",
  limit: 10,
  compare: {
    filters: { timeRange: { from: "2025-01-01T00:00:00Z", to: "2025-02-01T00:00:00Z" } },
  },
};
const request = { path: "/v1/insights/changes", good };

test("what a change consists of wants a session", () => assertSessionWanted(request));
test("what a change consists of takes a session until it ends or its key is revoked", (t) =>
  assertSessionEnds(t, request));

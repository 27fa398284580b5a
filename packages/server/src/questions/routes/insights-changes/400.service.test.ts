import { test } from "node:test";
import { assertRefusals, badFields } from "@sightline/test-kit/requests/bad-requests.ts";
import { sampleRange } from "@sightline/test-kit/sample-account.ts";

const good = {
  entityId: "aaaaaaaa-0000-4000-8000-000000000001",
  metric: "mentions",
  by: "provider",
  limit: 10,
  compare: {
    filters: { timeRange: { from: "2025-01-01T00:00:00Z", to: "2025-02-01T00:00:00Z" } },
  },
};

const more = {
  "a division that is none": badFields(good, { by: "branded" }, "/by not_allowed"),
  "a metric of another operation": badFields(
    good,
    { metric: "overall-visibility" },
    "/metric not_allowed",
  ),
  "ranks by domain": badFields(good, { metric: "rank", by: "domain" }, "/metric not_allowed"),
  "an entity by its name": badFields(good, { entityId: "Acme" }, "/entityId wrong_format"),
  "a limit of nothing": badFields(good, { limit: 0 }, "/limit too_small"),
  "a limit that is too large": badFields(good, { limit: 501 }, "/limit too_large"),
  "a comparison with itself": badFields(
    good,
    { compare: { filters: { timeRange: sampleRange } } },
    "/compare/filters/timeRange not_allowed",
  ),
  "a rank threshold below nothing": badFields(
    good,
    { rankThreshold: -1 },
    "/rankThreshold too_small",
  ),
};

test("a question for what a change consists of refuses what is outside its schema", (t) =>
  assertRefusals(t, { path: "/v1/insights/changes", good, more }));

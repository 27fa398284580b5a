import { test } from "node:test";
import { assertRefusals, badFields } from "@sightline/test-kit/requests/bad-requests.ts";

const good = { entityId: "aaaaaaaa-0000-4000-8000-000000000001", metric: "mentions" };

const more = {
  "an entity's name in place of its id": badFields(
    good,
    { entityId: "Acme" },
    "/entityId wrong_format",
  ),
  "a metric that labels do not have": badFields(good, { metric: "rank" }, "/metric not_allowed"),
  "no answer": badFields(good, { limit: 0 }, "/limit too_small"),
  "more answers than a person reads": badFields(good, { limit: 5_001 }, "/limit too_large"),
  "a seed below 0": badFields(good, { seed: -1 }, "/seed too_small"),
  "half a seed": badFields(good, { seed: 0.5 }, "/seed wrong_type"),
};

test("a draw refuses what is outside its schema", (t) =>
  assertRefusals(t, { path: "/v1/labels/sample", good, more }));

import { test } from "node:test";
import { assertRefusals, badFields } from "@sightline/test-kit/requests/bad-requests.ts";

const good = { entityId: "aaaaaaaa-0000-4000-8000-000000000001" };

const more = {
  "an entity's name in place of its id": badFields(
    good,
    { entityId: "Acme" },
    "/entityId wrong_format",
  ),
  "a threshold in points": badFields(good, { threshold: 5 }, "/threshold too_large"),
  "a threshold of ranks, which there are not": badFields(
    good,
    { rankThreshold: 1 },
    "/rankThreshold unknown_field",
  ),
};

test("named and cited refuses what is outside its schema", (t) =>
  assertRefusals(t, { path: "/v1/insights/presence", good, more }));

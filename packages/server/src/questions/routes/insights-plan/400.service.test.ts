import { test } from "node:test";
import { assertRefusals, badFields } from "@sightline/test-kit/requests/bad-requests.ts";

const good = { entityId: "aaaaaaaa-0000-4000-8000-000000000001", metric: "mentions" };

const more = {
  "a metric that is none": badFields(good, { metric: "clicks" }, "/metric not_allowed"),
  "a change of nothing": badFields(good, { change: 0 }, "/change too_small"),
  "a power of a coin": badFields(good, { power: 0.5 }, "/power too_small"),
  "a power of certainty": badFields(good, { power: 1 }, "/power too_large"),
  "no answers a prompt": badFields(good, { answersPerPrompt: 0 }, "/answersPerPrompt too_small"),
  "a rate in points": badFields(good, { rate: 30 }, "/rate too_large"),
  "a correlation below nothing": badFields(good, { correlation: -0.1 }, "/correlation too_small"),
  "a comparison, which is the window before": badFields(
    good,
    { compare: {} },
    "/compare unknown_field",
  ),
};

test("a plan refuses what is outside its schema", (t) =>
  assertRefusals(t, { path: "/v1/insights/plan", good, more }));

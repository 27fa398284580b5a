import { test } from "node:test";
import { assertRefusals, badFields } from "@sightline/test-kit/requests/bad-requests.ts";

const good = { by: "provider" };

const more = {
  "a grouping that is none": badFields(good, { by: "region" }, "/by not_allowed"),
  "no groups": badFields(good, { limit: 0 }, "/limit too_small"),
  "too many groups": badFields(good, { limit: 501 }, "/limit too_large"),
  "a comparison, which there is not": badFields(good, { compare: {} }, "/compare unknown_field"),
};

test("the life of citations refuses what is outside its schema", (t) =>
  assertRefusals(t, { path: "/v1/insights/citation-life", good, more }));

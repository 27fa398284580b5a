import { test } from "node:test";
import { assertRefusals, badFields } from "@sightline/test-kit/requests/bad-requests.ts";

const good = { limit: 10, offset: 0, groupBy: "url" };

const more = {
  "a limit of nothing": badFields(good, { limit: 0 }, "/limit too_small"),
  "a limit below nothing": badFields(good, { limit: -1 }, "/limit too_small"),
  "a limit above the most": badFields(good, { limit: 101 }, "/limit too_large"),
  "a limit as a text": badFields(good, { limit: "10" }, "/limit wrong_type"),
  "a limit as null": badFields(good, { limit: null }, "/limit wrong_type"),
  "a limit that is not an integer": badFields(good, { limit: 10.5 }, "/limit wrong_type"),
  "an offset below nothing": badFields(good, { offset: -1 }, "/offset too_small"),
  "an offset beyond 2^53": badFields(good, { offset: 9007199254740992 }, "/offset too_large"),
  "an offset as true": badFields(good, { offset: true }, "/offset wrong_type"),
  "a grouping in capitals": badFields(good, { groupBy: "URL" }, "/groupBy not_allowed"),
  "a grouping as null": badFields(good, { groupBy: null }, "/groupBy not_allowed"),
  "an interval, which is for series": badFields(
    good,
    { interval: "daily" },
    "/interval unknown_field",
  ),
};

test("sources refuses what is outside its schema", (t) =>
  assertRefusals(t, { path: "/v1/analytics/sources", good, more }));

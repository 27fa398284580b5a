import { test } from "node:test";
import { assertRefusals, badFields } from "@sightline/test-kit/requests/bad-requests.ts";

const good = { limit: 10, offset: 0, groupBy: "url" };

const more = {
  "a limit of nothing": badFields(good, { limit: 0 }, "/limit too_small"),
  "a limit above the most": badFields(good, { limit: 101 }, "/limit too_large"),
  "an offset below nothing": badFields(good, { offset: -1 }, "/offset too_small"),
  "a grouping of a summary": badFields(good, { groupBy: "topic" }, "/groupBy not_allowed"),
  "an empty domain": badFields(good, { domain: "" }, "/domain too_small"),
  "a domain as a list": badFields(good, { domain: ["a.com"] }, "/domain wrong_type"),
  "a long domain": badFields(good, { domain: "a".repeat(254) }, "/domain too_large"),
  "a URL as null": badFields(good, { url: null }, "/url wrong_type"),
  "a long URL": badFields(good, { url: `https://a.com/${"a".repeat(8_192)}` }, "/url too_large"),
  "a comparison without filters": badFields(good, { compare: {} }, "/compare/filters missing"),
  "a threshold above 1": badFields(good, { threshold: 1.5 }, "/threshold too_large"),
};

test("sources with gaps refuse what is outside their schema", (t) =>
  assertRefusals(t, { path: "/v1/insights/sources", good, more }));

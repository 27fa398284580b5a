import { test } from "node:test";
import { assertRefusals, badFields } from "@sightline/test-kit/requests/bad-requests.ts";

const good = {};

const more = {
  "no queries": badFields(good, { limit: 0 }, "/limit too_small"),
  "too many queries": badFields(good, { limit: 101 }, "/limit too_large"),
  "another service's cursor": badFields(good, { cursor: "bm9uZQ" }, "/cursor wrong_format"),
  "a cursor in another spelling": badFields(good, { cursor: "MSBh=" }, "/cursor wrong_format"),
  "an entity's name": badFields(good, { entityIds: ["Acme"] }, "/entityIds/0 wrong_format"),
};

test("search queries refuse what is outside their schema", (t) =>
  assertRefusals(t, { path: "/v1/insights/queries", good, more }));

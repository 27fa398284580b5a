import { test } from "node:test";
import { assertRefusals, badFields } from "@sightline/test-kit/requests/bad-requests.ts";

const good = {};

const more = {
  "no names": badFields(good, { limit: 0 }, "/limit too_small"),
  "too many names": badFields(good, { limit: 101 }, "/limit too_large"),
  "another service's cursor": badFields(good, { cursor: "bm9uZQ" }, "/cursor wrong_format"),
  "a cursor in another spelling": badFields(good, { cursor: "MSAy=" }, "/cursor wrong_format"),
};

test("untracked names refuse what is outside their schema", (t) =>
  assertRefusals(t, { path: "/v1/insights/names", good, more }));

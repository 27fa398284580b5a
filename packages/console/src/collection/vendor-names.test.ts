import assert from "node:assert/strict";
import { test } from "node:test";
import { nextTryText } from "./vendor-names.ts";

test("a vendor whose pause is over has no next try in the past", () => {
  const until = "2026-10-30T08:00:00.000Z";
  assert.match(nextTryText(until, Date.parse(until) - 1), /^next try .*30 Oct.*08:00/);
  assert.equal(nextTryText(until, Date.parse(until)), "tried with the next question");
});

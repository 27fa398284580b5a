import assert from "node:assert/strict";
import { test } from "node:test";
import { emptyHint } from "./empty-hint.ts";

test("what kind of nothing a reply is, and where answers are", () => {
  assert.equal(emptyHint(null), "");
  assert.equal(
    emptyHint({ reason: "noAnswers", first: null, last: null }),
    "sightline: The account has no answers yet.\n",
  );
  assert.equal(
    emptyHint({
      reason: "outsideRange",
      first: "2026-01-05T08:00:00.000Z",
      last: "2026-01-07T12:00:00.000Z",
    }),
    "sightline: No answer lies in this range. " +
      "The account has answers from 2026-01-05 to 2026-01-07.\n",
  );
  const later = JSON.parse('{"reason":"new","first":null,"last":null}');
  assert.equal(emptyHint(later), "sightline: There is nothing to show.\n");
});

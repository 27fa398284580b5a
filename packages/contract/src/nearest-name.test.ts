import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { nearestName } from "./nearest-name.ts";

const filters = ["timeRange", "providers", "topics", "promptIds", "regions", "branded"];

describe("the nearest name", () => {
  const cases: readonly (readonly [string, string | null, string])[] = [
    ["provider", "providers", "a letter is missing"],
    ["providerss", "providers", "a letter too many"],
    ["prividers", "providers", "another letter"],
    ["proivders", "providers", "two letters swapped"],
    ["prvodiers", "providers", "two edits"],
    ["prvdrs", null, "three edits"],
    ["prompt_ids", "promptIds", "underscores do not count"],
    ["Prompt-IDs", "promptIds", "nor do hyphens and case"],
    ["TIMERANGE", "timeRange", "nor does case"],
    ["topic", "topics", "a singular"],
    ["locale", null, "nothing near"],
    ["", null, "nothing at all"],
    ["___", null, "nothing but what does not count"],
    ["r".repeat(10_000), null, "much too long"],
  ];
  for (const [given, nearest, why] of cases) {
    test(`of ${JSON.stringify(given.slice(0, 20))} is ${nearest}: ${why}`, () => {
      assert.equal(nearestName(given, filters), nearest);
    });
  }
});

test("a short name is near only when fewer than half of its letters changed", () => {
  assert.equal(nearestName("it", ["id"]), null);
  assert.equal(nearestName("form", ["from"]), "from");
  assert.equal(nearestName("too", ["to"]), null);
  assert.equal(nearestName("ID", ["id"]), "id");
});

test("of equally near names the first wins", () => {
  assert.equal(nearestName("weekli", ["weekly", "weekla"]), "weekly");
  assert.equal(nearestName("weekli", ["weekla", "weekly"]), "weekla");
});

test("without known names there is none near", () => {
  assert.equal(nearestName("from", []), null);
});

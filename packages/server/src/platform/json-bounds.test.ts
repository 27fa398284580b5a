import assert from "node:assert/strict";
import { test } from "node:test";
import { outOfBounds } from "./json-bounds.ts";

const bounds = { depthMax: 32, namesMax: 1_000, valuesMax: 100_000 };
const fields = (count: number) => Array.from({ length: count }, (_, i) => `"${i}":[]`).join(",");
const deep = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

test("a text within the bounds is let through, whatever it is", () => {
  const within = {
    "as deep as allowed": deep(32),
    "as many names as allowed": `{${fields(1_000)}}`,
    "many objects": `[${'{"a":1},'.repeat(49_999)}1]`,
    "as many values as allowed": `[${"1,".repeat(99_999)}1]`,
    "names of several objects": `[{${fields(900)}},{${fields(900)}}]`,
    "brackets and colons in a text": `"${"[:".repeat(5_000)}"`,
    "a text with quotes": `["\\"${"[".repeat(50)}\\\\",1]`,
    "no JSON": "]]}}::\\",
    "a text that stays open": `"${"[".repeat(50)}`,
    "": "",
  };
  for (const [what, json] of Object.entries(within)) {
    assert.equal(outOfBounds(Buffer.from(json), bounds), null, what);
  }
});

test("too deep a text, too many names in one object, and too many values are told", () => {
  const tooDeep = "must be nested at most 32 levels deep";
  const tooMany = "must have at most 1000 names in an object";
  const tooMuch = "must have at most 100000 values";
  const beyond = {
    [deep(33)]: tooDeep,
    ["[".repeat(33)]: tooDeep,
    [`{"a":`.repeat(33)]: tooDeep,
    [`["\\\\",${deep(32)}]`]: tooDeep,
    [`{${fields(1_001)}}`]: tooMany,
    [`{"a":{"b":1},${fields(1_000)}}`]: tooMany,
    [`[${"1,".repeat(100_000)}1]`]: tooMuch,
    [`[${"[],".repeat(50_000)}1]`]: tooMuch,
    [`[${'{"a":1},'.repeat(50_000)}1]`]: tooMuch,
  };
  for (const [json, why] of Object.entries(beyond)) {
    assert.equal(outOfBounds(Buffer.from(json), bounds), why);
  }
});

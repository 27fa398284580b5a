import assert from "node:assert/strict";
import { test } from "node:test";
import { outOfBounds } from "./json-bounds.ts";

const fields = (count: number) => Array.from({ length: count }, (_, i) => `"${i}":[]`).join(",");
const deep = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

test("a text within the bounds is let through, whatever it is", () => {
  const within = {
    "as deep as allowed": deep(32),
    "as many names as allowed": `{${fields(1_000)}}`,
    "many objects": `[${'{"a":1},'.repeat(50_000)}1]`,
    "names of several objects": `[{${fields(900)}},{${fields(900)}}]`,
    "brackets and colons in a text": `"${"[:".repeat(5_000)}"`,
    "a text with quotes": `["\\"${"[".repeat(50)}\\\\",1]`,
    "no JSON": "]]}}::\\",
    "a text that stays open": `"${"[".repeat(50)}`,
    "": "",
  };
  for (const [what, json] of Object.entries(within)) {
    assert.equal(outOfBounds(Buffer.from(json)), null, what);
  }
});

test("too deep a text, and too many names in one object, are told", () => {
  const tooDeep = "got brackets deeper than the 32 allowed";
  const tooMany = "got an object of more than the 1000 names allowed";
  const beyond = {
    [deep(33)]: tooDeep,
    ["[".repeat(33)]: tooDeep,
    [`{"a":`.repeat(33)]: tooDeep,
    [`["\\\\",${deep(32)}]`]: tooDeep,
    [`{${fields(1_001)}}`]: tooMany,
    [`{"a":{"b":1},${fields(1_000)}}`]: tooMany,
  };
  for (const [json, why] of Object.entries(beyond)) {
    assert.equal(outOfBounds(Buffer.from(json)), why);
  }
});

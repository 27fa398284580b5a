import assert from "node:assert/strict";
import { test } from "node:test";
import { manyBrackets } from "@sightline/test-kit/requests/hostile-fields.ts";
import fc from "fast-check";
import { scanJson } from "./scan-json.ts";

const bounds = { depthMax: 32, namesMax: 1_000, valuesMax: 100_000 };
const unbounded = { depthMax: 10_000_000, namesMax: 10_000_000 };
const fields = (count: number) => Array.from({ length: count }, (_, i) => `"${i}":[]`).join(",");
const repeatedName = (json: string) => scanJson(json, unbounded).repeatedName;
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
    assert.equal(scanJson(json, bounds).beyond, null, what);
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
    assert.equal(scanJson(json, bounds).beyond, why);
  }
});

test("a name that stands twice in one object is found, at any depth", () => {
  const cases: Readonly<Record<string, string | null>> = {
    '{"a":1,"a":1}': "a",
    '{"a":{"b":1},"b":{"a":1}}': null,
    '[{"a":1},{"a":1}]': null,
    '[{"a":[{"b":1,"c":[1,"b"],"b":2}]}]': "b",
    '{"a":"a","b":["a","a"]}': null,
    '{"a":{"a":{"a":1}}}': null,
    '{"a":{},"b":[],"a":0}': "a",
    '{"":1,"":2}': "",
    '{"\\u0061":1,"a":2}': "a",
    '{"\\"":1,"\\\\\\"":2}': null,
    '{"a\\\\":1,"a\\\\":2}': "a\\",
    '{"__proto__":1,"__proto__":2}': "__proto__",
    '{ "a" : "{\\"a\\":1,\\"a\\":2}" }': null,
    '"a"': null,
    "1": null,
  };
  for (const [json, repeated] of Object.entries(cases)) {
    JSON.parse(json);
    assert.equal(repeatedName(json), repeated, json);
  }
});

test("no text that JSON.stringify writes repeats a name", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.boolean(), (value, spaced) => {
      assert.equal(repeatedName(JSON.stringify(value, null, spaced ? 2 : 0)), null);
    }),
    { numRuns: 500 },
  );
});

test("a repeated name is found beside any other value", () => {
  const name = fc.string({ unit: "binary", maxLength: 5 });
  fc.assert(
    fc.property(name, fc.jsonValue(), fc.jsonValue(), (repeated, one, other) => {
      const quoted = JSON.stringify(repeated);
      const values = [one, other].map((value) => JSON.stringify(value));
      const between = `"x${repeated.length}":1`;
      const json = `{"first":[{${quoted}:${values[0]},${between},${quoted}:${values[1]}}]}`;
      assert.equal(repeatedName(json), repeatedName(`{${quoted}:1,${quoted}:1}`));
    }),
    { numRuns: 500 },
  );
});

test("two million brackets or escapes have no name twice", () => {
  for (const json of manyBrackets) assert.equal(repeatedName(json), null);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { manyBrackets } from "../../test/hostile-fields.ts";
import { repeatedName } from "./repeated-name.ts";

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

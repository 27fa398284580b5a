import assert from "node:assert/strict";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { type Json, whole } from "./located.ts";
import { SchemaComparison } from "./schema-breaks.ts";
import type { Direction } from "./value-breaks.ts";

const seed = 20260101;
const numRuns = 1_500;

/** Values of every kind that the schemas below tell apart. */
const leaves = [null, "", "a", "b", "ccc", 0, 1, 2, 1.5, -1];
const lists = [[], ...leaves.map((leaf) => [leaf]), ["a", "b"], [0, 1, 2]];
const objects = [undefined, ...leaves].flatMap((p) =>
  [undefined, "a", 1, null, ["a"]].map((q) => JSON.parse(JSON.stringify({ p, q })) as unknown),
);
const nested = [{ p: { p: "a" } }, { p: { q: 1 } }, { q: { p: 0, q: "b" } }, [["a"]], [{ p: 1 }]];
const values: readonly unknown[] = [...leaves, ...lists, ...objects, ...nested];

const bound = (name: string, most: number) =>
  fc.option(fc.integer({ min: 0, max: most }), { nil: undefined }).map((value) => ({
    ...(value === undefined ? {} : { [name]: value }),
  }));
const merged = (...parts: readonly fc.Arbitrary<Json>[]): fc.Arbitrary<Json> =>
  fc.tuple(...parts).map((all) => Object.assign({}, ...all) as Json);

/** Schemas; objects refuse other fields, or pass over them. */
function schemas(closed: boolean): fc.Arbitrary<Json> {
  const { schema } = fc.letrec<{ schema: Json; list: Json; object: Json; either: Json }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 2, withCrossShrink: true },
      merged(fc.constant({ type: "string" }), bound("minLength", 2), bound("maxLength", 3)),
      fc.subarray(["a", "b", "ccc"], { minLength: 1 }).map((values) => ({ enum: values })),
      merged(fc.constant({ type: "integer" }), bound("minimum", 2), bound("maximum", 2)),
      merged(fc.constant({ type: "number" }), bound("exclusiveMinimum", 1), bound("maximum", 2)),
      fc.constantFrom<Json>({ type: "null" }, { type: ["string", "null"] }, { const: "a" }, {}),
      tie("list"),
      tie("object"),
      tie("either"),
    ),
    list: merged(
      fc.constant({ type: "array" }),
      bound("maxItems", 2),
      fc.option(tie("schema"), { nil: undefined }).map((items) => ({
        ...(items === undefined ? {} : { items }),
      })),
    ),
    object: fc
      .record({
        properties: fc.record({ p: tie("schema"), q: tie("schema") }, { requiredKeys: [] }),
        wanted: fc.subarray(["p", "q"]),
      })
      .map(({ properties, wanted }) => ({
        type: "object",
        properties,
        required: wanted.filter((name) => Object.hasOwn(properties, name)),
        ...(closed ? { additionalProperties: false } : {}),
      })),
    either: fc.tuple(tie("schema"), tie("schema")).map((anyOf) => ({ anyOf })),
  }));
  return schema;
}

function breaksOf(direction: Direction, before: Json, after: Json): number {
  return new SchemaComparison(direction).breaks({ before: whole(before), after: whole(after) })
    .length;
}

for (const direction of ["request", "response"] as const) {
  test(`a ${direction} whose schema breaks nobody: what is sent is taken`, () => {
    const any = schemas(direction === "request");
    let passed = 0;
    const property = fc.property(any, any, (before, after) => {
      assert.equal(breaksOf(direction, before, before), 0, "a schema breaks itself");
      if (breaksOf(direction, before, after) > 0) return;
      passed++;
      const ajv = new Ajv2020({ strict: false, validateSchema: false });
      const [isOld, isNew] = [ajv.compile(before), ajv.compile(after)];
      const [isSent, isTaken] = direction === "request" ? [isOld, isNew] : [isNew, isOld];
      for (const value of values) {
        if (isSent(value) && !isTaken(value)) assert.fail(JSON.stringify({ value }));
      }
    });
    fc.assert(property, { numRuns, seed });
    assert.ok(passed > numRuns / 20, `only ${passed} of ${numRuns} pairs broke nobody`);
  });
}

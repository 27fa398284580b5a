import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { z } from "zod";
import { type FieldError, fieldErrors, fieldErrorsMax, jsonPointer } from "./field-errors.ts";
import { sourceAnalysisRequestSchema } from "./source-analysis.ts";
import { timeSeriesRequestSchema } from "./time-series.ts";

const timeRange = { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" };
const uuid = "1beabf74-f871-5c29-92d3-2affa4d7571e";

function errorsOf(schema: z.ZodType, body: unknown): readonly FieldError[] {
  const parsed = schema.safeParse(body, { reportInput: true });
  return parsed.success ? [] : fieldErrors(parsed.error);
}

function seriesErrors(filters: object): readonly FieldError[] {
  return errorsOf(timeSeriesRequestSchema, {
    interval: "daily",
    filters: { timeRange, ...filters },
  });
}

function sourcesErrors(fields: object): readonly FieldError[] {
  const body = { limit: 10, offset: 0, groupBy: "url", filters: { timeRange } };
  return errorsOf(sourceAnalysisRequestSchema, { ...body, ...fields });
}

const filterNames = "timeRange, providers, topics, promptIds, regions, branded";
const dateTimeAllowed =
  "must be an RFC 3339 date-time with Z or an offset, such as 2026-01-31T00:00:00Z, " +
  "in the years 0001 to 9999; got";

describe("each fault has its place, its code, and says what is allowed and what was sent", () => {
  const cases: Readonly<Record<string, readonly [readonly FieldError[], FieldError]>> = {
    "a field that is missing": [
      seriesErrors({ timeRange: { to: timeRange.to } }),
      {
        path: "/filters/timeRange/from",
        code: "missing",
        message: "is required and must be a string.",
      },
    ],
    "a choice that is missing": [
      sourcesErrors({ groupBy: undefined }),
      { path: "/groupBy", code: "missing", message: "is required and must be domain or url." },
    ],
    "a value of another type": [
      seriesErrors({ branded: "true" }),
      {
        path: "/filters/branded",
        code: "wrong_type",
        message: 'must be a boolean, got "true".',
      },
    ],
    "null for a value": [
      seriesErrors({ branded: null }),
      { path: "/filters/branded", code: "wrong_type", message: "must be a boolean, got null." },
    ],
    "an array for an object": [
      errorsOf(timeSeriesRequestSchema, []),
      { path: "", code: "wrong_type", message: "must be an object, got an array." },
    ],
    "an object for an array": [
      seriesErrors({ topics: {} }),
      {
        path: "/filters/topics",
        code: "wrong_type",
        message: "must be an array, got an object.",
      },
    ],
    "a fraction for an integer": [
      sourcesErrors({ limit: 10.5 }),
      { path: "/limit", code: "wrong_type", message: "must be an integer, got 10.5." },
    ],
    "a number beyond a double": [
      sourcesErrors({ offset: JSON.parse("1e400") }),
      { path: "/offset", code: "wrong_type", message: "must be a number, got Infinity." },
    ],
    "a value outside a closed set": [
      sourcesErrors({ groupBy: "page" }),
      { path: "/groupBy", code: "not_allowed", message: 'must be domain or url, got "page".' },
    ],
    "too small a number": [
      sourcesErrors({ limit: 0 }),
      { path: "/limit", code: "too_small", message: "must be between 1 and 100, got 0." },
    ],
    "too large a number": [
      sourcesErrors({ limit: 101 }),
      { path: "/limit", code: "too_large", message: "must be between 1 and 100, got 101." },
    ],
    "an offset that a double does not hold": [
      sourcesErrors({ offset: 9007199254740992 }),
      {
        path: "/offset",
        code: "too_large",
        message: "must be at most 9007199254740991, got 9007199254740992.",
      },
    ],
    "too many items": [
      seriesErrors({ providers: Array(10_001).fill("GROK") }),
      {
        path: "/filters/providers",
        code: "too_large",
        message: "must have at most 10000 items, got 10001.",
      },
    ],
    "a text of another form": [
      seriesErrors({ regions: [{ code: "US" }, { code: "USA" }] }),
      {
        path: "/filters/regions/1/code",
        code: "wrong_format",
        message: 'must be two letters (ISO 3166-1 alpha-2), got "USA".',
      },
    ],
    "a text that is not a UUID": [
      seriesErrors({ promptIds: [uuid, uuid.slice(1)] }),
      {
        path: "/filters/promptIds/1",
        code: "wrong_format",
        message: `must be a UUID (8-4-4-4-12 hexadecimal digits), got "${uuid.slice(1)}".`,
      },
    ],
    "a text that is not a date-time": [
      seriesErrors({ timeRange: { ...timeRange, to: "2026-01-02" } }),
      {
        path: "/filters/timeRange/to",
        code: "wrong_format",
        message: `${dateTimeAllowed} "2026-01-02".`,
      },
    ],
    "filters that exclude each other": [
      seriesErrors({ topics: [{ id: uuid }], promptIds: [uuid] }),
      {
        path: "/filters/promptIds",
        code: "excluded",
        message: "cannot be combined with topics. Send one of the two.",
      },
    ],
    "an empty range": [
      seriesErrors({ timeRange: { from: timeRange.to, to: timeRange.to } }),
      {
        path: "/filters/timeRange",
        code: "wrong_order",
        message: `from must be before to, got from "${timeRange.to}" and to "${timeRange.to}".`,
      },
    ],
    "a field that is near a known one": [
      seriesErrors({ provider: [] }),
      {
        path: "/filters/provider",
        code: "unknown_field",
        message: '"provider" is not a known field. Did you mean providers?',
      },
    ],
    "a field that is near none": [
      seriesErrors({ locale: "en" }),
      {
        path: "/filters/locale",
        code: "unknown_field",
        message: `"locale" is not a known field. Known fields: ${filterNames}.`,
      },
    ],
    "a prototype as a field": [
      seriesErrors({ ["__proto__"]: {} }),
      {
        path: "/filters/__proto__",
        code: "unknown_field",
        message: `"__proto__" is not a known field. Known fields: ${filterNames}.`,
      },
    ],
  };
  for (const [what, [errors, expected]] of Object.entries(cases)) {
    test(what, () => assert.deepEqual(errors, [expected]));
  }
});

test("topics and promptIds may stand together when one is empty", () => {
  assert.deepEqual(seriesErrors({ topics: [], promptIds: [uuid] }), []);
  assert.deepEqual(seriesErrors({ topics: [{ id: uuid }], promptIds: [] }), []);
});

test("integers may be written as doubles, ids in any case and version", () => {
  assert.deepEqual(sourcesErrors({ limit: JSON.parse("10.0"), offset: JSON.parse("1e3") }), []);
  assert.deepEqual(seriesErrors({ promptIds: ["FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF"] }), []);
});

test("a JSON Pointer escapes ~ and / and writes the document as nothing", () => {
  assert.equal(jsonPointer([]), "");
  assert.equal(jsonPointer(["a/b", "~1", 0, ""]), "/a~1b/~01/0/");
  assert.equal(seriesErrors({ "a/b~c": 1 })[0]?.path, "/filters/a~1b~0c");
});

test("faults are named in the order of the request, all of them", () => {
  const errors = seriesErrors({ branded: 1, regions: ["US", {}], locale: 1 });
  assert.deepEqual(
    errors.map(({ path, code }) => `${path} ${code}`),
    [
      "/filters/regions/0 wrong_type",
      "/filters/regions/1/code missing",
      "/filters/branded wrong_type",
      "/filters/locale unknown_field",
    ],
  );
});

test("at most so many faults are named", () => {
  assert.equal(seriesErrors({ promptIds: Array(1_000).fill(0) }).length, fieldErrorsMax);
  const unknown = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`x${i}`, 1]));
  assert.equal(seriesErrors(unknown).length, fieldErrorsMax);
});

test("what was sent shows in a fault with its beginning alone", () => {
  const long = fc.string({ minLength: 200, maxLength: 400, unit: "binary" });
  const digits = fc.stringMatching(/^[0-9]{200,400}$/);
  fc.assert(
    fc.property(long, digits, (text, fraction) => {
      const errors = [
        ...seriesErrors({ [text]: 1 }),
        ...seriesErrors({ branded: text, promptIds: [text], regions: [{ code: text }] }),
        ...seriesErrors({ providers: [text], timeRange: { from: text, to: timeRange.to } }),
        ...seriesErrors({
          timeRange: { from: `2026-01-02T00:00:00.${fraction}Z`, to: timeRange.from },
        }),
      ];
      assert.equal(errors.length, 7);
      for (const { path, message } of errors) {
        // 60 characters, each at most six when JSON escapes it, and the service's own words.
        assert.ok(message.length <= 2 * 60 * 6 + 200, `${message.length} characters: ${message}`);
        assert.ok(path.length <= 60, path);
        assert.ok(message.isWellFormed());
      }
    }),
    { numRuns: 200 },
  );
});

test("a pointer to a field with a long unknown name leads to the object that holds it", () => {
  const name = "n".repeat(61);
  assert.deepEqual(seriesErrors({ [name]: 1 }), [
    {
      path: "/filters",
      code: "unknown_field",
      message: `"${name.slice(0, 60)}…" is not a known field. Known fields: ${filterNames}.`,
    },
  ]);
});

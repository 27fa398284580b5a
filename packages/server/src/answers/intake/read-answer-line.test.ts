import assert from "node:assert/strict";
import { test } from "node:test";
import { readAnswerLine } from "./read-answer-line.ts";

const accountId = "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a001";
const promptId = "11111111-1111-4111-8111-111111111111";
const line = {
  promptId,
  provider: "OPENAI",
  answeredAt: "2026-10-01T08:00:00Z",
  text: "Take Acme.",
};
const answer = {
  id: "182d17fd-4a96-5bd1-ad54-6d72650f3699",
  promptId,
  provider: "OPENAI",
  region: null,
  answeredAt: Date.parse("2026-10-01T08:00:00Z"),
  outcome: "answered",
  text: "Take Acme.",
  citations: [],
  model: null,
  surface: null,
  sample: 0,
  metadata: null,
};

/** Derived ids of the line with one more field; from another implementation of UUIDv5. */
const idOf = {
  US: "198aad41-1ac2-534a-a2bd-15e5abec5c97",
  sample3: "b7965c72-fd5a-5d78-b8e8-f0718e975c81",
};

function read(input: object | string | Buffer) {
  const text = typeof input === "string" ? input : JSON.stringify(input);
  const bytes = Buffer.isBuffer(input) ? input : Buffer.from(text);
  return readAnswerLine(bytes, { accountId, promptIds: new Set([promptId]) });
}

test("a line with nothing but what is required", () => {
  assert.deepEqual(read(line), { answer });
});

test("a line with every field", () => {
  const id = "aaaaaaaa-0000-4000-8000-00000000000a";
  const optional = {
    region: "US",
    outcome: "absent",
    citations: [
      { url: "https://acme.com/a", title: "A", cited: false },
      { url: "no url at all", title: null, cited: true },
    ],
    model: "gpt-5",
    surface: "web",
    sample: 3,
    metadata: { any: [{ thing: null }], "": 1.5 },
  };
  assert.deepEqual(read({ ...line, id, ...optional }), { answer: { ...answer, id, ...optional } });
});

/** Fields put over the line, and what they change in the answer. */
const taken: readonly (readonly [name: string, fields: object, changes: object])[] = [
  ["an id in upper case", { id: "AAAAAAAA-0000-4000-8000-00000000000A" }, withId()],
  ["an upper-case prompt", { promptId: promptId.toUpperCase() }, {}],
  ["a region in lower case", { region: "us" }, { region: "US", id: idOf.US }],
  ["an outcome without text", { outcome: "absent", text: undefined }, empty("absent")],
  ["a failure with text null", { outcome: "failed", text: null }, empty("failed")],
  ["an answer of no characters", { text: "" }, { text: "" }],
  ["the most characters", { text: "x".repeat(2_000_000) }, { text: "x".repeat(2_000_000) }],
  ["cited, unless said otherwise", { citations: [{ url: "u" }] }, citations("u")],
  ["null in a citation", { citations: [{ url: "u", title: null, cited: null }] }, citations("u")],
  ["another sample", { sample: 3 }, { sample: 3, id: idOf.sample3 }],
  ["an instant with an offset", { answeredAt: "2026-10-01T10:00:00.000+02:00" }, {}],
  ["an instant in lower case", { answeredAt: "2026-10-01t08:00:00z" }, {}],
  ["half a surrogate pair", { text: "a\ud800b" }, { text: "a\uFFFDb" }],
  ["half of one in a URL", { citations: [{ url: "\udc00" }] }, citations("\uFFFD")],
  ["a NUL", { text: "a\u0000b" }, { text: "a\u0000b" }],
  ["metadata a hundred deep", { metadata: nested(100) }, { metadata: nested(100) }],
];

const optionalNames = ["id", "region", "outcome", "citations", "model", "surface", "sample"];
for (const name of [...optionalNames, "metadata"]) {
  test(`null is the same as left out: ${name}`, () => {
    assert.deepEqual(read({ ...line, [name]: null }), { answer });
  });
}

for (const [name, fields, changes] of taken) {
  test(`taken: ${name}`, () => {
    assert.deepEqual(read({ ...line, ...fields }), { answer: { ...answer, ...changes } });
  });
}

test("10.0 is the integer 10", () => {
  const text = JSON.stringify({ ...line, sample: 10 }).replace(":10", ":10.0");
  const { answer: got } = read(text) as { answer: { sample: number } };
  assert.equal(got.sample, 10);
});

const providers =
  "GEMINI, OPENAI, ANTHROPIC, PERPLEXITY, GROK, GOOGLE_AI_MODE, GOOGLE_AI_OVERVIEW, COPILOT";
const fieldNames =
  "id, promptId, provider, region, answeredAt, outcome, text, citations, model, surface, " +
  "sample, metadata";
const uuidForm = "allowed is a UUID: 8-4-4-4-12 hexadecimal digits.";
const letters = "allowed are two letters (ISO 3166-1 alpha-2).";
const instantForm =
  "allowed is an RFC 3339 date-time with Z or an offset, such as 2026-01-31T00:00:00Z, " +
  "from year 0001 to 9999.";
const foreign = "22222222-2222-4222-8222-222222222222";

type Refusal = readonly [fields: object, path: string, code: string, message: string];

const refused: readonly Refusal[] = [
  [{ id: "x" }, "/id", "wrong_format", `got "x"; ${uuidForm}`],
  [{ id: 5 }, "/id", "wrong_type", "got 5; allowed is a string."],
  [{ promptId: undefined }, "/promptId", "missing", "is required; allowed is a string."],
  [{ promptId: null }, "/promptId", "wrong_type", "got null; allowed is a string."],
  [{ promptId: "nope" }, "/promptId", "wrong_format", `got "nope"; ${uuidForm}`],
  [
    { promptId: foreign },
    "/promptId",
    "not_allowed",
    `got ${foreign}; allowed is a prompt of the account's workspace. Apply it first.`,
  ],
  [{ provider: undefined }, "/provider", "missing", `is required; allowed are ${providers}.`],
  [{ provider: "openai" }, "/provider", "not_allowed", `got "openai"; allowed are ${providers}.`],
  [{ provider: null }, "/provider", "not_allowed", `got null; allowed are ${providers}.`],
  [{ region: "USA" }, "/region", "wrong_format", `got "USA"; ${letters}`],
  [{ region: "" }, "/region", "wrong_format", `got ""; ${letters}`],
  [{ region: "ß1" }, "/region", "wrong_format", `got "ß1"; ${letters}`],
  [{ region: 1 }, "/region", "wrong_type", "got 1; allowed is a string."],
  [{ answeredAt: undefined }, "/answeredAt", "missing", "is required; allowed is a string."],
  [{ answeredAt: null }, "/answeredAt", "wrong_type", "got null; allowed is a string."],
  [{ answeredAt: 1 }, "/answeredAt", "wrong_type", "got 1; allowed is a string."],
  ...["2026-10-01", "2026-10-01T08:00:00", "2026-02-30T00:00:00Z", "2026-10-01 08:00:00Z"].map(
    (answeredAt): Refusal => [
      { answeredAt },
      "/answeredAt",
      "wrong_format",
      `got "${answeredAt}"; ${instantForm}`,
    ],
  ),
  [
    { outcome: "done" },
    "/outcome",
    "not_allowed",
    'got "done"; allowed are answered, absent, failed.',
  ],
  ...[{ text: undefined }, { text: null }, { text: null, outcome: "answered" }].map(
    (fields): Refusal => [
      fields,
      "/text",
      "missing",
      "is required, unless the outcome is absent or failed.",
    ],
  ),
  [{ text: 1 }, "/text", "wrong_type", "got 1; allowed is a string."],
  [
    { text: "x".repeat(2_000_001) },
    "/text",
    "too_large",
    "got 2000001 characters; allowed is at most 2000000.",
  ],
  [{ citations: {} }, "/citations", "wrong_type", "got an object; allowed is an array."],
  [{ citations: [1] }, "/citations/0", "wrong_type", "got 1; allowed is an object."],
  [
    { citations: [{ url: "u" }, {}] },
    "/citations/1/url",
    "missing",
    "is required; allowed is a string.",
  ],
  [{ citations: [{ url: 1 }] }, "/citations/0/url", "wrong_type", "got 1; allowed is a string."],
  [
    { citations: [{ url: "u".repeat(65_537) }] },
    "/citations/0/url",
    "too_large",
    "got 65537 characters; allowed is at most 65536.",
  ],
  [
    { citations: [{ url: "u", tittle: "t" }] },
    "/citations/0/tittle",
    "unknown_field",
    '"tittle" is not a known field; did you mean title?',
  ],
  [
    { citations: [{ url: "u", cited: "yes" }] },
    "/citations/0/cited",
    "wrong_type",
    'got "yes"; allowed is a boolean.',
  ],
  [
    { citations: Array(10_001).fill({ url: "u" }) },
    "/citations",
    "too_large",
    "got 10001 items; allowed is at most 10000.",
  ],
  [{ model: 1 }, "/model", "wrong_type", "got 1; allowed is a string."],
  [
    { model: "x".repeat(1_001) },
    "/model",
    "too_large",
    "got 1001 characters; allowed is at most 1000.",
  ],
  [{ surface: "app" }, "/surface", "not_allowed", 'got "app"; allowed are api, web.'],
  [{ sample: 1.5 }, "/sample", "wrong_type", "got 1.5; allowed is an integer."],
  [{ sample: -1 }, "/sample", "too_small", "got -1; allowed is at least 0."],
  [{ sample: "1" }, "/sample", "wrong_type", 'got "1"; allowed is a number.'],
  [
    { sample: 2 ** 53 },
    "/sample",
    "too_large",
    "got 9007199254740992; allowed is at most 9007199254740991.",
  ],
  [{ metadata: [] }, "/metadata", "wrong_type", "got an array; allowed is an object."],
  [{ metadata: "x" }, "/metadata", "wrong_type", 'got "x"; allowed is an object.'],
  [
    { metadata: nested(101) },
    "/metadata",
    "wrong_format",
    "allowed are at most 100 objects and arrays inside each other.",
  ],
  [
    { promtId: 1 },
    "/promtId",
    "unknown_field",
    '"promtId" is not a known field; did you mean promptId?',
  ],
  [{ Text: "x" }, "/Text", "unknown_field", '"Text" is not a known field; did you mean text?'],
  [
    { language: "en" },
    "/language",
    "unknown_field",
    `"language" is not a known field; allowed are ${fieldNames}.`,
  ],
];

for (const [fields, path, code, message] of refused) {
  test(`refused: ${JSON.stringify(fields).slice(0, 60)}: ${message.slice(0, 60)}`, () => {
    assert.deepEqual(read({ ...line, ...fields }), {
      rejection: { reason: `${path}: ${message}`, errors: [{ path, code, message }] },
    });
  });
}

test("every fault of a line is named at once", () => {
  const reading = read({ ...line, provider: "X", region: 1, sample: -1 });
  assert.ok("rejection" in reading);
  assert.deepEqual(
    reading.rejection.errors.map(({ path }) => path),
    ["/provider", "/region", "/sample"],
  );
  assert.equal(
    reading.rejection.reason,
    reading.rejection.errors.map(({ path, message }) => `${path}: ${message}`).join(" "),
  );
});

const notALine: readonly (readonly [input: string | Buffer, reason: RegExp])[] = [
  ["{", /^The line is not JSON: Expected property name/],
  ["", /^The line is not JSON: Unexpected end/],
  [`${JSON.stringify(line)} {}`, /^The line is not JSON: Unexpected non-whitespace/],
  ["\uFEFF{}", /^The line is not JSON: Unexpected token/],
  ["[]", /^\/: got an array; allowed is an object\.$/],
  ["null", /^\/: got null; allowed is an object\.$/],
  ["1e400", /^\/: got Infinity; allowed is an object\.$/],
  [Buffer.from('{"text":"\xe9"}', "latin1"), /^The line is not UTF-8\.$/],
  ["[".repeat(1_000_000), /^The line is not JSON: Unexpected end/],
  [
    JSON.stringify(line).replace(
      "}",
      `,"metadata":${'{"a":'.repeat(99_999)}1${"}".repeat(100_000)}`,
    ),
    /^\/metadata: allowed are at most 100 objects and arrays inside each other\.$/,
  ],
  [JSON.stringify(line).replace("}", ',"__proto__":{"a":1}}'), /"__proto__" is not a known field/],
];

for (const [input, reason] of notALine) {
  test(`refused: ${input.toString().slice(0, 30)}: ${reason}`, () => {
    const reading = read(input);
    assert.ok("rejection" in reading);
    assert.match(reading.rejection.reason, reason);
  });
}

// Declared below their use: the tables above stay the first thing that is read.
function withId() {
  return { id: "aaaaaaaa-0000-4000-8000-00000000000a" };
}

function empty(outcome: string) {
  return { outcome, text: "" };
}

function citations(url: string) {
  return { citations: [{ url, title: null, cited: true }] };
}

function nested(depth: number): object {
  return depth === 1 ? {} : { a: nested(depth - 1) };
}

import assert from "node:assert/strict";
import { test } from "node:test";
import { derivedAnswerId } from "../answer.ts";
import { lineBytesMax } from "./lines.ts";
import { PromptIndex } from "./prompt-index.ts";
import { readAnswerLine } from "./read-answer-line.ts";

const accountId = "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a001";
const promptId = "11111111-1111-4111-8111-111111111111";
const promptText = "What is the best anvil?";
const prompts = new PromptIndex([{ id: promptId, text: promptText, retired: false }]);
const now = () => Date.parse("2026-10-01T12:00:00Z");
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
  searchQueries: [],
  cost: null,
  vendor: null,
  requestedRegion: null,
};

/** Derived ids of the line with one more field; from another implementation of UUIDv5. */
const idOf = {
  US: "198aad41-1ac2-534a-a2bd-15e5abec5c97",
  sample3: "b7965c72-fd5a-5d78-b8e8-f0718e975c81",
};

function read(input: object | string | Buffer) {
  const text = typeof input === "string" ? input : JSON.stringify(input);
  const bytes = Buffer.isBuffer(input) ? input : Buffer.from(text);
  return readAnswerLine(bytes, { accountId, prompts, now });
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
    searchQueries: ["anvils", "best anvils 2026"],
    cost: { amount: 0.0125, currency: "USD", estimated: true },
    vendor: "dataforseo",
    requestedRegion: "DE",
  };
  assert.deepEqual(read({ ...line, id, ...optional }), { answer: { ...answer, id, ...optional } });
});

/** A citation for each list of spans, as it is recorded when these are right. */
function withSpans(...lists: readonly unknown[]) {
  return {
    citations: lists.map((spans) => ({
      url: "https://a.example/",
      title: null,
      cited: true,
      ...(spans === undefined ? {} : { spans }),
    })),
  };
}

const manySpans = (count: number) => Array.from({ length: count }, () => [[0, 1]]);

/** Fields put over the line, and what they change in the answer. */
const taken: readonly (readonly [name: string, fields: object, changes: object])[] = [
  ["an id in upper case", { id: "AAAAAAAA-0000-4000-8000-00000000000A" }, withId()],
  ["an upper-case prompt", { promptId: promptId.toUpperCase() }, {}],
  ["a region in lower case", { region: "us" }, { region: "US", id: idOf.US }],
  ["an outcome without text", { outcome: "absent", text: undefined }, empty("absent")],
  ["a failure with text null", { outcome: "failed", text: null }, empty("failed")],
  ["no letter, no answer", { outcome: "absent", text: "…" }, { outcome: "absent", text: "…" }],
  ["a letter of any script", { text: "…日" }, { text: "…日" }],
  ["the most characters", { text: "x".repeat(1_000_000) }, { text: "x".repeat(1_000_000) }],
  ["a prompt's text instead of its id", { promptId: null, prompt: promptText }, {}],
  ["a prompt's text in addition to its id", { prompt: promptText }, {}],
  ["an instant of tomorrow", { answeredAt: "2026-10-02T12:00:00Z" }, tomorrow()],
  ["cited, unless said otherwise", { citations: [{ url: "u" }] }, citations("u")],
  ["null in a citation", { citations: [{ url: "u", title: null, cited: null }] }, citations("u")],
  [
    "spans",
    withSpans([
      [0, 4],
      [5, 9],
      [9, 10],
    ]),
    withSpans([
      [0, 4],
      [5, 9],
      [9, 10],
    ]),
  ],
  ["a span of the whole text", withSpans([[0, 10]]), withSpans([[0, 10]])],
  [
    "spans of two citations, which overlap",
    withSpans([[0, 4]], [[2, 9]]),
    withSpans([[0, 4]], [[2, 9]]),
  ],
  ["no spans", withSpans([]), withSpans(undefined)],
  ["null for spans", withSpans(null), withSpans(undefined)],
  ["the most spans", withSpans(...manySpans(2_000)), withSpans(...manySpans(2_000))],
  ["another sample", { sample: 3 }, { sample: 3, id: idOf.sample3 }],
  ["an instant with an offset", { answeredAt: "2026-10-01T10:00:00.000+02:00" }, {}],
  ["an instant in lower case", { answeredAt: "2026-10-01t08:00:00z" }, {}],
  ["half a surrogate pair", { text: "a\ud800b" }, { text: "a\uFFFDb" }],
  ["half of one in a URL", { citations: [{ url: "\udc00" }] }, citations("\uFFFD")],
  ["a NUL", { text: "a\u0000b" }, { text: "a\u0000b" }],
  ["a refusal", { outcome: "refused", text: "No." }, { outcome: "refused", text: "No." }],
  ["a refusal without text", { outcome: "refused", text: undefined }, empty("refused")],
  ["a requested region in lower case", { requestedRegion: "de" }, { requestedRegion: "DE" }],
  ["a currency in lower case", { cost: { amount: 1, currency: "eur" } }, cost(1)],
  ["nothing to pay", { cost: { amount: 0, currency: "EUR", estimated: null } }, cost(0)],
  ["half a pair in a search", { searchQueries: ["\ud800", ""] }, { searchQueries: ["\uFFFD", ""] }],
  ["metadata as deep as allowed", { metadata: nested(99) }, { metadata: nested(99) }],
];

const optionalNames = ["id", "region", "outcome", "citations", "model", "surface", "sample"];
const collectionNames = ["searchQueries", "cost", "vendor", "requestedRegion"];
for (const name of [...optionalNames, "metadata", ...collectionNames]) {
  test(`null is the same as left out: ${name}`, () => {
    assert.deepEqual(read({ ...line, [name]: null }), { answer });
  });
}

for (const [name, fields, changes] of taken) {
  test(`taken: ${name}`, () => {
    assert.deepEqual(read({ ...line, ...fields }), { answer: { ...answer, ...changes } });
  });
}

test("a citation may be a text alone, its URL", () => {
  const citations = ["https://acme.com", { url: "https://b.com", cited: false }, "globex.com"];
  const objects = [{ url: "https://acme.com" }, citations[1], { url: "globex.com" }];
  assert.ok("answer" in read({ ...line, citations }));
  assert.deepEqual(read({ ...line, citations }), read({ ...line, citations: objects }));
});

test("10.0 is the integer 10", () => {
  const text = JSON.stringify({ ...line, sample: 10 }).replace(":10", ":10.0");
  const { answer: got } = read(text) as { answer: { sample: number } };
  assert.equal(got.sample, 10);
});

const providers =
  "GEMINI, OPENAI, ANTHROPIC, PERPLEXITY, GROK, GOOGLE_AI_MODE, GOOGLE_AI_OVERVIEW or COPILOT";
const fieldNames =
  "id, promptId, prompt, provider, region, answeredAt, outcome, text, citations, model, surface, " +
  "sample, metadata, searchQueries, cost, vendor, requestedRegion";
const uuidForm = "must be a UUID (8-4-4-4-12 hexadecimal digits)";
const notAssigned = "is not an assigned ISO 3166-1 alpha-2 code.";
const twoLetters = `${notAssigned} Use two letters, for example US.`;
const applyIt = "Apply a workspace file that declares it, then import again.";
const eitherPrompt = "is required, unless prompt gives the prompt's text.";
const instantForm =
  "must be an RFC 3339 date-time with Z or an offset, such as 2026-01-31T00:00:00Z, " +
  "in the years 0001 to 9999; got";
const foreign = "22222222-2222-4222-8222-222222222222";

type Refusal = readonly [fields: object, path: string, code: string, message: string];

const refused: readonly Refusal[] = [
  [{ id: "x" }, "/id", "wrong_format", `${uuidForm}, got "x".`],
  [{ id: 5 }, "/id", "wrong_type", "must be a string, got 5."],
  [{ promptId: undefined }, "/promptId", "missing", eitherPrompt],
  [{ promptId: null, prompt: null }, "/promptId", "missing", eitherPrompt],
  [{ promptId: "nope" }, "/promptId", "wrong_format", `${uuidForm}, got "nope".`],
  [
    { promptId: foreign },
    "/promptId",
    "not_allowed",
    `${foreign} is not a prompt of this account. ${applyIt}`,
  ],
  [
    { promptId: null, prompt: "What is the best anvl?" },
    "/prompt",
    "not_allowed",
    '"What is the best anvl?" is not the text of a prompt of this account. ' +
      `Did you mean "${promptText}"?`,
  ],
  [
    { promptId: null, prompt: "Where to store anvils?" },
    "/prompt",
    "not_allowed",
    `"Where to store anvils?" is not the text of a prompt of this account. ${applyIt}`,
  ],
  [
    { prompt: "Another?" },
    "/prompt",
    "not_allowed",
    `"Another?" is not the text of prompt ${promptId}, which is "${promptText}". ` +
      "Give one of promptId and prompt.",
  ],
  [{ prompt: 1 }, "/prompt", "wrong_type", "must be a string, got 1."],
  [{ provider: undefined }, "/provider", "missing", `is required and must be ${providers}.`],
  [
    { provider: "openai" },
    "/provider",
    "not_allowed",
    `must be ${providers}, got "openai". Did you mean OPENAI?`,
  ],
  [{ provider: "x" }, "/provider", "not_allowed", `must be ${providers}, got "x".`],
  [{ provider: null }, "/provider", "not_allowed", `must be ${providers}, got null.`],
  [{ region: "USA" }, "/region", "wrong_format", `"USA" ${notAssigned} Did you mean US?`],
  [{ region: "uk" }, "/region", "wrong_format", `"uk" ${notAssigned} Did you mean GB?`],
  [{ region: "ZZ" }, "/region", "wrong_format", `"ZZ" ${twoLetters}`],
  [{ region: "" }, "/region", "wrong_format", `"" ${twoLetters}`],
  [{ region: "ß1" }, "/region", "wrong_format", `"ß1" ${twoLetters}`],
  [{ region: 1 }, "/region", "wrong_type", "must be a string, got 1."],
  [{ answeredAt: undefined }, "/answeredAt", "missing", "is required and must be a string."],
  [{ answeredAt: null }, "/answeredAt", "wrong_type", "must be a string, got null."],
  [{ answeredAt: 1 }, "/answeredAt", "wrong_type", "must be a string, got 1."],
  ...["2026-10-01", "2026-10-01T08:00:00", "2026-02-30T00:00:00Z", "2026-10-01 08:00:00Z"].map(
    (answeredAt): Refusal => [
      { answeredAt },
      "/answeredAt",
      "wrong_format",
      `${instantForm} "${answeredAt}".`,
    ],
  ),
  [
    { outcome: "done" },
    "/outcome",
    "not_allowed",
    'must be answered, absent, failed or refused, got "done".',
  ],
  ...[{ text: undefined }, { text: null }, { text: null, outcome: "answered" }].map(
    (fields): Refusal => [
      fields,
      "/text",
      "missing",
      "is required, unless the outcome is absent, failed or refused.",
    ],
  ),
  ...["", "🤷 …", "42"].map(
    (text): Refusal => [
      { text },
      "/text",
      "wrong_format",
      `must contain a letter, got "${text}". If there was no answer, set "outcome": "absent".`,
    ],
  ),
  [
    { answeredAt: "2026-10-02T12:00:00.001Z" },
    "/answeredAt",
    "too_large",
    `must be at most one day ahead of this machine's clock, got "2026-10-02T12:00:00.001Z"; ` +
      "the clock says 2026-10-01T12:00:00.000Z.",
  ],
  [{ text: 1 }, "/text", "wrong_type", "must be a string, got 1."],
  [
    { text: "x".repeat(1_000_001) },
    "/text",
    "too_large",
    "must have at most 1000000 characters, got 1000001.",
  ],
  [{ citations: {} }, "/citations", "wrong_type", "must be an array, got an object."],
  [
    { citations: [5] },
    "/citations/0",
    "wrong_type",
    'must be an object, got 5. Write {"url": "https://…"} or "https://…".',
  ],
  [
    { citations: [{ url: "u" }, {}] },
    "/citations/1/url",
    "missing",
    "is required and must be a string.",
  ],
  [{ citations: [{ url: 1 }] }, "/citations/0/url", "wrong_type", "must be a string, got 1."],
  [
    { citations: [{ url: "u".repeat(65_537) }] },
    "/citations/0/url",
    "too_large",
    "must have at most 65536 characters, got 65537.",
  ],
  [
    { citations: [{ url: "u", tittle: "t" }] },
    "/citations/0/tittle",
    "unknown_field",
    '"tittle" is not a known field. Did you mean title?',
  ],
  [withSpans([[0, 4]], {}), "/citations/1/spans", "wrong_type", "must be an array, got an object."],
  [withSpans([4]), "/citations/0/spans/0", "wrong_type", "must be an array, got 4."],
  [
    withSpans([{ start: 0, end: 4 }]),
    "/citations/0/spans/0",
    "wrong_type",
    "must be an array, got an object.",
  ],
  [withSpans([[4]]), "/citations/0/spans/0", "too_small", "must have at least 2 items, got 1."],
  [
    withSpans([[0, 4, 5]]),
    "/citations/0/spans/0",
    "too_large",
    "must have at most 2 items, got 3.",
  ],
  [withSpans([[0, 1.5]]), "/citations/0/spans/0/1", "wrong_type", "must be an integer, got 1.5."],
  [withSpans([["0", 4]]), "/citations/0/spans/0/0", "wrong_type", 'must be a number, got "0".'],
  [withSpans([[-1, 4]]), "/citations/0/spans/0/0", "too_small", "must be at least 0, got -1."],
  [
    withSpans([[0, 4]], [[4, 4]]),
    "/citations/1/spans/0",
    "wrong_order",
    "must begin before it ends, got [4, 4].",
  ],
  [
    withSpans([[9, 11]]),
    "/citations/0/spans/0",
    "too_large",
    "must end within text, which has 10 UTF-16 units, got [9, 11].",
  ],
  [
    { ...withSpans([[0, 1]]), outcome: "absent", text: null },
    "/citations/0/spans/0",
    "too_large",
    "must end within text, which has 0 UTF-16 units, got [0, 1].",
  ],
  [
    withSpans([
      [0, 4],
      [3, 9],
    ]),
    "/citations/0/spans/1",
    "wrong_order",
    "must begin where the span before it ends, at 4, or later, got [3, 9].",
  ],
  [
    withSpans([
      [5, 9],
      [0, 4],
    ]),
    "/citations/0/spans/1",
    "wrong_order",
    "must begin where the span before it ends, at 9, or later, got [0, 4].",
  ],
  [
    withSpans(...manySpans(2_001)),
    "/citations",
    "too_large",
    "must have at most 2000 spans in all, got more.",
  ],
  [
    { citations: [{ url: "u", cited: "yes" }] },
    "/citations/0/cited",
    "wrong_type",
    'must be a boolean, got "yes".',
  ],
  [
    { citations: Array(10_001).fill({ url: "u" }) },
    "/citations",
    "too_large",
    "must have at most 10000 items, got 10001.",
  ],
  [{ model: 1 }, "/model", "wrong_type", "must be a string, got 1."],
  [
    { model: "x".repeat(1_001) },
    "/model",
    "too_large",
    "must have at most 1000 characters, got 1001.",
  ],
  [
    { surface: "app" },
    "/surface",
    "not_allowed",
    'must be api or web, got "app". Did you mean api?',
  ],
  [{ sample: 1.5 }, "/sample", "wrong_type", "must be an integer, got 1.5."],
  [{ sample: -1 }, "/sample", "too_small", "must be at least 0, got -1."],
  [{ sample: "1" }, "/sample", "wrong_type", 'must be a number, got "1".'],
  [
    { sample: 2 ** 53 },
    "/sample",
    "too_large",
    "must be at most 9007199254740991, got 9007199254740992.",
  ],
  [{ searchQueries: "a" }, "/searchQueries", "wrong_type", 'must be an array, got "a".'],
  [{ searchQueries: [1] }, "/searchQueries/0", "wrong_type", "must be a string, got 1."],
  [
    { searchQueries: Array(201).fill("a") },
    "/searchQueries",
    "too_large",
    "must have at most 200 items, got 201.",
  ],
  [
    { searchQueries: ["x".repeat(2_001)] },
    "/searchQueries/0",
    "too_large",
    "must have at most 2000 characters, got 2001.",
  ],
  [{ vendor: 1 }, "/vendor", "wrong_type", "must be a string, got 1."],
  [{ vendor: "" }, "/vendor", "too_small", "must have at least 1 characters, got 0."],
  [
    { vendor: "x".repeat(101) },
    "/vendor",
    "too_large",
    "must have at most 100 characters, got 101.",
  ],
  [
    { requestedRegion: "uk" },
    "/requestedRegion",
    "wrong_format",
    `"uk" ${notAssigned} Did you mean GB?`,
  ],
  [{ cost: 1 }, "/cost", "wrong_type", "must be an object, got 1."],
  [{ cost: { amount: 1 } }, "/cost/currency", "missing", "is required and must be a string."],
  [{ cost: { currency: "USD" } }, "/cost/amount", "missing", "is required and must be a number."],
  [
    { cost: { amount: -0.1, currency: "USD" } },
    "/cost/amount",
    "too_small",
    "must be at least 0, got -0.1.",
  ],
  [
    { cost: { amount: 1e10, currency: "USD" } },
    "/cost/amount",
    "too_large",
    "must be at most 1000000000, got 10000000000.",
  ],
  [
    { cost: { amount: "1", currency: "USD" } },
    "/cost/amount",
    "wrong_type",
    'must be a number, got "1".',
  ],
  ...["$", "XXX", "US", "USDT", ""].map(
    (currency): Refusal => [
      { cost: { amount: 1, currency } },
      "/cost/currency",
      "wrong_format",
      `"${currency}" is not a code of ISO 4217. Use three letters, for example USD.`,
    ],
  ),
  [
    { cost: { amount: 1, currency: "USD", total: 1 } },
    "/cost/total",
    "unknown_field",
    '"total" is not a known field. Known fields: amount, currency, estimated.',
  ],
  [{ metadata: [] }, "/metadata", "wrong_type", "must be an object, got an array."],
  [{ metadata: "x" }, "/metadata", "wrong_type", 'must be an object, got "x".'],
  [{ metadata: nested(100) }, "", "too_large", "must be nested at most 100 levels deep."],
  [
    { metadata: { a: [0, 2 ** 53] } },
    "/metadata/a/1",
    "too_large",
    "An integer must be between -9007199254740991 and 9007199254740991. " +
      "Write a larger number as text.",
  ],
  [
    { promtId: 1 },
    "/promtId",
    "unknown_field",
    '"promtId" is not a known field. Did you mean promptId?',
  ],
  [{ Text: "x" }, "/Text", "unknown_field", '"Text" is not a known field. Did you mean text?'],
  [
    { language: "en" },
    "/language",
    "unknown_field",
    `"language" is not a known field. Known fields: ${fieldNames}.`,
  ],
];

for (const [fields, path, code, message] of refused) {
  test(`refused: ${JSON.stringify(fields).slice(0, 60)}: ${message.slice(0, 60)}`, () => {
    assert.deepEqual(read({ ...line, ...fields }), {
      rejection: { reason: `${path || "/"}: ${message}`, errors: [{ path, code, message }] },
    });
  });
}

test("every fault of a line is reported together", () => {
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
  [`${JSON.stringify(line)} {}`, /^The line is not JSON: .*\. Write each answer on one line; `jq/],
  ['{ "id":', /^The line is not JSON: Unexpected end .*`jq -c \.` converts pretty-printed JSON\.$/],
  ["  [", /begins with "\["\. Write each answer on its own line; `jq -c '\.\[\]'`/],
  ['[{"promptId":"x"}]', /begins with "\["\. Write each answer on its own line; `jq -c '\.\[\]'`/],
  ['  "promptId": "x",', /begins with "\\""\. Write each answer on one line; `jq -c \.`/],
  ["}", /begins with "}"\. Write each answer on one line; `jq -c \.`/],
  ["promptId,provider,text", /"p"\. The line looks like CSV, which has the format csv/],
  ["Take Acme.", /begins with "T"\. Import reads NDJSON: one JSON object on each line\.$/],
  ["", /^The line is not a JSON object/],
  ["null", /^The line is not a JSON object: it begins with "n"/],
  ["1e400", /^The line is not a JSON object: it begins with "1"/],
  [Buffer.from('{"text":"\xe9"}', "latin1"), /^The line is not UTF-8\.$/],
  ["[".repeat(lineBytesMax), /^\/: must be nested at most 100 levels deep\.$/],
  [withMetadata(`{"a":[${"1,".repeat(100_000)}1]}`), /must have at most 100000 values\.$/],
  [
    withMetadata(`{${'"a":1,'.repeat(1_000)}"b":1}`),
    /must have at most 1000 names in an object\.$/,
  ],
  [withMetadata('{"a":{"b":1,"\\u0062":2}}'), /^Duplicate name "b" in one object\. Keep/],
  [JSON.stringify(line).replace("}", ',"text":"x"}'), /^Duplicate name "text" in one object/],
  [withMetadata('{"__proto__":{"a":1}}'), /^\/metadata: The name "__proto__" cannot be kept/],
  [withMetadata('{"a":[{"__proto__":1}]}'), /^\/metadata\/a\/0: The name "__proto__" cannot be/],
  [withMetadata('{"a":1e400}'), /^\/metadata\/a: An integer must be between/],
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

function withMetadata(metadata: string): string {
  return JSON.stringify(line).replace(/}$/, () => `,"metadata":${metadata}}`);
}

function tomorrow() {
  const answeredAt = Date.parse("2026-10-02T12:00:00Z");
  return {
    answeredAt,
    id: derivedAnswerId(accountId, { ...answer, answeredAt, provider: "OPENAI" }),
  };
}

function empty(outcome: string) {
  return { outcome, text: "" };
}

function citations(url: string) {
  return { citations: [{ url, title: null, cited: true }] };
}

function cost(amount: number) {
  return { cost: { amount, currency: "EUR", estimated: false } };
}

function nested(depth: number): object {
  return depth === 1 ? {} : { a: nested(depth - 1) };
}

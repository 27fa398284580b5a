import assert from "node:assert/strict";
import { test } from "node:test";
import { breakingChanges, breakText, type Json } from "./breaking-changes.ts";

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: Json) => ({ content: { "application/json": { schema } } });

/** A small document with one of everything that is compared. */
const released = {
  info: { version: "1" },
  servers: [{ url: "/" }],
  paths: {
    "/a~b": {
      post: {
        operationId: "ask",
        security: [{ session: [] }],
        parameters: [{ in: "query", name: "page", schema: { type: "integer", maximum: 10 } }],
        requestBody: json(reference("Request")),
        responses: {
          "200": {
            headers: { "X-Id": { schema: { type: "string" } } },
            ...json(reference("Reply")),
          },
          "429": { description: "Too many." },
        },
      },
    },
  },
  components: {
    schemas: {
      Request: {
        type: "object",
        properties: { title: { type: "string", maxLength: 5 }, inner: reference("Inner") },
        required: ["title"],
      },
      Inner: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
      Reply: {
        type: "object",
        properties: {
          total: { anyOf: [{ type: "integer" }, { type: "null" }] },
          kind: { type: "string", enum: ["a", "b"] },
          provider: { type: "string", enum: ["a"], "x-sightline-may-grow": true },
          note: { type: "string" },
        },
        required: ["total"],
      },
    },
    securitySchemes: { session: { type: "http", scheme: "bearer" } },
  },
};

/** The document with a value at a pointer; without it when the value is undefined. */
function changed(pointer: string, value: unknown): Json {
  const document = structuredClone(released) as Json;
  const names = pointer.slice(1).split("/");
  const last = names.pop() ?? "";
  let at = document as Record<string, unknown>;
  for (const name of names) {
    at = at[name.replaceAll("~1", "/").replaceAll("~0", "~")] as Record<string, unknown>;
  }
  if (value === undefined) delete at[last];
  else at[last] = value;
  return document;
}

const post = "/paths/~1a~0b/post";
const schemas = "/components/schemas";
const text = { type: "string" };

const breaks: readonly (readonly [pointer: string, value: unknown, at?: string])[] = [
  [post, undefined],
  [`${post}/operationId`, "inquire"],
  [`${post}/security`, [{ key: [] }]],
  [`${post}/requestBody`, undefined],
  [`${post}/requestBody/required`, true],
  [`${post}/requestBody/content`, {}, `${post}/requestBody/content/application~1json`],
  [`${post}/parameters`, [], `${post}/parameters/query page`],
  [
    `${post}/parameters/1`,
    { in: "query", name: "b", required: true },
    `${post}/parameters/query b`,
  ],
  [`${post}/parameters/0/schema/maximum`, 9, `${post}/parameters/query page/schema/maximum`],
  [`${post}/responses/202`, {}],
  [`${post}/responses/429`, undefined],
  [`${post}/responses/200/headers/X-Id`, undefined],
  ["/paths/~1a~0b/parameters", []],
  ["/servers", [{ url: "/b" }]],
  [`${schemas}/Inner`, undefined],
  [`${schemas}/Request/required`, ["title", "more"]],
  [`${schemas}/Inner/required`, ["n", "more"]],
  [`${schemas}/Request/additionalProperties`, false],
  [`${schemas}/Request/properties/title`, undefined],
  [`${schemas}/Request/properties/title/maxLength`, 4],
  [`${schemas}/Request/properties/title/pattern`, "^a"],
  [`${schemas}/Request/properties/inner`, text, `${schemas}/Request/properties/inner/$ref`],
  [`${schemas}/Reply/required`, []],
  [`${schemas}/Reply/required`, ["total", "note"]],
  [`${schemas}/Reply/properties/note`, undefined],
  [`${schemas}/Reply/properties/kind/enum`, ["a", "b", "c"]],
  [`${schemas}/Reply/properties/provider/enum`, ["b"]],
  [`${schemas}/Reply/properties/total/anyOf/1/type`, "string"],
  [`${schemas}/Reply/properties/total/anyOf`, [text]],
  ["/components/securitySchemes/session/scheme", "basic"],
];

for (const [pointer, value, at = pointer] of breaks) {
  test(`${pointer} as ${JSON.stringify(value)} breaks clients`, () => {
    const [first] = breakingChanges(released, changed(pointer, value));
    assert.equal(first?.pointer, at);
  });
}

const additions: readonly (readonly [pointer: string, value: unknown])[] = [
  ["/info", { version: "2" }],
  ["/servers/1", { url: "/b" }],
  ["/paths/~1b", { get: {} }],
  ["/paths/~1a~0b/get", { operationId: "look" }],
  [`${post}/description`, "Asks."],
  [`${post}/security`, [{ key: [] }, { session: [] }]],
  [`${post}/security`, []],
  [`${post}/parameters/1`, { in: "query", name: "b" }],
  [`${post}/requestBody/content/text~1csv`, {}],
  [`${post}/responses/503`, {}],
  [`${post}/responses/200/headers/X-B`, {}],
  [`${post}/responses/429/headers`, { "X-B": {} }],
  [`${schemas}/New`, {}],
  [`${schemas}/Request/properties/more`, text],
  [`${schemas}/Request/properties/title/description`, "A title."],
  [`${schemas}/Reply/properties/more`, text],
  [`${schemas}/Reply/properties/provider/enum`, ["b", "a"]],
  [`${schemas}/Reply/properties/kind/enum`, ["b", "a"]],
];

for (const [pointer, value] of additions) {
  test(`${pointer} as ${JSON.stringify(value)} breaks nobody`, () => {
    assert.deepEqual(breakingChanges(released, changed(pointer, value)), []);
  });
}

test("a new field of a reply may always be there", () => {
  const reply = released.components.schemas.Reply;
  const grown = {
    ...reply,
    properties: { ...reply.properties, more: text },
    required: ["total", "more"],
  };
  assert.deepEqual(breakingChanges(released, changed(`${schemas}/Reply`, grown)), []);
});

test("a change that is listed as harmless is none; others say what to do", () => {
  const pointer = `${schemas}/Request/properties/title/maxLength`;
  const document = changed(pointer, 6);
  assert.deepEqual(breakingChanges(released, document, { [pointer]: "more is taken" }), []);
  const [found] = breakingChanges(released, document);
  assert.match(found === undefined ? "" : breakText(found), /maxLength was 5 and is 6\. Keep what/);
});

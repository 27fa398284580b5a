import assert from "node:assert/strict";
import { test } from "node:test";
import { openApiDocument } from "../../src/openapi.ts";
import { type BreakRule, breakRules, breakText } from "./break.ts";
import { documentBreaks } from "./document-breaks.ts";
import type { Json } from "./located.ts";
import { mayGrow } from "./value-breaks.ts";

/** A small document with one of everything that is compared. */
function sample(parts: Partial<typeof base> = {}): Json {
  const { request, reply, operation, schemas, document, item } = { ...base, ...parts };
  const made = {
    openapi: "3.1.0",
    servers: [{ url: "/" }],
    paths: {
      "/v1/a~b": {
        ...item,
        post: {
          operationId: "ask",
          security: [{ session: [] }],
          parameters: [page],
          requestBody: {
            content: { "application/json": { schema: { $ref: "#/components/schemas/Request" } } },
          },
          responses: {
            "200": success,
            "429": { description: "Too many." },
          },
          ...operation,
        },
      },
    },
    components: {
      schemas: {
        Request: { type: "object", additionalProperties: false, ...request },
        Reply: { type: "object", additionalProperties: false, ...reply },
        ...schemas,
      },
      securitySchemes: { session: { type: "http", scheme: "bearer" } },
    },
    ...document,
  };
  return JSON.parse(JSON.stringify(made)) as Json; // what is undefined is not there
}

const base: Record<"request" | "reply" | "operation" | "schemas" | "document" | "item", Json> = {
  request: { properties: { limit: { type: "integer" } }, required: ["limit"] },
  reply: { properties: { total: { type: "integer" } }, required: ["total"] },
  operation: {},
  schemas: {},
  document: {},
  item: {},
};

interface Change {
  readonly from?: Partial<typeof base>;
  readonly to?: Partial<typeof base>;
  /** Where it is found; left out when it breaks nobody. */
  readonly at?: string;
}

/** A field of the request, alone and optional. */
const asked = (field: unknown) => ({ request: { properties: { field } } });
/** A field of the reply, alone and always there. */
const given = (field: unknown) => ({ reply: { properties: { field }, required: ["field"] } });
const operation = (parts: Json) => ({ operation: parts });
const document = (parts: Json) => ({ document: parts });
const content = (type: string, schema: unknown) => ({ content: { [type]: { schema } } });

const text = { type: "string" };
const nullable = { anyOf: [text, { type: "null" }] };
const letters = { type: "string", enum: ["a", "b"] };
const fewer = { type: "string", enum: ["a"] };
const page = { in: "query", name: "page", schema: { type: "integer", maximum: 10 } };
const required = (name: string) => ({ ...page, name, required: true });
const apiKey = { type: "apiKey", in: "header", name: "X-Key" };
const success = {
  headers: { "X-Id": { schema: { type: "string" } } },
  content: { "application/json": { schema: { $ref: "#/components/schemas/Reply" } } },
};
const post = "/paths/~1v1~1a~0b/post";
const requestField = "/components/schemas/Request/properties/field";
const replyField = "/components/schemas/Reply/properties/field";

const changes: Readonly<
  Record<BreakRule, { breaks: readonly Change[]; allows: readonly Change[] }>
> = {
  "operation-removed": {
    breaks: [
      { to: document({ paths: {} }), at: post },
      { to: document({ paths: { "/v1/a~b": { get: {} } } }), at: post },
    ],
    allows: [{ to: { item: { get: { operationId: "look", responses: {} } } } }],
  },
  "operation-renamed": {
    breaks: [{ to: operation({ operationId: "inquire" }), at: `${post}/operationId` }],
    allows: [{ to: operation({ summary: "Ask.", tags: ["A"], deprecated: true }) }],
  },
  "component-removed": {
    breaks: [{ from: { schemas: { Old: {} } }, at: "/components/schemas/Old" }],
    allows: [{ to: { schemas: { New: {} } } }],
  },
  "server-removed": {
    breaks: [{ to: document({ servers: [{ url: "/other" }] }), at: "/servers/0" }],
    allows: [{ to: document({ servers: [{ url: "/other" }, { url: "/" }] }) }],
  },
  "security-changed": {
    breaks: [
      { to: operation({ security: [{ key: [] }] }), at: `${post}/security` },
      { to: operation({ security: [{ session: ["admin"] }] }), at: `${post}/security` },
      { from: operation({ security: [] }), at: `${post}/security` },
      {
        to: document({ components: { ...schemasOf(), securitySchemes: { session: apiKey } } }),
        at: `${post}/security`,
      },
    ],
    allows: [
      { to: operation({ security: [{ key: [] }, { session: [] }] }) },
      { to: operation({ security: [] }) },
      {
        to: document({
          components: {
            ...schemasOf(),
            securitySchemes: { session: { type: "http", scheme: "bearer", description: "A." } },
          },
        }),
      },
    ],
  },
  "parameter-required": {
    breaks: [
      { to: operation({ parameters: [page, required("id")] }), at: `${post}/parameters/1` },
      { to: operation({ parameters: [required("page")] }), at: `${post}/parameters/0` },
    ],
    allows: [{ to: operation({ parameters: [page, { ...page, name: "id" }] }) }],
  },
  "parameter-removed": {
    breaks: [
      { to: operation({ parameters: [] }), at: `${post}/parameters/0` },
      { to: operation({ parameters: [{ ...page, in: "header" }] }), at: `${post}/parameters/0` },
    ],
    allows: [{ to: operation({ parameters: [{ ...page, description: "Which." }] }) }],
  },
  "body-required": {
    breaks: [
      {
        to: operation({ requestBody: { required: true, ...content("application/json", {}) } }),
        at: `${post}/requestBody`,
      },
    ],
    allows: [
      {
        from: operation({ requestBody: undefined }),
        to: operation({ requestBody: content("application/json", {}) }),
      },
    ],
  },
  "body-removed": {
    breaks: [{ to: operation({ requestBody: undefined }), at: `${post}/requestBody` }],
    allows: [
      { from: operation({ requestBody: undefined }), to: operation({ requestBody: undefined }) },
    ],
  },
  "media-type-removed": {
    breaks: [
      {
        to: operation({ requestBody: content("text/csv", {}) }),
        at: `${post}/requestBody/content/application~1json`,
      },
      {
        from: operation({ responses: { "200": content("application/json", {}) } }),
        to: operation({ responses: { "200": content("text/csv", {}) } }),
        at: `${post}/responses/200/content/application~1json`,
      },
    ],
    allows: [
      {
        from: operation({ responses: { "200": content("text/csv", {}) } }),
        to: operation({
          responses: { "200": { content: { "text/csv": { schema: {} }, "text/html": {} } } },
        }),
      },
    ],
  },
  "status-removed": {
    breaks: [
      { to: operation({ responses: { "200": success } }), at: `${post}/responses/429` },
      { to: operation({ responses: { "429": {} } }), at: `${post}/responses/200` },
    ],
    allows: [{ to: operation({ responses: { "200": success, "429": {}, "503": {} } }) }],
  },
  "success-added": {
    breaks: [
      {
        to: operation({ responses: { "200": success, "202": success, "429": {} } }),
        at: `${post}/responses/202`,
      },
    ],
    allows: [{ to: operation({ responses: { "200": success, "404": {}, "429": {} } }) }],
  },
  "header-removed": {
    breaks: [
      {
        to: operation({ responses: { "200": { ...success, headers: {} }, "429": {} } }),
        at: `${post}/responses/200/headers/X-Id`,
      },
    ],
    allows: [
      {
        to: operation({
          responses: { "200": { ...success, headers: { "X-Id": {}, Link: {} } }, "429": {} },
        }),
      },
    ],
  },
  "request-field-required": {
    breaks: [
      {
        from: asked(text),
        to: { request: { properties: { field: text }, required: ["field"] } },
        at: requestField,
      },
      {
        from: asked({ type: "array", items: { type: "object" } }),
        to: asked({ type: "array", items: { type: "object", required: ["id"] } }),
        at: `${requestField}/items/required`,
      },
    ],
    allows: [{ from: asked(text), to: { request: { properties: { field: text, more: text } } } }],
  },
  "request-field-refused": {
    breaks: [
      { from: asked(text), to: { request: { properties: {} } }, at: requestField },
      {
        from: { request: { additionalProperties: true } },
        to: { request: {} },
        at: "/components/schemas/Request/additionalProperties",
      },
    ],
    allows: [
      {
        from: asked(text),
        to: { request: { properties: {}, additionalProperties: true } },
      },
    ],
  },
  "request-value-narrowed": {
    breaks: [
      { from: asked(text), to: asked({ type: "integer" }), at: requestField },
      { from: asked({ type: "number" }), to: asked({ type: "integer" }), at: requestField },
      { from: asked(nullable), to: asked(text), at: requestField },
      { from: asked({ type: ["string", "null"] }), to: asked(text), at: requestField },
      { from: asked(letters), to: asked(fewer), at: requestField },
      { from: asked(letters), to: asked({ type: "string", const: "a" }), at: requestField },
      { from: asked(text), to: asked(letters), at: requestField },
      { from: asked({}), to: asked(text), at: requestField },
      { from: asked({ [mayGrow]: true, ...letters }), to: asked(fewer), at: requestField },
      {
        from: asked({ type: "array" }),
        to: asked({ type: "array", items: text }),
        at: `${requestField}/items`,
      },
      {
        to: operation({ parameters: [{ ...page, schema: letters }] }),
        at: `${post}/parameters/0/schema`,
      },
    ],
    allows: [
      { from: asked({ type: "integer" }), to: asked({ type: "number" }) },
      { from: asked(text), to: asked(nullable) },
      { from: asked(text), to: asked({}) },
      { from: asked(fewer), to: asked(letters) },
      { from: asked(letters), to: asked(text) },
      { from: asked({ type: "array", items: text }), to: asked({ type: "array" }) },
      { from: asked(nullable), to: asked({ type: ["null", "string"] }) },
    ],
  },
  "request-limit-narrowed": {
    breaks: [
      ...[{ maximum: 9 }, { minimum: 1 }, { exclusiveMaximum: 10 }, { exclusiveMinimum: 0 }].map(
        (limit) => ({
          from: asked({ type: "integer", minimum: 0, maximum: 10 }),
          to: asked({ type: "integer", minimum: 0, maximum: 10, ...limit }),
          at: requestField,
        }),
      ),
      { from: asked(text), to: asked({ type: "string", maxLength: 9 }), at: requestField },
      { from: asked(text), to: asked({ type: "string", minLength: 1 }), at: requestField },
      {
        from: asked({ type: "array", maxItems: 10 }),
        to: asked({ type: "array", maxItems: 9 }),
        at: requestField,
      },
    ],
    allows: [
      {
        from: asked({ type: "integer", minimum: 1, exclusiveMaximum: 10, maxLength: 5 }),
        to: asked({ type: "integer", exclusiveMinimum: 0, maximum: 10, minLength: 0 }),
      },
    ],
  },
  "request-form-changed": {
    breaks: [
      ...[{ format: "uuid" }, { pattern: "^a$" }, { not: {} }].map((form) => ({
        from: asked(text),
        to: asked({ ...text, ...form }),
        at: requestField,
      })),
      {
        from: asked({ ...text, pattern: "^[a-z]$" }),
        to: asked({ ...text, pattern: "^[a-y]$" }),
        at: requestField,
      },
      {
        from: asked({ type: "array" }),
        to: asked({ type: "array", uniqueItems: true }),
        at: requestField,
      },
    ],
    allows: [
      { from: asked({ ...text, format: "uuid", pattern: "^a$", not: {} }), to: asked(text) },
    ],
  },
  "request-default-changed": {
    breaks: [
      { from: asked({ default: 1 }), to: asked({ default: 2 }), at: requestField },
      { from: asked({ default: 1 }), to: asked({}), at: requestField },
    ],
    allows: [{ from: given({ default: 1 }), to: given({ default: 2 }) }],
  },
  "response-field-removed": {
    breaks: [{ from: given(text), to: { reply: { properties: {} } }, at: replyField }],
    allows: [
      {
        from: given(text),
        to: { reply: { properties: { field: text, more: text }, required: ["field", "more"] } },
      },
    ],
  },
  "response-field-optional": {
    breaks: [{ from: given(text), to: { reply: { properties: { field: text } } }, at: replyField }],
    allows: [{ from: { reply: { properties: { field: text } } }, to: given(text) }],
  },
  "response-value-widened": {
    breaks: [
      { from: given(text), to: given({ type: "integer" }), at: replyField },
      { from: given(text), to: given({}), at: replyField },
      { from: given({ type: "integer" }), to: given({ type: "number" }), at: replyField },
      { from: given(text), to: given(nullable), at: `${replyField}/anyOf/1` },
      { from: given(text), to: given({ type: ["string", "null"] }), at: replyField },
      { from: given(fewer), to: given(letters), at: replyField },
      { from: given(fewer), to: given(text), at: replyField },
      { from: given(fewer), to: given({ ...letters, [mayGrow]: true }), at: replyField },
      {
        from: given({ type: "array", items: fewer }),
        to: given({ type: "array", items: letters }),
        at: `${replyField}/items`,
      },
      {
        from: given({ type: "array", items: text }),
        to: given({ type: "array" }),
        at: `${replyField}/items`,
      },
    ],
    allows: [
      { from: given({ type: "number" }), to: given({ type: "integer" }) },
      { from: given(nullable), to: given(text) },
      { from: given(letters), to: given(fewer) },
      { from: given({ ...fewer, [mayGrow]: true }), to: given(letters) },
    ],
  },
  "response-limit-widened": {
    breaks: [
      ...[{ maximum: 100 }, { minimum: -1 }, { maximum: undefined }].map((limit) => ({
        from: given({ type: "number", minimum: 0, maximum: 1 }),
        to: given({ type: "number", minimum: 0, maximum: 1, ...limit }),
        at: replyField,
      })),
      { from: given({ type: "array", minItems: 1 }), to: given({ type: "array" }), at: replyField },
    ],
    allows: [{ from: given({ type: "number" }), to: given({ type: "number", maximum: 1 }) }],
  },
  "response-form-changed": {
    breaks: [
      {
        from: given({ ...text, format: "date-time" }),
        to: given({ ...text, format: "date" }),
        at: replyField,
      },
      { from: given({ ...text, pattern: "^a$" }), to: given(text), at: replyField },
    ],
    allows: [{ from: given(text), to: given({ ...text, format: "uuid", pattern: "^a$" }) }],
  },
  "keyword-unknown": {
    breaks: [
      { from: asked({}), to: asked({ if: {} }), at: `${requestField}/if` },
      { from: given({ oneOf: [text] }), to: given({ oneOf: [{}] }), at: `${replyField}/oneOf` },
      {
        from: given({ additionalProperties: text }),
        to: given({ additionalProperties: letters }),
        at: `${replyField}/additionalProperties`,
      },
      { to: { item: { parameters: [page] } }, at: "/paths/~1v1~1a~0b/parameters" },
    ],
    allows: [
      { from: given({ oneOf: [text] }), to: given({ oneOf: [text] }) },
      { from: given({ title: "A" }), to: given({ title: "B", "x-note": 1, examples: [1] }) },
    ],
  },
};

for (const rule of Object.keys(changes) as readonly BreakRule[]) {
  const { breaks, allows } = changes[rule];
  test(`${rule}: what breaks clients is found at its place, and only that`, () => {
    for (const { from, to, at } of breaks) {
      const found = documentBreaks(sample(from), sample(to));
      assert.deepEqual(
        found.map((each) => [each.rule, each.pointer]),
        [[rule, at]],
        JSON.stringify(to),
      );
    }
    assert.ok(breaks.length > 0);
  });
  test(`${rule}: what breaks nobody passes`, () => {
    for (const { from, to } of allows) {
      assert.deepEqual(documentBreaks(sample(from), sample(to)), [], JSON.stringify(to));
    }
    assert.ok(allows.length > 0);
  });
}

test("a break says where it is, what was, what is and what to do", () => {
  const [found] = documentBreaks(sample(asked({ maximum: 9 })), sample(asked({ maximum: 8 })));
  assert.ok(found !== undefined);
  assert.equal(
    breakText(found),
    `${requestField} (request-limit-narrowed): maximum was 9 and is 8. ` +
      `Instead: ${breakRules["request-limit-narrowed"]}.`,
  );
});

test("schemas that contain themselves come to an end, and are compared all the same", () => {
  const tree = (leaf: Json) => ({
    schemas: { Tree: { properties: { leaf, inner: { $ref: "#/components/schemas/Tree" } } } },
    ...given({ $ref: "#/components/schemas/Tree" }),
  });
  assert.deepEqual(documentBreaks(sample(tree(text)), sample(tree(text))), []);
  assert.deepEqual(
    documentBreaks(sample(tree(text)), sample(tree(nullable))).map(({ pointer }) => pointer),
    ["/components/schemas/Tree/properties/leaf/anyOf/1"],
  );
});

test("a reference that leads nowhere is an error, not a silence", () => {
  const lost = given({ $ref: "#/components/schemas/None" });
  assert.throws(() => documentBreaks(sample(), sample(lost)), /leads nowhere/);
});

// Removing a field of the real document, or making one optional, is reported.
test("the service's own document: each field of each reply is guarded", () => {
  const own = openApiDocument();
  assert.deepEqual(documentBreaks(own, own), []);
  const replies = Object.keys(componentsOf(own)).filter(
    (name) => !/Request|Filter|TimeRange/.test(name),
  );
  let guarded = 0;
  for (const name of replies) {
    const fields = Object.keys(componentOf(own, name).properties ?? {});
    for (const field of fields) {
      const changed = structuredClone(own);
      delete componentOf(changed, name).properties?.[field];
      const pointers = documentBreaks(own, changed).map(({ pointer }) => pointer);
      assert.deepEqual(pointers, [`/components/schemas/${name}/properties/${field}`]);
      guarded++;
    }
  }
  assert.ok(guarded >= 40, `${guarded} fields`);
});

interface Component {
  /** Enumerations have none. */
  readonly properties?: Record<string, unknown>;
}

function componentsOf(document: Json): Record<string, Component> {
  const { components } = document as { components: { schemas: Record<string, Component> } };
  return components.schemas;
}

function componentOf(document: Json, name: string): Component {
  const component = componentsOf(document)[name];
  assert.ok(component !== undefined);
  return component;
}

function schemasOf(): Json {
  return sample()["components"] as Json;
}

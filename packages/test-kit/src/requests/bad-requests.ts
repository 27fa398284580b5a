import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { sampleIds, sampleRange } from "../sample-account.ts";
import { sharedSample } from "../shared-sample.ts";
import { assertProblem } from "./problem-shape.ts";

/** A body that is refused, and the faults that the refusal names, each as "pointer code". */
export interface BadRequest {
  readonly body: string | Buffer;
  /** Null: the body is not JSON. */
  readonly faults: readonly string[] | null;
}

/** Bad requests by what is wrong with them. */
export type BadRequests = Readonly<Record<string, BadRequest>>;

/** Fields of a request that replace the good ones; undefined leaves one out. */
export type Fields = Readonly<Record<string, unknown>>;

/** The faults that every analytics operation refuses; `good` are the other fields. */
function badRequestsOf(good: Fields): BadRequests {
  return { ...notJson(good), ...notTheShape(good), ...badFilters(good), ...badItems(good) };
}

/** A request whose fields are replaced. */
export function badFields(good: Fields, fields: Fields, ...faults: readonly string[]): BadRequest {
  const body = { ...good, filters: { timeRange: sampleRange }, ...fields };
  return { body: JSON.stringify(body), faults };
}

/** An operation's address, the fields of a good request but filters, and what is refused. */
export interface Refusals {
  readonly path: string;
  readonly good: Fields;
  /** In addition to what every analytics operation refuses. */
  readonly more: BadRequests;
}

/** Asserts that an operation refuses each of the requests with 400, and takes the good one. */
export async function assertRefusals(
  t: TestContext,
  { path, good, more }: Refusals,
): Promise<void> {
  const { service, token } = await sharedSample();
  const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
  const post = (body: string | Buffer) => service.request("POST", path, { body, headers });
  assert.equal((await post(badFields(good, {}).body)).status, 200);
  const additions = path.startsWith("/v1/analytics/") ? notOfTheInterface(good) : {};
  const all = { ...badRequestsOf(good), ...additions, ...more };
  for (const [what, { body, faults }] of Object.entries(all)) {
    await t.test(what, async () => {
      const reply = await post(body);
      const problem = assertProblem(reply, faults === null ? "malformed_json" : "invalid_request");
      const named = problem.errors?.map(({ path: at, code }) => `${at} ${code}`) ?? null;
      assert.deepEqual(named, faults);
    });
  }
}

function notJson(good: Fields): BadRequests {
  const text = String(badFields(good, {}).body);
  const bodies: Readonly<Record<string, string | Buffer>> = {
    "no body": "",
    "spaces alone": " \r\n",
    "half a body": text.slice(0, -1),
    "two bodies": text + text,
    "a comma too many": text.replace("}}", ",}}"),
    "quotes that are single": text.replaceAll('"', "'"),
    "a comment": `/* */${text}`,
    "a byte order mark": `\ufeff${text}`,
    "NaN for a number": text.replace("{", '{"x":NaN,'),
    "a NUL byte": "\0",
    "a line's end inside a text": '"a\nb"',
    "UTF-16": Buffer.from(text, "utf16le"),
    "a byte that is not UTF-8": Buffer.concat([Buffer.from('"'), Buffer.from([0xff, 0x22])]),
    "half a surrogate pair as UTF-8 bytes": Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
    "a field that stands twice": text.replace("{", '{"filters":{},'),
    "a nested field that stands twice": text.replace(
      '"from"',
      '"to":"2026-01-01T00:00:00Z","from"',
    ),
    "a field that stands twice in other letters": text.replace("{", '{"filte\\u0072s":{},'),
  };
  return Object.fromEntries(
    Object.entries(bodies).map(([what, body]) => [what, { body, faults: null }]),
  );
}

function notTheShape(good: Fields): BadRequests {
  const names = [...Object.keys(good), "filters"];
  const missing = names.map((name): readonly [string, BadRequest] => [
    `no ${name}`,
    badFields(good, { [name]: undefined }, `/${name} missing`),
  ]);
  const deep = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;
  return {
    ...Object.fromEntries(missing),
    "an empty object": { body: "{}", faults: names.map((name) => `/${name} missing`) },
    "an array": { body: "[]", faults: [" wrong_type"] },
    null: { body: "null", faults: [" wrong_type"] },
    "a text": { body: '"daily"', faults: [" wrong_type"] },
    "half a surrogate pair": { body: '"\\ud800"', faults: [" wrong_type"] },
    "a number": { body: "1", faults: [" wrong_type"] },
    "a number beyond a double": { body: "1e400", faults: [" wrong_type"] },
    "100,000 arrays in each other": {
      body: "[".repeat(100_000) + "]".repeat(100_000),
      faults: [" too_large"],
    },
    "100,000 objects in each other": { body: deep, faults: [" too_large"] },
    "an unknown field": badFields(good, { locale: "en" }, "/locale unknown_field"),
    "a prototype": badFields(good, { ["__proto__"]: { a: 1 } }, "/__proto__ unknown_field"),
    "a constructor": badFields(good, { constructor: 1 }, "/constructor unknown_field"),
    "filters as an array": badFields(good, { filters: [] }, "/filters wrong_type"),
    "filters as null": badFields(good, { filters: null }, "/filters wrong_type"),
  };
}

function badFilters(good: Fields): BadRequests {
  const { from, to } = sampleRange;
  const filters = (fields: Fields, ...faults: readonly string[]) =>
    badFields(good, { filters: { timeRange: sampleRange, ...fields } }, ...faults);
  const range = (fields: Fields, ...faults: readonly string[]) =>
    filters({ timeRange: { ...sampleRange, ...fields } }, ...faults);
  const wrongOrder = "/filters/timeRange wrong_order";
  return {
    "no range": filters({ timeRange: undefined }, "/filters/timeRange missing"),
    "no from": range({ from: undefined }, "/filters/timeRange/from missing"),
    "no to": range({ to: undefined }, "/filters/timeRange/to missing"),
    "from as a number": range({ from: 0 }, "/filters/timeRange/from wrong_type"),
    "from as a date alone": range({ from: "2026-01-05" }, "/filters/timeRange/from wrong_format"),
    "to without an offset": range(
      { to: "2026-01-08T00:00:00" },
      "/filters/timeRange/to wrong_format",
    ),
    "a day that does not exist": range(
      { to: "2026-02-30T00:00:00Z" },
      "/filters/timeRange/to wrong_format",
    ),
    "a time zone's name": range({ zone: "UTC" }, "/filters/timeRange/zone unknown_field"),
    "from after to": range({ from: to, to: from }, wrongOrder),
    "from at to": range({ from, to: from }, wrongOrder),
    "from at to in another offset": range({ to: "2026-01-05T01:00:00+01:00" }, wrongOrder),
    "from and to within a millisecond": range(
      { from: "2026-01-05T00:00:00.0001Z", to: "2026-01-05T00:00:00.0002Z" },
      wrongOrder,
    ),
    "a misspelt filter": filters({ provider: ["GROK"] }, "/filters/provider unknown_field"),
    "a prototype as a filter": filters({ ["__proto__"]: [] }, "/filters/__proto__ unknown_field"),
    "a filter's name to be escaped": filters({ "a/b~c": 1 }, "/filters/a~1b~0c unknown_field"),
    "branded as a text": filters({ branded: "true" }, "/filters/branded wrong_type"),
    "branded as a number": filters({ branded: 1 }, "/filters/branded wrong_type"),
    "branded as null": filters({ branded: null }, "/filters/branded wrong_type"),
    "topics and promptIds": filters(
      { topics: [{ id: sampleIds.storage }], promptIds: [sampleIds.storagePrompt] },
      "/filters/promptIds excluded",
    ),
  };
}

function badItems(good: Fields): BadRequests {
  const filters = (fields: Fields, ...faults: readonly string[]) =>
    badFields(good, { filters: { timeRange: sampleRange, ...fields } }, ...faults);
  const id = sampleIds.storage;
  return {
    "providers as a text": filters({ providers: "GROK" }, "/filters/providers wrong_type"),
    "providers as null": filters({ providers: null }, "/filters/providers wrong_type"),
    "a provider in lower case": filters(
      { providers: ["GROK", "grok"] },
      "/filters/providers/1 not_allowed",
    ),
    "a provider as null": filters({ providers: [null] }, "/filters/providers/0 not_allowed"),
    "too many providers": filters(
      { providers: Array(10_001).fill("GROK") },
      "/filters/providers too_large",
    ),
    "a topic as a text": filters({ topics: [id] }, "/filters/topics/0 wrong_type"),
    "a topic without an id": filters({ topics: [{}] }, "/filters/topics/0/id missing"),
    "a topic with a name": filters(
      { topics: [{ id, name: "Storage" }] },
      "/filters/topics/0/name unknown_field",
    ),
    "an id in braces": filters(
      { topics: [{ id: `{${id}}` }] },
      "/filters/topics/0/id wrong_format",
    ),
    "a prompt's id as an object": filters(
      { promptIds: [{ id }] },
      "/filters/promptIds/0 wrong_type",
    ),
    "an id without hyphens": filters(
      { promptIds: [id, id.replaceAll("-", "")] },
      "/filters/promptIds/1 wrong_format",
    ),
    "an id as a URN": filters(
      { promptIds: [`urn:uuid:${id}`] },
      "/filters/promptIds/0 wrong_format",
    ),
    "a region as a text": filters({ regions: ["US"] }, "/filters/regions/0 wrong_type"),
    "a region of three letters": filters(
      { regions: [{ code: "USA" }] },
      "/filters/regions/0/code wrong_format",
    ),
    "a region of one letter": filters(
      { regions: [{ code: "U" }] },
      "/filters/regions/0/code wrong_format",
    ),
    "a region with a digit": filters(
      { regions: [{ code: "U1" }] },
      "/filters/regions/0/code wrong_format",
    ),
    "a region in letters that are not ASCII": filters(
      { regions: [{ code: "ÜS" }] },
      "/filters/regions/0/code wrong_format",
    ),
    "a region with a line's end": filters(
      { regions: [{ code: "US\n" }] },
      "/filters/regions/0/code wrong_format",
    ),
    "a text of a million characters": filters(
      { promptIds: ["a".repeat(1_000_000)] },
      "/filters/promptIds/0 wrong_format",
    ),
  };
}

/** What only insights take. */
function notOfTheInterface(good: Fields): BadRequests {
  const timeRange = { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" };
  const of = (origin: object, fault: string) =>
    badFields(good, { filters: { timeRange, ...origin } }, fault);
  return {
    models: of({ models: ["gpt-5"] }, "/filters/models unknown_field"),
    surfaces: of({ surfaces: ["web"] }, "/filters/surfaces unknown_field"),
    tags: of({ tags: ["buying"] }, "/filters/tags unknown_field"),
    exclude: badFields(good, { exclude: {} }, "/exclude unknown_field"),
  };
}

/** Asserts that a time series refuses what it must; `others` are its other fields. */
export async function assertSeriesRefusals(
  t: TestContext,
  path: string,
  { others = {}, more: own = {} }: { readonly others?: Fields; readonly more?: BadRequests } = {},
): Promise<void> {
  const good = { ...others, interval: "daily" };
  const range = (interval: string, to: string, ...faults: readonly string[]) =>
    badFields(
      good,
      { interval, filters: { timeRange: { from: "2000-01-01T00:00:00Z", to } } },
      ...faults,
    );
  const more = {
    "an interval that is none": badFields(good, { interval: "hourly" }, "/interval not_allowed"),
    "an interval in capitals": badFields(good, { interval: "Daily" }, "/interval not_allowed"),
    "an interval as null": badFields(good, { interval: null }, "/interval not_allowed"),
    "a limit, which is for sources": badFields(good, { limit: 10 }, "/limit unknown_field"),
    // 2010-12-14 is the 4,000th day of 2000-01-01.
    "4,001 days": range("daily", "2010-12-14T00:00:00.001Z", "/interval too_large"),
    // 2000-01-01 is in the week of 1999-12-27; the 4,000th week from it begins on 2076-08-17.
    "4,001 weeks": range("weekly", "2076-08-24T00:00:00.001Z", "/interval too_large"),
    "4,001 months": range("monthly", "2333-05-01T00:00:00.001Z", "/interval too_large"),
  };
  await assertRefusals(t, { path, good, more: { ...more, ...own } });
}

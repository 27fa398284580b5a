import type { Break, BreakRule } from "./break.ts";
import { canonical, type Json } from "./located.ts";

/** Which way values go. */
export type Direction = "request" | "response";

/** Two schemas of one place. */
export interface SchemaPair {
  readonly before: Json;
  readonly after: Json;
  /** Of today's. */
  readonly pointer: string;
  readonly direction: Direction;
}

/** On an enumeration of replies: clients were told that a later version may add to it. */
export const mayGrow = "x-sightline-may-grow";

/** What differs in the values that two schemas of one type allow, beside what is inside them. */
export function valueBreaks(pair: SchemaPair): readonly Break[] {
  return [
    ...enumerationBreaks(pair),
    ...formBreaks(pair),
    ...limitBreaks(pair),
    ...defaultBreaks(pair),
  ];
}

/**
 * What is sent must be within what is taken. A request is sent by clients of before and taken by
 * today's service; a reply the other way round.
 */
function sentAndTaken({ before, after, direction }: SchemaPair): { sent: Json; taken: Json } {
  return direction === "request" ? { sent: before, taken: after } : { sent: after, taken: before };
}

function broken(pair: SchemaPair, what: "value" | "limit" | "form", keyword: string): Break {
  const rules = {
    request: {
      value: "request-value-narrowed",
      limit: "request-limit-narrowed",
      form: "request-form-changed",
    },
    response: {
      value: "response-value-widened",
      limit: "response-limit-widened",
      form: "response-form-changed",
    },
  } as const satisfies Record<Direction, Record<string, BreakRule>>;
  const [was, is] = [pair.before[keyword], pair.after[keyword]].map(shown);
  const message = `${keyword} was ${was} and is ${is}`;
  return { rule: rules[pair.direction][what], pointer: pair.pointer, message };
}

function shown(value: unknown): string {
  return value === undefined ? "not given" : JSON.stringify(value);
}

/** Whether one of the types that may be sent is not taken. */
export function typeBreaks(pair: SchemaPair): readonly Break[] {
  const { sent, taken } = sentAndTaken(pair);
  const [from, to] = [sent["type"], taken["type"]];
  const fits = to === undefined || from === to || (from === "integer" && to === "number");
  return fits ? [] : [broken(pair, "value", "type")];
}

function enumerationBreaks(pair: SchemaPair): readonly Break[] {
  const { sent, taken } = sentAndTaken(pair);
  if (pair.direction === "response" && taken[mayGrow] === true) return [];
  const allowed = valuesOf(taken);
  if (allowed === null) return [];
  const keyword = Object.hasOwn(pair.before, "const") ? "const" : "enum";
  const values = valuesOf(sent);
  if (values === null) return [broken(pair, "value", keyword)];
  const known = new Set(allowed.map(canonical));
  const beyond = values.filter((value) => !known.has(canonical(value))).map(shown);
  if (beyond.length === 0) return [];
  const { rule, pointer } = broken(pair, "value", keyword);
  const what = pair.direction === "request" ? "takes no more" : "did not have before";
  return [{ rule, pointer, message: `the enumeration ${what}: ${beyond.join(", ")}` }];
}

function valuesOf(schema: Json): readonly unknown[] | null {
  if (Object.hasOwn(schema, "const")) return [schema["const"]];
  return Array.isArray(schema["enum"]) ? schema["enum"] : null;
}

/** No pattern is compared with another, and no format: what is not equal may be anything. */
function formBreaks(pair: SchemaPair): readonly Break[] {
  const { sent, taken } = sentAndTaken(pair);
  return ["format", "pattern", "not", "multipleOf", "uniqueItems"].flatMap((keyword) => {
    const wanted = taken[keyword];
    if (wanted === undefined || wanted === false) return [];
    return canonical(sent[keyword]) === canonical(wanted) ? [] : [broken(pair, "form", keyword)];
  });
}

const leasts = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];
const mosts = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];

function limitBreaks(pair: SchemaPair): readonly Break[] {
  const { sent, taken } = sentAndTaken(pair);
  const outside = (keyword: string, isWithin: (own: number, limit: number) => boolean) => {
    const [own, limit] = [sent[keyword], taken[keyword]];
    if (typeof limit !== "number") return false;
    if (typeof own === "number") return !isWithin(own, limit);
    return !impliedBy(sent, keyword, limit);
  };
  return [
    ...leasts.filter((keyword) => outside(keyword, (own, limit) => own >= limit)),
    ...mosts.filter((keyword) => outside(keyword, (own, limit) => own <= limit)),
  ].map((keyword) => broken(pair, "limit", keyword));
}

/** Whether a schema without a limit keeps to it all the same, by the other way of saying it. */
function impliedBy(schema: Json, keyword: string, limit: number): boolean {
  const has = (other: string, test: (own: number) => boolean) => {
    const own = schema[other];
    return typeof own === "number" && test(own);
  };
  switch (keyword) {
    case "minimum":
      return has("exclusiveMinimum", (own) => own >= limit);
    case "exclusiveMinimum":
      return has("minimum", (own) => own > limit);
    case "maximum":
      return has("exclusiveMaximum", (own) => own <= limit);
    case "exclusiveMaximum":
      return has("maximum", (own) => own < limit);
    default:
      return keyword.startsWith("min") && limit === 0;
  }
}

function defaultBreaks({ before, after, pointer, direction }: SchemaPair): readonly Break[] {
  if (direction === "response") return [];
  const [was, is] = [shown(before["default"]), shown(after["default"])];
  if (was === is) return [];
  return [{ rule: "request-default-changed", pointer, message: `default was ${was} and is ${is}` }];
}

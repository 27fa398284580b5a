import type { Break } from "./break.ts";
import {
  at,
  canonical,
  followed,
  isObject,
  type Json,
  type Located,
  partsOf,
  placeOf,
} from "./located.ts";
import { type Direction, typeBreaks, valueBreaks } from "./value-breaks.ts";

/** Two schemas that stand at the same place. */
interface Schemas {
  readonly before: Located;
  readonly after: Located;
}

/** Compares schemas, each pair once, so that those that contain themselves come to an end. */
export class SchemaComparison {
  readonly #direction: Direction;
  readonly #seen = new Map<string, readonly Break[]>();

  constructor(direction: Direction) {
    this.#direction = direction;
  }

  /** How today's schema breaks those who know the one before. */
  breaks(schemas: Schemas): readonly Break[] {
    const { before, after } = schemas;
    const key = `${before.pointer}\n${after.pointer}`;
    const seen = this.#seen.get(key);
    if (seen !== undefined) return seen;
    this.#seen.set(key, []);
    const found = this.#alternatives(schemas);
    this.#seen.set(key, found);
    return found;
  }

  /** Each alternative that may be sent has to be within one that is taken. */
  #alternatives({ before, after }: Schemas): readonly Break[] {
    const [olds, news] = [alternativesOf(before), alternativesOf(after)];
    const single = (old: Located, fresh: Located) => this.#single({ before: old, after: fresh });
    if (this.#direction === "request") {
      return olds.flatMap((old) => fewest(news.map((fresh) => single(old, fresh))));
    }
    return news.flatMap((fresh) => fewest(olds.map((old) => single(old, fresh))));
  }

  #single({ before, after }: Schemas): readonly Break[] {
    const [old, fresh] = [asObject(before), asObject(after)];
    const { pointer } = after;
    const pair = { before: old, after: fresh, pointer, direction: this.#direction };
    const types = typeBreaks(pair);
    if (types.length > 0) return types; // all else would be said of other values
    const both = { before, after };
    return [
      ...valueBreaks(pair),
      ...unknownBreaks(old, fresh, pointer),
      ...this.#items(both),
      ...(this.#direction === "request" ? this.#taken(both) : this.#sent(both)),
    ];
  }

  #items({ before, after }: Schemas): readonly Break[] {
    const [old, fresh] = [at(before, "items"), at(after, "items")];
    if (old !== undefined && fresh !== undefined) {
      return this.breaks({ before: old, after: fresh });
    }
    if (this.#direction === "request" && fresh !== undefined) {
      const message = "items were not looked at and are";
      return [{ rule: "request-value-narrowed", pointer: fresh.pointer, message }];
    }
    if (this.#direction === "response" && old !== undefined) {
      const message = "what the items are is not said any more";
      return [{ rule: "response-value-widened", pointer: old.pointer, message }];
    }
    return [];
  }

  /** Fields of a request: those that were sent are still taken, and no other is wanted. */
  #taken({ before, after }: Schemas): readonly Break[] {
    const [olds, news] = [partsOf(at(before, "properties")), partsOf(at(after, "properties"))];
    const [wanted, wantedBefore] = [requiredOf(after), requiredOf(before)];
    const isClosed = at(after, "additionalProperties")?.value === false;
    const wasClosed = at(before, "additionalProperties")?.value === false;
    const closing: readonly Break[] =
      isClosed && !wasClosed
        ? [
            {
              rule: "request-field-refused",
              pointer: `${after.pointer}/additionalProperties`,
              message: "fields that are not named were passed over and are refused",
            },
          ]
        : [];
    const required = wanted
      .filter((name) => !wantedBefore.includes(name))
      .map((name): Break => {
        const named = news.has(name) ? ["properties", name] : ["required"];
        const pointer = placeOf(after.pointer, ...named);
        return { rule: "request-field-required", pointer, message: `${name} is required now` };
      });
    const fields = [...olds].flatMap(([name, old]): readonly Break[] => {
      const fresh = news.get(name);
      if (fresh !== undefined) return this.breaks({ before: old, after: fresh });
      if (!isClosed) return [];
      const message = `${name} is refused now`;
      const pointer = placeOf(before.pointer, "properties", name);
      return [{ rule: "request-field-refused", pointer, message }];
    });
    return [...closing, ...required, ...fields];
  }

  /** Fields of a reply: those that were there still are, as surely as before. */
  #sent({ before, after }: Schemas): readonly Break[] {
    const [olds, news] = [partsOf(at(before, "properties")), partsOf(at(after, "properties"))];
    const [sure, sureBefore] = [requiredOf(after), requiredOf(before)];
    return [...olds].flatMap(([name, old]): readonly Break[] => {
      const fresh = news.get(name);
      if (fresh === undefined) {
        const message = `${name} is not sent any more`;
        const pointer = placeOf(before.pointer, "properties", name);
        return [{ rule: "response-field-removed", pointer, message }];
      }
      const inside = this.breaks({ before: old, after: fresh });
      if (!sureBefore.includes(name) || sure.includes(name)) return inside;
      const message = `${name} was always sent and is optional`;
      const pointer = placeOf(after.pointer, "properties", name);
      return [{ rule: "response-field-optional", pointer, message }, ...inside];
    });
  }
}

/** The alternative that comes nearest: none of its breaks when one fits. */
function fewest(alternatives: readonly (readonly Break[])[]): readonly Break[] {
  const [first = [], ...rest] = alternatives;
  return rest.reduce((best, each) => (each.length < best.length ? each : best), first);
}

/** A schema by its alternatives: those of `anyOf`, and one for each of several types. */
function alternativesOf(located: Located): readonly Located[] {
  const schema = asObject(located);
  const { anyOf, ...beside } = schema;
  if (Array.isArray(anyOf)) {
    return anyOf.flatMap((each: unknown, index) => {
      const pointer = `${located.pointer}/anyOf/${index}`;
      const inner = followed({ ...located, pointer, value: each });
      return alternativesOf({ ...inner, value: { ...beside, ...asObject(inner) } });
    });
  }
  const { type } = schema;
  if (!Array.isArray(type)) return [located];
  return type.map((each: unknown) => ({ ...located, value: { ...schema, type: each } }));
}

function asObject({ value, pointer }: Located): Json {
  if (value === true) return {};
  if (value === false) return { not: {} };
  if (isObject(value)) return value;
  throw new Error(`${pointer} is not a schema`);
}

function requiredOf(located: Located): readonly string[] {
  const required = at(located, "required")?.value;
  return Array.isArray(required) ? required.map(String) : [];
}

/** What the comparison understands; and what tells people something and allows nothing. */
const known = new Set([
  ...["type", "enum", "const", "format", "pattern", "not", "multipleOf", "uniqueItems", "default"],
  ...["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"],
  ...["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"],
  ...["properties", "required", "items", "anyOf"],
  ...["title", "description", "examples", "example", "deprecated", "$comment", "externalDocs"],
]);

/** A keyword that the comparison does not know is a break when it changes. */
function unknownBreaks(old: Json, fresh: Json, pointer: string): readonly Break[] {
  const keywords = new Set([...Object.keys(old), ...Object.keys(fresh)]);
  return [...keywords].flatMap((keyword): readonly Break[] => {
    if (known.has(keyword) || keyword.startsWith("x-")) return [];
    if (canonical(old[keyword]) === canonical(fresh[keyword])) return [];
    if (keyword === "additionalProperties" && isSwitch(old[keyword]) && isSwitch(fresh[keyword])) {
      return []; // the fields are compared one by one
    }
    const message = `${keyword} changed, and what that means is not known`;
    return [{ rule: "keyword-unknown", pointer: `${pointer}/${keyword}`, message }];
  });
}

function isSwitch(value: unknown): boolean {
  return value === undefined || typeof value === "boolean";
}

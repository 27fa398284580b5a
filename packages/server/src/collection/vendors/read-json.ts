import { providers, type Vendor, vendorsOf } from "@sightline/contract";
import type { Adapter, AuthorizedRequest, VendorRequest } from "../adapter.ts";

/** A JSON object of a vendor: what its fields hold is checked when they are read. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A reply that has not the documented shape. Its message names the field. */
export class UnknownShape extends Error {
  override readonly name = "UnknownShape";
}

/** The JSON object that a body holds. @throws UnknownShape for any other body. */
export function parsedObject(body: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    throw new UnknownShape(`the reply is not JSON (${body.length} characters)`);
  }
  if (isObject(value)) return value;
  throw new UnknownShape("the reply is not a JSON object");
}

/** A field that is an object. */
export function objectAt(holder: JsonObject, field: string): JsonObject {
  return optionalObjectAt(holder, field) ?? missing(field);
}

/** A field that is an object; null: it is absent or null. */
export function optionalObjectAt(holder: JsonObject, field: string): JsonObject | null {
  const value = holder[field] ?? null;
  return value === null || isObject(value) ? value : wrong(field, "an object");
}

/** A field that is a list of objects. */
export function listAt(holder: JsonObject, field: string): readonly JsonObject[] {
  return optionalListAt(holder, field) ?? missing(field);
}

/** A field that is a list of objects; null: it is absent or null. */
export function optionalListAt(holder: JsonObject, field: string): readonly JsonObject[] | null {
  const value = holder[field] ?? null;
  if (value === null) return null;
  return Array.isArray(value) && value.every(isObject) ? value : wrong(field, "a list of objects");
}

/** A field that is a list of texts; empty: it is absent or null. */
export function textsAt(holder: JsonObject, field: string): readonly string[] {
  const value = holder[field] ?? [];
  return Array.isArray(value) && value.every(isText) ? value : wrong(field, "a list of texts");
}

/** A field that is a text. */
export function textAt(holder: JsonObject, field: string): string {
  return optionalTextAt(holder, field) ?? missing(field);
}

/** A field that is a text; null: it is absent or null. */
export function optionalTextAt(holder: JsonObject, field: string): string | null {
  const value = holder[field] ?? null;
  return value === null || isText(value) ? value : wrong(field, "a text");
}

/** More than any model reads or writes for one question. */
const plausibleCountMax = 1_000_000_000;

/**
 * A count of a vendor, such as tokens. Lenient, since an answer is right whatever it cost; 0: there
 * is none, or it is something else.
 */
export function countAt(holder: JsonObject | null, field: string): number {
  const value = holder?.[field];
  const isCount = typeof value === "number" && Number.isInteger(value) && value >= 0;
  return isCount && value <= plausibleCountMax ? value : 0;
}

/** As `optionalObjectAt`, but null also for what is of another type. */
export function lenientObjectAt(holder: JsonObject | null, field: string): JsonObject | null {
  const value = holder?.[field];
  return isObject(value) ? value : null;
}

/** Whether a value is an object, and neither a list nor null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const isText = (value: unknown): value is string => typeof value === "string";

function missing(field: string): never {
  throw new UnknownShape(`the reply lacks "${field}"`);
}

function wrong(field: string, expected: string): never {
  throw new UnknownShape(`"${field}" of the reply is not ${expected}`);
}

/** A request with its credential as a bearer token (RFC 6750). */
export function bearer(request: VendorRequest, credential: string): AuthorizedRequest {
  const { path, headers } = request;
  return { path, headers: { ...headers, authorization: `Bearer ${credential}` } };
}

/** What a vendor is asked for, in the order of the providers: what workspace files may say. */
export function asksOf(vendor: Vendor): Adapter["asks"] {
  return providers.flatMap((provider) =>
    (["api", "web"] as const)
      .filter((surface) => vendorsOf[provider][surface]?.includes(vendor))
      .map((surface) => ({ provider, surface })),
  );
}

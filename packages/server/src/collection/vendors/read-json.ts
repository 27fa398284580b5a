import { providers, type Vendor, vendorsOf } from "@sightline/contract";
import type { Adapter, AuthorizedRequest, VendorRequest } from "../adapter.ts";

/** A JSON object of a vendor, whose fields are checked when they are read. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A reply does not have the documented shape; the message names the field. */
export class UnknownShape extends Error {
  override readonly name = "UnknownShape";
}

/** Parses a body that is a JSON object. @throws UnknownShape for any other body. */
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

/** A field with an object. @throws UnknownShape otherwise. */
export function objectAt(holder: JsonObject, field: string): JsonObject {
  return optionalObjectAt(holder, field) ?? missing(field);
}

/** A field with an object; null: absent or null. @throws UnknownShape otherwise. */
export function optionalObjectAt(holder: JsonObject, field: string): JsonObject | null {
  const value = holder[field] ?? null;
  return value === null || isObject(value) ? value : wrong(field, "an object");
}

/** A field with a list of objects. @throws UnknownShape otherwise. */
export function listAt(holder: JsonObject, field: string): readonly JsonObject[] {
  return optionalListAt(holder, field) ?? missing(field);
}

/** A field with a list of objects; null: absent or null. @throws UnknownShape otherwise. */
export function optionalListAt(holder: JsonObject, field: string): readonly JsonObject[] | null {
  const value = holder[field] ?? null;
  if (value === null) return null;
  return Array.isArray(value) && value.every(isObject) ? value : wrong(field, "a list of objects");
}

/** A field with a list of texts; empty: absent or null. @throws UnknownShape otherwise. */
export function textsAt(holder: JsonObject, field: string): readonly string[] {
  const value = holder[field] ?? [];
  return Array.isArray(value) && value.every(isText) ? value : wrong(field, "a list of texts");
}

/** A field with a text. @throws UnknownShape otherwise. */
export function textAt(holder: JsonObject, field: string): string {
  return optionalTextAt(holder, field) ?? missing(field);
}

/** A field with a text; null: absent or null. @throws UnknownShape otherwise. */
export function optionalTextAt(holder: JsonObject, field: string): string | null {
  const value = holder[field] ?? null;
  return value === null || isText(value) ? value : wrong(field, "a text");
}

/** More than any model reads or writes for one question. */
const plausibleCountMax = 1_000_000_000;

/**
 * A vendor's count, such as tokens. Lenient, since an answer is right whatever it cost; 0: absent
 * or not a count.
 */
export function countAt(holder: JsonObject | null, field: string): number {
  const value = holder?.[field];
  const isCount = typeof value === "number" && Number.isInteger(value) && value >= 0;
  return isCount && value <= plausibleCountMax ? value : 0;
}

/** As `optionalObjectAt`, but null for values of other types. */
export function lenientObjectAt(holder: JsonObject | null, field: string): JsonObject | null {
  const value = holder?.[field];
  return isObject(value) ? value : null;
}

/** Whether a value is an object, neither a list nor null. */
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

/** Authorizes a request with a bearer token (RFC 6750). */
export function bearer(request: VendorRequest, credential: string): AuthorizedRequest {
  const { path, headers } = request;
  return { path, headers: { ...headers, authorization: `Bearer ${credential}` } };
}

/**
 * The providers and surfaces of a vendor, in the order of the providers: the values that workspace
 * files may have.
 */
export function asksOf(vendor: Vendor): Adapter["asks"] {
  return providers.flatMap((provider) =>
    (["api", "web"] as const)
      .filter((surface) => vendorsOf[provider][surface]?.includes(vendor))
      .map((surface) => ({ provider, surface })),
  );
}

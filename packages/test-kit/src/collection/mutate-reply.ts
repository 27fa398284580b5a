import assert from "node:assert/strict";
import fc from "fast-check";
import type { CollectedCitation } from "../../../server/src/collection/adapter.ts";

/** A place in JSON: keys and indices from the outside in. */
type Path = readonly (string | number)[];

/** What is done to a reply. */
export type Mutation =
  | { readonly kind: "cut"; readonly share: number }
  | { readonly kind: "status"; readonly status: number }
  | { readonly kind: "removed" | "null"; readonly place: number }
  | {
      readonly kind: "other type" | "other value";
      readonly place: number;
      readonly value: unknown;
    };

const scalars = fc.oneof(
  fc.string(),
  fc.boolean(),
  fc.constantFrom(0, -1, 1.5, 1e308, -1e308, Number.MAX_SAFE_INTEGER, 2 ** 53),
  fc.constantFrom("incomplete", "failed", "refusal", "max_tokens", "SAFETY", "url_citation"),
);
const values = fc.oneof(scalars, fc.array(scalars), fc.dictionary(fc.string(), scalars));

/** By depth: the first places are those of a reply's status, the last those of its pages. */
const places = fc.oneof(fc.nat(), fc.nat({ max: 40 }));

/** Any mutation of any reply. */
export const mutations: fc.Arbitrary<Mutation> = fc.oneof(
  fc.record({
    kind: fc.constant("cut" as const),
    share: fc.double({ min: 0, max: 0.999, noNaN: true }),
  }),
  fc.record({
    kind: fc.constant("status" as const),
    status: fc.oneof(
      fc.constantFrom(201, 204, 301, 400, 401, 402, 403, 404, 408, 413, 429, 500, 503, 529),
      fc.integer({ min: 100, max: 999 }).filter((status) => status !== 200),
    ),
  }),
  fc.record({ kind: fc.constantFrom("removed" as const, "null" as const), place: places }),
  ...Array.from({ length: 3 }, () =>
    fc.record({
      kind: fc.constantFrom("other type" as const, "other value" as const),
      place: places,
      value: values,
    }),
  ),
);

/** A reply after a mutation. Null: the mutation changes nothing in this reply. */
export function mutated(
  body: string,
  mutation: Mutation,
): { readonly status: number; readonly body: string } | null {
  if (mutation.kind === "status") return { status: mutation.status, body };
  if (mutation.kind === "cut") {
    return { status: 200, body: body.slice(0, Math.floor(body.length * mutation.share)) };
  }
  const reply: unknown = JSON.parse(body);
  const paths = pathsOf(reply).toSorted((a, b) => a.length - b.length);
  const path = paths[mutation.place % paths.length] ?? [];
  const [holder, key] = [at(reply, path.slice(0, -1)), path.at(-1)];
  if (typeof holder !== "object" || holder === null || key === undefined) return null;
  const before: unknown = Reflect.get(holder, key);
  if (mutation.kind === "removed") {
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else Reflect.deleteProperty(holder, key);
  } else {
    const value = "value" in mutation ? mutation.value : null;
    if (mutation.kind === "other type" && typeOf(value) === typeOf(before)) return null;
    Reflect.set(holder, key, value);
  }
  return { status: 200, body: JSON.stringify(reply) };
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "list" : typeof value;
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (holder, key) =>
      typeof holder === "object" && holder !== null ? Reflect.get(holder, key) : undefined,
    value,
  );
}

/** Every place in a reply but its root. */
function pathsOf(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== "object" || value === null) return path.length === 0 ? [] : [path];
  const own = path.length === 0 ? [] : [path];
  const entries: readonly (readonly [string | number, unknown])[] = Array.isArray(value)
    ? value.map((item, index) => [index, item] as const)
    : Object.entries(value);
  return [...own, ...entries.flatMap(([key, inner]) => pathsOf(inner, [...path, key]))];
}

/** That spans are what the record takes: within the text, in order, disjoint, not empty. */
export function checkSpans(spans: CollectedCitation["spans"], text: string): void {
  let free = 0;
  for (const { start, end } of spans) {
    assert.ok(Number.isInteger(start) && Number.isInteger(end));
    assert.ok(start >= free && start < end && end <= text.length, JSON.stringify(spans));
    free = end;
  }
}

/** A value of JSON that is an object. */
export type Json = Readonly<Record<string, unknown>>;

/** A part of a document, and where it stands. */
export interface Located {
  readonly document: Json;
  /** JSON Pointer (RFC 6901). */
  readonly pointer: string;
  readonly value: unknown;
}

/** A whole document. */
export function whole(document: Json): Located {
  return { document, pointer: "", value: document };
}

/** Whether a value is an object, and no array. */
export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The part under a name; undefined when there is none. References are followed. */
export function at({ document, pointer, value }: Located, name: string): Located | undefined {
  if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
  return followed({ document, pointer: placeOf(pointer, name), value: value[name] });
}

/** The named parts of an object, references followed; none when it is not an object. */
export function partsOf(located: Located | undefined): ReadonlyMap<string, Located> {
  const { value } = located ?? {};
  if (located === undefined || !isObject(value)) return new Map();
  return new Map(
    Object.keys(value).flatMap((name) => {
      const part = at(located, name);
      return part === undefined ? [] : [[name, part] as const];
    }),
  );
}

/** What a reference leads to, or the part itself. @throws when it leads nowhere in the document. */
export function followed(located: Located): Located {
  const { document, value } = located;
  if (!isObject(value) || typeof value["$ref"] !== "string") return located;
  const reference = value["$ref"];
  if (!reference.startsWith("#/")) throw new Error(`${reference} is not within the document`);
  let target: unknown = document;
  for (const name of reference.slice(2).split("/")) {
    const unescaped = decodeURIComponent(name).replaceAll("~1", "/").replaceAll("~0", "~");
    if (!isObject(target) || !Object.hasOwn(target, unescaped)) {
      throw new Error(`${located.pointer}: ${reference} leads nowhere`);
    }
    target = target[unescaped];
  }
  return followed({ document, pointer: reference.slice(1), value: target });
}

/** JSON with sorted names: equal for values that say the same. */
export function canonical(value: unknown): string {
  if (value === undefined) return "";
  return JSON.stringify(value, (_name, inner: unknown) =>
    isObject(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** The pointer to what stands under names; `at` gives that of what a reference leads to. */
export function placeOf(pointer: string, ...names: readonly string[]): string {
  const escaped = names.map((name) => name.replaceAll("~", "~0").replaceAll("/", "~1"));
  return [pointer, ...escaped].join("/");
}

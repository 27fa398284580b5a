/** A value of JSON that is an object. */
export type Json = Readonly<Record<string, unknown>>;

/** A place at which a document says something else than the one before, and may break a client. */
export interface Break {
  /** JSON Pointer (RFC 6901). */
  readonly pointer: string;
  readonly message: string;
}

/**
 * Changes that break nobody although they are no additions, such as a higher limit of a request: by
 * pointer, with the reason. Empty it at a release.
 */
const knownAsHarmless: Readonly<Record<string, string>> = {
  "/webhooks": "What the service sends by itself, to those who ask for it: no call is different.",
};

/** A part of both documents, and what is known of its place. */
interface Place {
  readonly pointer: string;
  /** The keyword under which it stands, or the one of the map that holds it. */
  readonly keyword: string;
  /** Whether its keys are names that somebody chose, and no keywords. */
  readonly isMap: boolean;
  /** Whether clients send it; what they are only sent may gain fields that are always there. */
  readonly isSent: boolean;
}

/** Keywords below which names stand. */
const maps = ["paths", "responses", "headers", "content", "properties", "schemas"];
/** Keywords that tell people something and allow nothing. */
const annotations = ["description", "summary", "title", "example", "examples", "tags", "info"];
const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/**
 * Where today's OpenAPI document is not the one before with additions: operations, replies of
 * errors, media types, header fields, components, optional parameters and fields of requests, any
 * fields of replies, ways to authenticate, and values of enumerations that may grow.
 */
export function breakingChanges(
  before: Json,
  after: Json,
  harmless: Readonly<Record<string, string>> = knownAsHarmless,
): readonly Break[] {
  const sent = sentComponents(after);
  const root = { pointer: "", keyword: "", isMap: false, isSent: false };
  return changesOf(before, after, root).filter(({ pointer }) => !Object.hasOwn(harmless, pointer));

  function changesOf(old: unknown, fresh: unknown, place: Place): readonly Break[] {
    if (isObject(old) && isObject(fresh)) return objectChanges(old, fresh, place);
    if (!Array.isArray(old) || !Array.isArray(fresh)) {
      return canonical(old) === canonical(fresh) ? [] : [changed(old, fresh, place)];
    }
    if (place.keyword === "parameters") {
      const map = { ...place, isMap: true };
      return objectChanges(parametersByName(old), parametersByName(fresh), map);
    }
    if (place.keyword === "servers" || place.keyword === "security") {
      // No way to authenticate that is asked for: anybody may ask.
      const isOpen = place.keyword === "security" && fresh.length === 0;
      const isKept = isOpen || (old.length > 0 && isWithin(old, fresh));
      return isKept ? [] : [changed(old, fresh, place)];
    }
    if (old.every(isObject) && old.length === fresh.length) {
      return old.flatMap((each, index) => changesOf(each, fresh[index], below(place, `${index}`)));
    }
    return isWithin(old, fresh) && isWithin(fresh, old) ? [] : [changed(old, fresh, place)];
  }

  function objectChanges(old: Json, fresh: Json, place: Place): readonly Break[] {
    const names = new Set([...Object.keys(old), ...Object.keys(fresh)]);
    return [...names].flatMap((name): readonly Break[] => {
      const [was, is] = [old[name], fresh[name]];
      if (!place.isMap && (annotations.includes(name) || name.startsWith("x-"))) return [];
      const inside = below(place, name);
      if (is === undefined) return [{ pointer: inside.pointer, message: "is gone" }];
      if (was === undefined) {
        return mayBeNew(name, is, place) ? [] : [{ pointer: inside.pointer, message: "is new" }];
      }
      if (!place.isMap && isGrown(name, [old, fresh], inside)) return [];
      return changesOf(was, is, inside);
    });
  }

  function below({ pointer, keyword, isMap, isSent }: Place, name: string): Place {
    const isComponent = isMap && keyword === "schemas";
    return {
      pointer: `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`,
      keyword: isMap ? `one of ${keyword}` : name,
      isMap: !isMap && maps.includes(name),
      isSent:
        isSent ||
        (isComponent && sent.has(name)) ||
        (!isMap && ["requestBody", "parameters"].includes(name)),
    };
  }
}

/** Whether something may stand where there was nothing. */
function mayBeNew(name: string, value: unknown, { keyword, isMap }: Place): boolean {
  if (keyword === "one of paths") return methods.includes(name);
  if (!isMap) {
    // The first header field of a reply brings the map of them.
    return keyword === "components" || (keyword === "one of responses" && name === "headers");
  }
  if (keyword === "responses") return !/^[23d]/.test(name); // nobody knows another success
  return keyword !== "parameters" || !isObject(value) || value["required"] !== true;
}

/** Whether a list has gained only what it may: values of an enumeration, new fields of replies. */
function isGrown(name: string, [old, fresh]: readonly [Json, Json], { isSent }: Place): boolean {
  const [was, is] = [old[name], fresh[name]];
  if (!Array.isArray(was) || !Array.isArray(is) || !isWithin(was, is)) return false;
  if (name === "enum") return old["x-sightline-may-grow"] === true;
  if (name !== "required" || isSent) return false;
  const known = isObject(old["properties"]) ? old["properties"] : {};
  return is.every((field: string) => was.includes(field) || !Object.hasOwn(known, field));
}

/** The components that requests are made of, also by way of others. */
function sentComponents(document: Json): ReadonlySet<string> {
  const found = new Set<string>();
  const schemas = (document["components"] as Json | undefined)?.["schemas"] as Json | undefined;
  const collect = (value: unknown, isSent: boolean): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [name, each] of Object.entries(value)) {
      const component = name === "$ref" && isSent ? String(each).split("/").at(-1) : undefined;
      if (component !== undefined && !found.has(component)) {
        found.add(component);
        collect(schemas?.[component], true);
      }
      collect(each, isSent || name === "requestBody" || name === "parameters");
    }
  };
  collect(document["paths"], false);
  return found;
}

/** A break as a line for people. */
export function breakText({ pointer, message }: Break): string {
  return (
    `${pointer} ${message}. Keep what was released and add beside it; when no client can notice, ` +
    "list the pointer with the reason in breaking-changes.ts."
  );
}

function parametersByName(parameters: readonly unknown[]): Json {
  return Object.fromEntries(
    parameters.map((each) => [isObject(each) ? `${each["in"]} ${each["name"]}` : "", each]),
  );
}

function changed(old: unknown, fresh: unknown, { pointer }: Place): Break {
  return { pointer, message: `was ${JSON.stringify(old)} and is ${JSON.stringify(fresh)}` };
}

function isWithin(few: readonly unknown[], many: readonly unknown[]): boolean {
  const known = new Set(many.map(canonical));
  return few.every((each) => known.has(canonical(each)));
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** JSON with sorted names: equal for values that say the same. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) =>
    isObject(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

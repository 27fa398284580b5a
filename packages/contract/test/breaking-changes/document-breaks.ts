import type { Break } from "./break.ts";
import {
  at,
  canonical,
  isObject,
  type Json,
  type Located,
  partsOf,
  placeOf,
  whole,
} from "./located.ts";
import { SchemaComparison } from "./schema-breaks.ts";
import type { Direction } from "./value-breaks.ts";

/** A part of both documents. */
interface Both {
  readonly before: Located;
  readonly after: Located;
}

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/** How today's OpenAPI document breaks those who keep to the one before; none when it does not. */
export function documentBreaks(before: Json, after: Json): readonly Break[] {
  const both = { before: whole(before), after: whole(after) };
  const found = [
    ...missing(within(both, "components", "schemas"), "component-removed", "the component"),
    ...serverBreaks(both),
    ...sharedBreaks(both),
    ...operationsOf(both.before).flatMap(([path, method, old]) => {
      const fresh = operationOf(both.after, path, method);
      if (fresh !== undefined) return operationBreaks({ before: old, after: fresh });
      const message = `${method.toUpperCase()} ${path} is gone`;
      return [{ rule: "operation-removed", pointer: old.pointer, message } as const];
    }),
  ];
  return [...new Map(found.map((each) => [canonical(each), each])).values()];
}

function operationsOf(document: Located): readonly (readonly [string, string, Located])[] {
  return [...partsOf(at(document, "paths"))].flatMap(([path, item]) =>
    [...partsOf(item)]
      .filter(([method]) => methods.includes(method))
      .map(([method, operation]) => [path, method, operation] as const),
  );
}

function operationOf(document: Located, path: string, method: string): Located | undefined {
  const item = partsOf(at(document, "paths")).get(path);
  return item === undefined ? undefined : at(item, method);
}

/** What a path says for all of its operations is not understood: no document of ours says it. */
function sharedBreaks(both: Both): readonly Break[] {
  const paths = within(both, "paths");
  return [...partsOf(paths.before)].flatMap(([path, old]): readonly Break[] => {
    const fresh = at(paths.after, path);
    const shared = [old, fresh].map((item) => canonical(partsOf(item).get("parameters")?.value));
    if (fresh === undefined || shared[0] === shared[1]) return [];
    const message = "the parameters of all operations changed, and that is not compared";
    return [{ rule: "keyword-unknown", pointer: `${fresh.pointer}/parameters`, message }];
  });
}

function operationBreaks(both: Both): readonly Break[] {
  const [was, is] = [both.before, both.after].map((each) => at(each, "operationId")?.value);
  const renamed: readonly Break[] =
    was === undefined || was === is
      ? []
      : [
          {
            rule: "operation-renamed",
            pointer: `${both.after.pointer}/operationId`,
            message: `operationId was ${String(was)} and is ${String(is)}`,
          },
        ];
  return [
    ...renamed,
    ...securityBreaks(both),
    ...parameterBreaks(both),
    ...bodyBreaks(both),
    ...replyBreaks(both),
  ];
}

function serverBreaks({ before, after }: Both): readonly Break[] {
  const urls = (each: Located) => {
    const servers = at(each, "servers")?.value;
    return (Array.isArray(servers) ? servers : []).map((server: Json) => server["url"]);
  };
  const today = urls(after);
  return urls(before).flatMap((url, index) => {
    if (today.includes(url)) return [];
    const message = `the server ${String(url)} is gone`;
    return [{ rule: "server-removed", pointer: `/servers/${index}`, message } as const];
  });
}

/** Each way of before is a way of today, with the same schemes behind the names. */
function securityBreaks({ before, after }: Both): readonly Break[] {
  const today = waysOf(after);
  if (today.includes(canonical([]))) return [];
  const pointer = `${after.pointer}/security`;
  return waysOf(before)
    .filter((way) => !today.includes(way))
    .map((way) => ({
      rule: "security-changed",
      pointer,
      message: `${way === "[]" ? "no proof" : way} was enough and is not`,
    }));
}

function waysOf(operation: Located): readonly string[] {
  const document = whole(operation.document);
  const own = at(operation, "security") ?? at(document, "security");
  const schemes = at(document, "components");
  const named = partsOf(schemes === undefined ? undefined : at(schemes, "securitySchemes"));
  const ways = Array.isArray(own?.value) && own.value.length > 0 ? own.value : [{}];
  return ways.map((way: Json) =>
    canonical(
      Object.entries(way).map(([name, scopes]) => {
        const scheme = named.get(name)?.value;
        const { description, bearerFormat, ...rest } = isObject(scheme) ? scheme : {};
        return [rest, scopes];
      }),
    ),
  );
}

function parameterBreaks(both: Both): readonly Break[] {
  const [olds, news] = [parametersOf(both.before), parametersOf(both.after)];
  const removed = [...olds].flatMap(([name, old]): readonly Break[] => {
    const fresh = news.get(name);
    if (fresh !== undefined) return inner({ before: old, after: fresh }, "request", "schema");
    return [{ rule: "parameter-removed", pointer: old.pointer, message: `${name} is gone` }];
  });
  const required = [...news].flatMap(([name, fresh]): readonly Break[] => {
    const old = olds.get(name);
    if (!isRequired(fresh) || (old !== undefined && isRequired(old))) return [];
    const message = `${name} is required now`;
    return [{ rule: "parameter-required", pointer: fresh.pointer, message }];
  });
  return [...removed, ...required];
}

/** By where they stand and their name. */
function parametersOf(operation: Located): ReadonlyMap<string, Located> {
  const listed = at(operation, "parameters");
  const values: readonly unknown[] = Array.isArray(listed?.value) ? listed.value : [];
  return new Map(
    values.map((value, index) => {
      const pointer = `${operation.pointer}/parameters/${index}`;
      const parameter = partsOf({ ...operation, value: { parameter: value } }).get("parameter");
      const located = { ...operation, pointer, value: parameter?.value };
      const said = isObject(located.value) ? located.value : {};
      return [`${String(said["in"])} ${String(said["name"])}`, located];
    }),
  );
}

function isRequired(part: Located): boolean {
  return at(part, "required")?.value === true;
}

function bodyBreaks({ before, after }: Both): readonly Break[] {
  const [old, fresh] = [at(before, "requestBody"), at(after, "requestBody")];
  if (old !== undefined && fresh === undefined) {
    return [{ rule: "body-removed", pointer: old.pointer, message: "no body is taken any more" }];
  }
  if (fresh === undefined) return [];
  const required: readonly Break[] =
    isRequired(fresh) && (old === undefined || !isRequired(old))
      ? [{ rule: "body-required", pointer: fresh.pointer, message: "a body is required now" }]
      : [];
  if (old === undefined) return required;
  return [...required, ...contentBreaks({ before: old, after: fresh }, "request")];
}

function replyBreaks(both: Both): readonly Break[] {
  const replies = within(both, "responses");
  const [olds, news] = [partsOf(replies.before), partsOf(replies.after)];
  const added = [...news].flatMap(([status, fresh]): readonly Break[] => {
    if (olds.has(status) || !/^[23]/.test(status)) return [];
    return [{ rule: "success-added", pointer: fresh.pointer, message: `${status} is new` }];
  });
  const kept = [...olds].flatMap(([status, old]): readonly Break[] => {
    const fresh = news.get(status);
    if (fresh === undefined) return [];
    const reply = { before: old, after: fresh };
    return [
      ...missing(within(reply, "headers"), "header-removed", "the header field"),
      ...contentBreaks(reply, "response"),
    ];
  });
  return [...missing(replies, "status-removed", "the status"), ...added, ...kept];
}

function contentBreaks(both: Both, direction: Direction): readonly Break[] {
  const content = within(both, "content");
  const news = partsOf(content.after);
  return [
    ...missing(content, "media-type-removed", "the media type"),
    ...[...partsOf(content.before)].flatMap(([type, old]) => {
      const fresh = news.get(type);
      return fresh === undefined ? [] : inner({ before: old, after: fresh }, direction, "schema");
    }),
  ];
}

/** The breaks of the schemas under a name, of which each side may have none. */
function inner({ before, after }: Both, direction: Direction, name: string): readonly Break[] {
  const comparison = new SchemaComparison(direction);
  const anything = (each: Located) => ({ ...each, value: {} });
  return comparison.breaks({
    before: at(before, name) ?? anything(before),
    after: at(after, name) ?? anything(after),
  });
}

/** The same part of both; an empty one where there is none. */
function within({ before, after }: Both, ...names: readonly string[]): Both {
  const inside = (located: Located) => {
    const { document } = located;
    let part = located;
    for (const name of names) {
      part = at(part, name) ?? { document, pointer: `${part.pointer}/${name}`, value: {} };
    }
    return part;
  };
  return { before: inside(before), after: inside(after) };
}

function missing({ before, after }: Both, rule: Break["rule"], what: string): readonly Break[] {
  const today = partsOf(after);
  return [...partsOf(before)]
    .filter(([name]) => !today.has(name))
    .map(([name]) => ({
      rule,
      pointer: placeOf(before.pointer, name),
      message: `${what} ${name} is gone`,
    }));
}

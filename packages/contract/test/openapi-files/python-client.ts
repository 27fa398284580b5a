/**
 * Writes the Python client's types and calls from the OpenAPI document: a TypedDict for each
 * schema, a method for each operation.
 */

type Schema = Readonly<Record<string, unknown>>;

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly description?: string;
  readonly schema: Schema;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: Schema }>> };
  readonly responses: Readonly<Record<string, { content?: Record<string, { schema: Schema }> }>>;
}

/** What the generator reads of the document. */
export interface PythonDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const keywords = new Set(
  (
    "False None True and as assert async await break class continue def del elif else except " +
    "finally for from global if import in is lambda nonlocal not or pass raise return try while " +
    "with yield"
  ).split(" "),
);

/** Classes that are written, in the order in which they are needed. */
class Types {
  readonly #schemas: PythonDocument["components"]["schemas"];
  readonly lines: string[] = [];
  readonly #written = new Set<string>();

  constructor(schemas: PythonDocument["components"]["schemas"]) {
    this.#schemas = schemas;
    for (const name of Object.keys(schemas)) this.#component(name);
  }

  /** The Python type of a schema; `hint` names a class that has to be written for it. */
  of(schema: Schema, hint: string): string {
    const { $ref, anyOf, items, enum: values, const: value, type, prefixItems } = schema;
    if (typeof $ref === "string") return this.#component($ref.replace(/^.*\//, ""));
    if (Array.isArray(values)) return literal(values);
    if (value !== undefined) return literal([value]);
    if (Array.isArray(anyOf)) return this.#union(anyOf as Schema[], hint);
    if (Array.isArray(prefixItems)) return "List[Any]";
    if (Array.isArray(type)) {
      return this.#union(
        type.map((each: unknown) => ({ ...schema, type: each })),
        hint,
      );
    }
    switch (type) {
      case "null":
        return "None";
      case "string":
        return "str";
      case "boolean":
        return "bool";
      case "integer":
        return "int";
      case "number":
        return "float";
      case "array":
        return `List[${this.of((items ?? {}) as Schema, `${hint}Item`)}]`;
      case "object":
        return this.#object(schema, hint);
      default:
        return "Any";
    }
  }

  #union(schemas: readonly Schema[], hint: string): string {
    const parts = schemas.map((each, at) => this.of(each, at === 0 ? hint : `${hint}${at + 1}`));
    const distinct = [...new Set(parts)];
    const others = distinct.filter((each) => each !== "None");
    const union = others.length === 1 ? (others[0] ?? "Any") : `Union[${others.join(", ")}]`;
    return others.length === distinct.length ? union : `Optional[${union}]`;
  }

  #object(schema: Schema, hint: string): string {
    const { properties, additionalProperties } = schema;
    if (properties !== undefined) return this.#class(hint, schema);
    if (typeof additionalProperties === "object" && additionalProperties !== null) {
      return `Dict[str, ${this.of(additionalProperties as Schema, `${hint}Value`)}]`;
    }
    return "Dict[str, Any]";
  }

  #component(id: string): string {
    const name = id.replace(/Dto$/, "");
    const schema = this.#schemas[id] ?? {};
    if (schema["properties"] !== undefined) return this.#class(name, schema);
    if (this.#written.has(name)) return name;
    const type = this.of(schema, `${name}Value`);
    this.#written.add(name);
    this.lines.push(`${name} = ${type}`, "", "");
    return name;
  }

  /** Names may be used before they are written: annotations are read as text. */
  #class(name: string, schema: Schema): string {
    if (this.#written.has(name)) return `"${name}"`;
    this.#written.add(name);
    const properties = Object.entries((schema["properties"] ?? {}) as Record<string, Schema>);
    const required = new Set((schema["required"] ?? []) as readonly string[]);
    const fields = properties.map(([field, each]) => ({
      field,
      type: unquoted(this.of(each, name + pascal(field))),
      isRequired: required.has(field),
      about: typeof each["description"] === "string" ? each["description"] : "",
    }));
    const about = typeof schema["description"] === "string" ? schema["description"] : "";
    this.lines.push(...classLines(name, fields, about));
    return `"${name}"`;
  }
}

interface Field {
  readonly field: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly about: string;
}

/** What is required stands in a class of its own, since Python 3.9 cannot say it by field. */
function classLines(name: string, fields: readonly Field[], about: string): readonly string[] {
  const needed = fields.filter(({ isRequired }) => isRequired);
  const optional = fields.filter(({ isRequired }) => !isRequired);
  if (fields.some(({ field }) => keywords.has(field) || !/^[a-zA-Z_]\w*$/.test(field))) {
    const items = fields.map(({ field, type }) => `    ${JSON.stringify(field)}: "${type}",`);
    const total = optional.length === 0 ? "True" : "False";
    return [`${name} = TypedDict("${name}", {`, ...items, `}, total=${total})`, "", ""];
  }
  const base = `_${name}Required`;
  const both = needed.length > 0 && optional.length > 0;
  const first = both ? [`class ${base}(TypedDict):`, ...bodyOf(needed, ""), "", ""] : [];
  const total = optional.length > 0 ? ", total=False" : "";
  const head = both ? `class ${name}(${base}, total=False):` : `class ${name}(TypedDict${total}):`;
  return [...first, head, ...bodyOf(both ? optional : fields, about), "", ""];
}

function bodyOf(fields: readonly Field[], about: string): readonly string[] {
  const lines = [
    ...(about === "" ? [] : [`    """${docstring(about)}"""`, ""]),
    ...fields.flatMap((each) => [
      ...(each.about === "" ? [] : [`    # ${each.about.replaceAll(/\s+/g, " ")}`]),
      `    ${each.field}: ${each.type}`,
    ]),
  ];
  return lines.length === 0 ? ["    pass"] : lines;
}

function docstring(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"""', "'''").replaceAll(/\s+/g, " ");
}

function literal(values: readonly unknown[]): string {
  const words = values.map((value) => {
    if (value === null) return "None";
    return typeof value === "boolean" ? pascal(String(value)) : JSON.stringify(value);
  });
  return `Literal[${words.join(", ")}]`;
}

function pascal(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll(/\W/g, "");
}

/** `overallVisibility` as Python writes it: `overall_visibility`; no keyword of Python. */
function snakeCase(name: string): string {
  const words = name.replaceAll(/-/g, "_").replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2");
  const snake = words.toLowerCase();
  return keywords.has(snake) ? `${snake}_` : snake;
}

/** The module: types first, then the calls. */
export function pythonModule(document: PythonDocument): string {
  const types = new Types(document.components.schemas);
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      operation.operationId === "exchangeAccessKey"
        ? []
        : callLines(types, { path, method, operation }),
    ),
  );
  return [
    '"""Types and calls of the Sightline service, from its OpenAPI document. Do not edit."""',
    "",
    "from __future__ import annotations",
    "",
    "from typing import Any, Dict, Iterable, List, Literal, Mapping, Optional, TypedDict",
    "from typing import Union, cast",
    "from urllib.parse import quote",
    "",
    "",
    ...types.lines,
    "class Calls:",
    '    """Every operation of the service. `call` is what sends one."""',
    "",
    "    def call(",
    "        self,",
    "        method: str,",
    "        path: str,",
    "        *,",
    "        body: Any = None,",
    "        lines: Union[str, bytes, Iterable[Mapping[str, Any]], None] = None,",
    "        query: Optional[Mapping[str, Any]] = None,",
    "        headers: Optional[Mapping[str, Any]] = None,",
    "    ) -> Any:",
    "        raise NotImplementedError",
    "",
    ...calls,
  ]
    .join("\n")
    .replace(/\n+$/, "\n");
}

interface CallOf {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

function callLines(types: Types, { path, method, operation }: CallOf): readonly string[] {
  const { operationId, parameters = [], requestBody, responses } = operation;
  const inPath = parameters.filter((each) => each.in === "path");
  const named = parameters.filter((each) => each.in !== "path");
  const content = Object.entries(requestBody?.content ?? {});
  const [mediaType = "", body] = content[0] ?? [];
  const isLines = mediaType === "application/x-ndjson";
  const bodyType = isLines
    ? "Union[str, bytes, Iterable[Mapping[str, Any]]]"
    : unquoted(types.of(body?.schema ?? {}, "Body"));
  const reply = Object.values(responses["200"]?.content ?? {})[0];
  const replyType = reply === undefined ? "Any" : unquoted(types.of(reply.schema, "Reply"));
  const signature = [
    "self",
    ...inPath.map(({ name }) => `${snakeCase(name)}: str`),
    ...(body === undefined ? [] : [`body: ${bodyType}`]),
    ...(named.length === 0 ? [] : ["*"]),
    ...named.map(({ name, schema }) => {
      return `${snakeCase(name)}: Optional[${unquoted(types.of(schema, "Parameter"))}] = None`;
    }),
  ];
  const address = inPath.reduce(
    (text, { name }) => text.replace(`{${name}}`, `{quote(${snakeCase(name)}, safe="")}`),
    path,
  );
  const query = named.filter((each) => each.in === "query");
  const header = named.filter((each) => each.in === "header");
  const pairs = (list: readonly Parameter[]) =>
    `{${list.map(({ name }) => `${JSON.stringify(name)}: ${snakeCase(name)}`).join(", ")}}`;
  const parts = [
    `"${method.toUpperCase()}"`,
    inPath.length > 0 ? `f'${address}'` : JSON.stringify(address),
    ...(query.length === 0 ? [] : [`query=${pairs(query)}`]),
    ...(header.length === 0 ? [] : [`headers=${pairs(header)}`]),
    ...(body === undefined ? [] : [isLines ? "lines=body" : "body=body"]),
  ];
  const about = docstring([operation.summary, operation.description ?? ""].join(". "));
  return [
    `    def ${snakeCase(operationId)}(${signature.join(", ")}) -> ${replyType}:`,
    `        """${about}"""`,
    `        return cast("${replyType}", self.call(${parts.join(", ")}))`,
    "",
  ];
}

function unquoted(type: string): string {
  return type.replaceAll('"', "").replaceAll(/Literal\[([^\]]*)\]/g, (_, words: string) => {
    return `Literal[${words
      .split(", ")
      .map((word) => (/^(None|True|False|\d+)$/.test(word) ? word : `'${word}'`))
      .join(", ")}]`;
  });
}

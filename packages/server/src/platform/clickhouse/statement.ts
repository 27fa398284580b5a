import { checkedValue, type Row, type RowShape } from "../row-shape.ts";

/** ClickHouse's types of the values that are bound. */
type ScalarType = "UUID" | "UInt8" | "UInt16" | "UInt32" | "UInt64" | "Int32" | "Int64" | "String";

/** A value that the server binds to its place, with the type that it reads it as. */
export type Bound =
  | { readonly type: ScalarType; readonly value: string | number }
  | {
      readonly type: `Array(${ScalarType})`;
      readonly value: readonly (string | number | bigint)[];
    };

/** SQL of a closed set of texts, with the values at the places between them. */
export interface Fragment {
  readonly texts: readonly string[];
  readonly values: readonly Bound[];
}

/** A statement, and the shape of the rows that it gives. */
export interface Statement<Shape extends RowShape> {
  readonly query: Fragment;
  readonly shape: Shape;
}

/** A template of SQL: fragments become part of its text, values are bound. */
export function sql(
  texts: TemplateStringsArray,
  ...places: readonly (Bound | Fragment)[]
): Fragment {
  return concatenated(
    texts.flatMap((text, index): readonly Fragment[] => {
      const place = places[index];
      const own = { texts: [text], values: [] };
      if (place === undefined) return [own];
      return [own, "texts" in place ? place : { texts: ["", ""], values: [place] }];
    }),
  );
}

/** A text of names of ours, without values. */
export function constant(text: string): Fragment {
  return { texts: [text], values: [] };
}

/** Fragments as one, with a separator between them. */
export function joined(separator: Fragment, fragments: readonly Fragment[]): Fragment {
  return concatenated(
    fragments.flatMap((fragment, index) => (index === 0 ? [fragment] : [separator, fragment])),
  );
}

function concatenated(fragments: readonly Fragment[]): Fragment {
  const texts = [""];
  const values: Bound[] = [];
  for (const fragment of fragments) {
    const [first = "", ...others] = fragment.texts;
    texts.push(`${texts.pop()}${first}`, ...others);
    values.push(...fragment.values);
  }
  return { texts, values };
}

/** What goes to the server: the text with the names and types of its parameters, and these. */
export function rendered({ texts, values }: Fragment) {
  const [first = "", ...others] = texts;
  const named = others.map((text, index) => `{p${index}:${values[index]?.type}}${text}`);
  const parameters = values.map(({ value }, index) => [`p${index}`, value] as const);
  return { query: first + named.join(""), parameters: Object.fromEntries(parameters) };
}

/** A row from its list of columns. @throws when a value is not what the shape says. */
export function rowOf<Shape extends RowShape>(shape: Shape, columns: unknown): Row<Shape> {
  const kinds = Object.entries(shape);
  if (!Array.isArray(columns) || columns.length !== kinds.length) {
    throw new Error(`ClickHouse did not give the ${kinds.length} columns that were expected`);
  }
  const values = kinds.map(([name, kind], index) => {
    return [name, checkedValue(name, kind, columns[index])] as const;
  });
  return Object.fromEntries(values) as Row<Shape>;
}

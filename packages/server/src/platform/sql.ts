/** What a column of a result holds. */
interface ColumnValues {
  readonly number: number;
  readonly text: string;
  readonly "number or null": number | null;
  readonly "text or null": string | null;
}

/** The name of what a column holds. */
type ColumnKind = keyof ColumnValues;

/** The columns of a result, by name and in order. */
export type RowShape = Readonly<Record<string, ColumnKind>>;

/** One row of a result. */
export type Row<Shape extends RowShape> = {
  readonly [Name in keyof Shape]: ColumnValues[Shape[Name]];
};

/** The columns of a result that are all numbers, side by side: a row is one place in each. */
export type NumberColumns<Name extends string> = Readonly<Record<Name, Float64Array>>;

/** A value of a result. @throws when it is not what its column should hold. */
export function checkedValue(name: string, kind: ColumnKind, value: unknown): unknown {
  if (typeof value === kind) return value; // numbers, which are most of what comes
  const [wanted, nullable] = kind.split(" or ");
  const type = wanted === "text" ? "string" : wanted;
  if (typeof value === type || (value === null && nullable !== undefined)) return value;
  throw new Error(`column ${name} should hold a ${kind}, got ${typeof value}`);
}

/** Types of bound values, under ClickHouse's names. */
export type ScalarType =
  | "UUID"
  | "UInt8"
  | "UInt16"
  | "UInt32"
  | "UInt64"
  | "Int16"
  | "Int32"
  | "Int64"
  | "String";

/** A value that an engine binds to its place, with the type that the engine reads it as. */
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

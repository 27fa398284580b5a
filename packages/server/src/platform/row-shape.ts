/** What a column of a result holds. */
interface ColumnValues {
  readonly number: number;
  readonly text: string;
  readonly "number or null": number | null;
  readonly "text or null": string | null;
}

/** The name of what a column holds. */
export type ColumnKind = keyof ColumnValues;

/** The columns of a result, by name and in order. */
export type RowShape = Readonly<Record<string, ColumnKind>>;

/** One row of a result. */
export type Row<Shape extends RowShape> = {
  readonly [Name in keyof Shape]: ColumnValues[Shape[Name]];
};

/** A value of a result. @throws when it is not what its column should hold. */
export function checkedValue(name: string, kind: ColumnKind, value: unknown): unknown {
  if (typeof value === kind) return value; // numbers, which are most of what comes
  const [wanted, nullable] = kind.split(" or ");
  const type = wanted === "text" ? "string" : wanted;
  if (typeof value === type || (value === null && nullable !== undefined)) return value;
  throw new Error(`column ${name} should hold a ${kind}, got ${typeof value}`);
}

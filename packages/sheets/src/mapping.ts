import { nearestName } from "@sightline/contract/nearest-name";
import type { Provider } from "@sightline/contract/providers";
import { quoted } from "@sightline/contract/quoted";
import type { Encoding, Separator } from "./delimited-text.ts";
import type { DateOrder } from "./local-time.ts";
import { columnLetter, columnPlace, type SheetRow } from "./rows.ts";

/** What a column of a table can be of an answer: its fields, and parts of two of them. */
export const sheetFields = [
  "prompt",
  "promptId",
  "provider",
  "answeredAt",
  "time",
  "text",
  "citations",
  "citationTitle",
  "region",
  "model",
  "outcome",
  "surface",
  "sample",
  "id",
  "searchQueries",
  "cost",
  "vendor",
  "requestedRegion",
  "metadata",
] as const;

/** A field of an answer, or a part of one: `time` of `answeredAt`, `citationTitle` of citations. */
export type SheetField = (typeof sheetFields)[number];

/** What may be the same in every row, and then needs no column. */
export const fixedFields = [
  ...["provider", "region", "model", "surface", "vendor", "outcome", "prompt"],
] as const satisfies readonly SheetField[];

/** A field whose value may be said once, for all rows. */
type FixedField = (typeof fixedFields)[number];

/** How a table is read: the file that `sightline import --map` takes, and what the console asks. */
export interface SheetMapping {
  /** The name of the sheet in a workbook; omitted: its only one. */
  readonly sheet?: string;
  /** Omitted: where the bytes tell it. */
  readonly encoding?: Encoding;
  /** Omitted: where the text tells it. */
  readonly separator?: Separator;
  /**
   * The row that names the columns, from 1; 0: none does, and `columns` has letters. Omitted: the
   * first row that has all of them.
   */
  readonly headerRow?: number;
  /** The columns by their names, or by their letters without a header. */
  readonly columns: Readonly<Partial<Record<SheetField, string>>>;
  /** What is the same in every row. */
  readonly values?: Readonly<Partial<Record<FixedField, string>>>;
  /** Names of providers that are not known by themselves. */
  readonly providers?: Readonly<Record<string, Provider>>;
  readonly dateOrder?: DateOrder;
  /** An IANA zone such as `Europe/Berlin`, `UTC`, or an offset such as `+01:00`. */
  readonly timeZone?: string;
  /** The time of day of dates without one, such as `12:00`. */
  readonly timeOfDay?: string;
  /** What a row is; omitted: an answer. */
  readonly rowIs?: "answer" | "citation";
}

/** A column that a mapping names. */
export interface MappedColumn {
  readonly field: SheetField;
  /** From 0. */
  readonly place: number;
  /** As the header names it, else its letter. */
  readonly name: string;
}

/** Where the columns of a mapping are. */
export interface Columns {
  /** Rows up to it are not answers; 0: there is none. */
  readonly headerRow: number;
  /** How many columns the header has; null: there is none. */
  readonly width: number | null;
  readonly columns: readonly MappedColumn[];
}

/** The rows among which a header is looked for. */
export const headerRowsMax = 20;

/** The columns of a mapping in a table, or each thing that is wrong with them. */
export function columnsOf(
  { columns, headerRow }: SheetMapping,
  rows: readonly SheetRow[],
): Columns | { readonly faults: readonly string[] } {
  const named = Object.entries(columns) as [SheetField, string][];
  if (headerRow === 0) return lettered(named);
  const candidates =
    headerRow === undefined
      ? rows.slice(0, headerRowsMax)
      : rows.filter(({ number }) => number === headerRow);
  const found = candidates.map((row) => ({ row, faults: faultsOf(named, row) }));
  const best = found.toSorted((a, b) => a.faults.length - b.faults.length)[0];
  if (best === undefined) return { faults: [noRow(headerRow)] };
  if (best.faults.length > 0) return { faults: best.faults };
  const cells = trimmedCells(best.row);
  return {
    headerRow: best.row.number,
    width: cells.length,
    columns: named.map(([field, name]) => ({ field, place: cells.indexOf(name.trim()), name })),
  };
}

function noRow(headerRow: number | undefined): string {
  return headerRow === undefined ? "The table is empty." : `The table has no row ${headerRow}.`;
}

function lettered(named: readonly (readonly [SheetField, string])[]) {
  const columns: MappedColumn[] = [];
  const faults: string[] = [];
  for (const [field, letter] of named) {
    const place = columnPlace(letter);
    if (place !== null) columns.push({ field, place, name: letter.toUpperCase() });
    else {
      faults.push(
        `Column of ${field}: without a header, columns have letters such as "A", ` +
          `got ${quoted(letter)}.`,
      );
    }
  }
  return faults.length > 0 ? { faults } : { headerRow: 0, width: null, columns };
}

function trimmedCells({ cells }: SheetRow): readonly string[] {
  return cells.map((cell) => cell.trim());
}

function faultsOf(
  named: readonly (readonly [SheetField, string])[],
  row: SheetRow,
): readonly string[] {
  const cells = trimmedCells(row);
  return named.flatMap(([field, name]) => {
    const place = cells.indexOf(name.trim());
    if (place === -1) {
      const nearest = nearestName(name, cells);
      const has = cells.map((cell) => quoted(cell)).join(", ");
      const advice = nearest === null ? `It has ${has}.` : `Did you mean ${quoted(nearest)}?`;
      return [`Column of ${field}: row ${row.number} has no column ${quoted(name)}. ${advice}`];
    }
    if (cells.lastIndexOf(name.trim()) === place) return [];
    return [
      `Column of ${field}: row ${row.number} has the column ${quoted(name)} twice. Rename one, ` +
        "or write headerRow: 0 and name columns by their letters.",
    ];
  });
}

/** A column in a message: `C (Datum)`. */
export function columnText({ place, name }: Pick<MappedColumn, "place" | "name">): string {
  const letter = columnLetter(place);
  return name === letter ? letter : `${letter} (${name.trim()})`;
}

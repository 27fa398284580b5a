import { nearestName } from "@sightline/contract/nearest-name";
import { type Provider, providers } from "@sightline/contract/providers";
import { quoted } from "@sightline/contract/quoted";
import type { Encoding, Separator } from "./delimited-text.ts";
import type { CitationKeys } from "./foreign-cells.ts";
import type { DateOrder } from "./local-time.ts";
import { providerOf } from "./provider-names.ts";
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
  "retrieved",
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
  "topic",
  "tags",
] as const;

/** Fields that are of no answer: they say what a prompt that is not tracked yet would have. */
export const promptFields: ReadonlySet<SheetField> = new Set(["topic", "tags"]);

/**
 * A field of an answer, or a part of one: `time` of `answeredAt`, `citationTitle` of citations,
 * `retrieved` for those that the provider found and did not cite.
 * `topic` and `tags` are of no answer: they are those of a prompt that is not tracked yet.
 */
export type SheetField = (typeof sheetFields)[number];

/** What may be the same in every row, and then needs no column. */
export const fixedFields = [
  ...["provider", "region", "model", "surface", "vendor", "outcome", "prompt", "answeredAt"],
] as const satisfies readonly SheetField[];

/** A field whose value may be said once, for all rows. */
type FixedField = (typeof fixedFields)[number];

/** How the rows of a table are found in its bytes. */
export interface TableFormat {
  /** The name of the sheet in a workbook; omitted: its only one. */
  readonly sheet?: string;
  /** Omitted: where the bytes tell it. */
  readonly encoding?: Encoding;
  /** Omitted: where the text tells it. */
  readonly separator?: Separator;
}

/** How a table is read: the file that `sightline import --map` takes, and what the console asks. */
export interface SheetMapping extends TableFormat {
  /**
   * The row that names the columns, from 1; 0: none does, and `columns` has letters. Omitted: the
   * first row that has all of them; letters alone need it.
   */
  readonly headerRow?: number;
  /**
   * The columns by their names in the header, or by their letters. Of several, the first counts
   * that has something; of citations, all count. `citation_*` is every column that begins so.
   */
  readonly columns: Readonly<Partial<Record<SheetField, string | readonly string[]>>>;
  /** What is the same in every row. */
  readonly values?: Readonly<Partial<Record<FixedField, string>>>;
  /** Names of providers that are not known by themselves; null: rows with it are rejected. */
  readonly providers?: Readonly<Record<string, Provider | null>>;
  /** Prompts that the table writes otherwise than the workspace, and how the workspace does. */
  readonly prompts?: Readonly<Record<string, string>>;
  readonly dateOrder?: DateOrder;
  /** An IANA zone such as `Europe/Berlin`, `UTC`, or an offset such as `+01:00`. */
  readonly timeZone?: string;
  /** The time of day of dates without one, such as `12:00`; `12:00Z` is in UTC. */
  readonly timeOfDay?: string;
  /** What a row is; omitted: an answer. */
  readonly rowIs?: "answer" | "citation";
  /** The columns by which neighbouring rows are one answer, each with its own source. */
  readonly groupBy?: readonly string[];
  /** The columns that tell an answer from all others, where prompt, provider and time do not. */
  readonly idFrom?: readonly string[];
  /** The columns that are kept as the answer's metadata. */
  readonly keep?: readonly string[];
  /** The answer is in a reply of JSON, at the first of these paths that has a text. */
  readonly textAt?: readonly string[];
  /** Lists of sources are JSON of another tool, with these names of address and title. */
  readonly citationKeys?: CitationKeys;
  /** How a cell has several search queries; omitted: on lines. */
  readonly queriesBy?: "lines" | "signs";
}

/** A column that a mapping names for what it is of an answer. */
export interface MappedColumn extends NamedColumn {
  readonly field: SheetField;
}

/** A column, and what it is called. */
interface NamedColumn {
  /** From 0. */
  readonly place: number;
  /** As the header names it, otherwise its letter. */
  readonly name: string;
}

/** Where the columns of a mapping are. */
export interface Columns {
  /** Rows up to it are not answers; 0: there is none. */
  readonly headerRow: number;
  /** How many columns the header has; null: there is none. */
  readonly width: number | null;
  readonly columns: readonly MappedColumn[];
  readonly groupBy: readonly NamedColumn[];
  readonly idFrom: readonly NamedColumn[];
  readonly keep: readonly NamedColumn[];
}

/** The rows among which a header is looked for. */
export const headerRowsMax = 20;

/** What the columns of a table are named for: a field, or one of the lists. */
type Use = SheetField | ColumnList;
type ColumnList = "groupBy" | "idFrom" | "keep";
type Named = readonly (readonly [use: Use, name: string])[];

/** The columns of a mapping in a table, or each thing that is wrong with them. */
export function columnsOf(
  mapping: SheetMapping,
  rows: readonly SheetRow[],
): Columns | { readonly faults: readonly string[] } {
  const { columns, headerRow, values = {} } = mapping;
  const contradicting = faultsOfValues(columns, values);
  if (contradicting.length > 0) return { faults: contradicting };
  const named = namedIn(mapping);
  if (headerRow === 0) return lettered(named);
  const candidates =
    headerRow === undefined
      ? rows.slice(0, headerRowsMax)
      : rows.filter(({ number }) => number === headerRow);
  const found = candidates.map((row) => placed(named, row));
  const best = found.toSorted((a, b) => a.faults.length - b.faults.length)[0];
  if (best === undefined) return { faults: [noRow(headerRow)] };
  if (best.faults.length > 0) return { faults: best.faults };
  if (headerRow === undefined && !best.isNamed) return { faults: [openHeader] };
  const { row, header, columns: placedColumns } = best;
  return { headerRow: row.number, width: header.length, ...byUse(placedColumns) };
}

function namedIn({ columns, groupBy = [], idFrom = [], keep = [] }: SheetMapping): Named {
  const lists = Object.entries({ groupBy, idFrom, keep });
  return [...Object.entries(columns), ...lists].flatMap(([use, names]) =>
    [names].flat().map((name) => [use as Use, name.trim()] as const),
  );
}

type UsedColumn = NamedColumn & { readonly use: Use };

function byUse(all: readonly UsedColumn[]): Pick<Columns, "columns" | ColumnList> {
  const columns: MappedColumn[] = [];
  const listed = (list: ColumnList) =>
    all.filter(({ use }) => use === list).map(({ place, name }) => ({ place, name }));
  for (const { use, place, name } of all) {
    if (use !== "groupBy" && use !== "idFrom" && use !== "keep") {
      columns.push({ field: use, place, name });
    }
  }
  return {
    columns,
    groupBy: listed("groupBy"),
    idFrom: listed("idFrom"),
    keep: listed("keep"),
  };
}

function faultsOfValues(
  columns: SheetMapping["columns"],
  values: NonNullable<SheetMapping["values"]>,
): readonly string[] {
  const twice = Object.keys(values)
    .filter((field) => field in columns)
    .map((field) => `values: ${field} has a column, too. Keep one of them.`);
  const { provider } = values;
  if (provider === undefined || providerOf(provider) !== null) return twice;
  const known = providers.join(", ");
  return [...twice, `values: provider ${quoted(provider)} is not known. Write one of ${known}.`];
}

/** Rows above the answers would be read as answers, or an answer be taken for the header. */
const openHeader =
  "headerRow: letters do not tell which row names the columns. " +
  "Write its number, or 0 if every row is an answer.";

function noRow(headerRow: number | undefined): string {
  return headerRow === undefined ? "The table is empty." : `The table has no row ${headerRow}.`;
}

function lettered(named: Named) {
  const columns: UsedColumn[] = [];
  const faults: string[] = [];
  for (const [use, letter] of named) {
    const place = columnPlace(letter);
    if (place !== null) columns.push({ use, place, name: letter.toUpperCase() });
    else {
      faults.push(
        `Column of ${use}: without a header, columns have letters such as "A", ` +
          `got ${quoted(letter)}.`,
      );
    }
  }
  return faults.length > 0 ? { faults } : { headerRow: 0, width: null, ...byUse(columns) };
}

/** Where the columns are below a row that names them. Names come before letters. */
function placed(named: Named, row: SheetRow) {
  const header = row.cells.map((cell) => cell.trim());
  const columns: UsedColumn[] = [];
  const faults: string[] = [];
  for (const [use, name] of named) {
    const place = header.indexOf(name);
    const letter = place === -1 ? (columnPlace(name) ?? header.length) : place;
    const begin = name.slice(0, -1);
    const alike =
      place === -1 && name.endsWith("*")
        ? [...header.entries()].filter(([, each]) => each.startsWith(begin))
        : [];
    if (place !== -1 && header.lastIndexOf(name) !== place) {
      faults.push(
        `Column of ${use}: row ${row.number} has the column ${quoted(name)} twice. ` +
          "Use its letter.",
      );
    } else if (alike.length > 0) {
      columns.push(...alike.map(([at, each]) => ({ use, place: at, name: each })));
    } else if (letter < header.length) {
      columns.push({ use, place: letter, name: header[letter] || columnLetter(letter) });
    } else {
      const nearest = nearestName(name, header);
      const has = header.map((cell) => quoted(cell)).join(", ");
      const advice = nearest === null ? `It has ${has}.` : `Did you mean ${quoted(nearest)}?`;
      faults.push(`Column of ${use}: row ${row.number} has no column ${quoted(name)}. ${advice}`);
    }
  }
  const isNamed =
    named.length === 0 || named.some(([, name]) => header.includes(name) || name.endsWith("*"));
  return { row, header, columns, faults, isNamed };
}

/** A column in a message: `C (Datum)`. */
export function columnText({ place, name }: Pick<MappedColumn, "place" | "name">): string {
  const letter = columnLetter(place);
  return name === letter ? letter : `${letter} (${name.trim()})`;
}

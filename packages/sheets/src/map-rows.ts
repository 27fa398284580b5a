import type { Provider } from "@sightline/contract/providers";
import { quoted } from "@sightline/contract/quoted";
import {
  citationsOfCell,
  type Fault,
  jsonOfCell,
  listOfCell,
  type Raw,
  textAtPaths,
} from "./foreign-cells.ts";
import {
  type DateRules,
  type DayTime,
  dayTimeOf,
  instantIn,
  timeOfDay,
  writtenDate,
} from "./local-time.ts";
import {
  type Columns,
  columnText,
  type MappedColumn,
  promptFields,
  type SheetField,
  type SheetMapping,
} from "./mapping.ts";
import { plainName, providerOf } from "./provider-names.ts";
import { regionOf } from "./region-names.ts";
import type { SheetRow } from "./rows.ts";
import { stableId } from "./stable-id.ts";

/** What is wrong with a cell, or with a row. */
export interface CellFault {
  readonly row: number;
  /** From 0; null: the row itself. */
  readonly place: number | null;
  /** JSON Pointer into the line; empty: the whole line. */
  readonly path: string;
  /** What the cell says. */
  readonly cell: string;
  /** After the cell's text: `is not a date.` Of a row, a sentence. */
  readonly message: string;
}

/** One answer of a table, as a line of NDJSON or as what is wrong with it. */
export interface MappedAnswer {
  /** The rows that it was read from, in order; rows of citations may be several. */
  readonly rows: readonly SheetRow[];
  /** Null: it has faults. */
  readonly line: string | null;
  readonly faults: readonly CellFault[];
}

/** So much of earlier answers is remembered, to tell that rows of one answer are not together. */
const rememberedCharactersMax = 16 * 1024 * 1024;
/** The most rows of an answer that are joined: the service takes no more citations. */
const joinedMax = 10_000;
/** What tells one answer from another; long cells that do not are not remembered. */
const unidentifying: ReadonlySet<SheetField> = new Set([
  ...(["text", "metadata", "cost", "searchQueries"] as const),
]);

type Field = readonly [name: string, value: unknown];
interface Begun {
  readonly rows: SheetRow[];
  /** What tells rows of this answer: its cells but citations; empty: the row has nothing else. */
  readonly key: string;
  /** The cells of everything but citations. */
  readonly content: string;
  /** Those by which answers differ. */
  readonly identity: string;
  readonly fields: readonly Field[];
  readonly citations: object[];
  readonly faults: CellFault[];
}

/**
 * Turns rows into lines of answers, one row after the other. With `rowIs: citation`, neighbouring
 * rows that differ in nothing but the citation are one answer, and so are rows that have nothing
 * but a citation, as below merged cells. With `groupBy`, those that are equal in its columns are.
 */
export class RowMapper {
  readonly #mapping: SheetMapping;
  readonly #columns: Columns;
  readonly #dates: DateRules;
  readonly #providers: ReadonlyMap<string, Provider | null>;
  readonly #prompts: ReadonlyMap<string, string>;
  readonly #day: DayTime | null;
  readonly #isJoining: boolean;
  readonly #seen = new Map<string, number>();
  #seenCharacters = 0;
  #begun: Begun | null = null;
  /** The rows whose date has no time of day. */
  daysCount = 0;

  constructor(mapping: SheetMapping, columns: Columns) {
    const { dateOrder = null, timeZone = null, timeOfDay: time } = mapping;
    this.#mapping = mapping;
    this.#columns = columns;
    this.#day = dayTimeOf(time ?? "");
    this.#dates = { order: dateOrder, zone: timeZone, timeMs: this.#day?.timeMs ?? null };
    this.#isJoining = mapping.rowIs === "citation" || mapping.groupBy !== undefined;
    const named = Object.entries(mapping.providers ?? {});
    this.#providers = new Map(named.map(([name, provider]) => [plainName(name), provider]));
    this.#prompts = new Map(Object.entries(mapping.prompts ?? {}));
  }

  /** The answers that are complete with this row: none, one or two. */
  map(row: SheetRow): readonly MappedAnswer[] {
    if (row.number <= this.#columns.headerRow) return [];
    if (row.cells.every((cell) => cell.trim() === "")) return [];
    const misshapen = row.fault ?? this.#widthFault(row);
    if (misshapen !== null) {
      const fault = { row: row.number, place: null, path: "", cell: "", message: misshapen };
      return [...this.end(), { rows: [row], line: null, faults: [fault] }];
    }
    const read = this.#read(row);
    if (!this.#isJoining) return [finished(read)];
    return this.#joined(row, read);
  }

  /** The last answer. */
  end(): readonly MappedAnswer[] {
    const begun = this.#begun;
    this.#begun = null;
    return begun === null ? [] : [finished(begun)];
  }

  #widthFault({ cells }: SheetRow): string | null {
    const { width } = this.#columns;
    if (width === null || cells.slice(width).every((cell) => cell.trim() === "")) return null;
    return (
      `The row has ${cells.length} cells, and the header names ${width} columns. ` +
      "Quote cells that have a separator or a line break."
    );
  }

  #joined(row: SheetRow, read: Begun): readonly MappedAnswer[] {
    const begun = this.#begun;
    const isContinued = begun !== null && (read.key === "" || read.key === begun.key);
    if (isContinued && begun.rows.length < joinedMax) {
      begun.rows.push(row);
      begun.citations.push(...read.citations);
      if (read.content !== "" && read.content !== begun.content) {
        const message =
          `The row belongs to the answer of row ${begun.rows[0]?.number}, and differs from it in ` +
          "more than its source.";
        begun.faults.push({ row: row.number, place: null, path: "", cell: "", message });
      }
      return []; // equal cells have equal faults: those of the first row are enough
    }
    const before = this.end();
    const earlier = this.#seen.get(read.identity);
    if (earlier !== undefined) {
      const message =
        `The row belongs to the answer of row ${earlier}, and other rows stand between them. ` +
        "Sort the table so that the rows of an answer are together.";
      read.faults.push({ row: row.number, place: null, path: "", cell: "", message });
    }
    this.#remember(read.identity, row.number);
    this.#begun = read;
    return before;
  }

  #remember(identity: string, row: number): void {
    this.#seenCharacters += identity.length;
    if (this.#seenCharacters > rememberedCharactersMax) {
      this.#seen.clear();
      this.#seenCharacters = identity.length;
    }
    this.#seen.set(identity, row);
  }

  #read(row: SheetRow): Begun {
    const { citationKeys } = this.#mapping;
    const citations: object[] = [];
    const key: string[] = [];
    const identity: string[] = [];
    const cellOf = (name: SheetField) => this.#cellOf(row, name);
    const { fields, faults } = this.#fixed(row);
    const named = new Set(fields.map(([name]) => name));
    for (const column of this.#columns.columns) {
      const cell = row.cells[column.place] ?? "";
      const { field, place } = column;
      if (cell.trim() === "") continue;
      if (field === "citations" || field === "retrieved") {
        const found = citationsOfCell(cell, cellOf("citationTitle"), citationKeys);
        citations.push(...(field === "citations" ? found : found.map(uncited)));
        continue;
      }
      // Of several columns of a field, the first that has something counts.
      if (field === "citationTitle" || promptFields.has(field) || named.has(field)) continue;
      named.add(field);
      key.push(`${field}\n${cell}`);
      if (!unidentifying.has(field)) identity.push(`${field}\n${cell}`);
      if (field === "time") continue; // read with the date
      const value = this.#value(column, cell, cellOf("time"));
      if (typeof value !== "object" || !("fault" in value)) fields.push([field, value]);
      else {
        const { fault } = value;
        faults.push({ row: row.number, place, path: `/${field}`, cell, message: fault });
      }
    }
    faults.push(...this.#missing(row, named));
    const id = this.#idOf(row);
    if (id !== null && !named.has("id")) fields.push(["id", id]);
    const kept = this.#kept(row);
    if (kept.length > 0 && !named.has("metadata")) {
      fields.push(["metadata", Object.fromEntries(kept)]);
    }
    const content = key.join("\n\n");
    const group = this.#columns.groupBy.map(({ place }) => row.cells[place]?.trim() ?? "");
    const isGrouped = this.#mapping.groupBy !== undefined;
    const own = isGrouped ? group.join("\n") : identity.join("\n\n");
    const of = isGrouped ? (group.some((each) => each !== "") ? own : "") : content;
    return { rows: [row], key: of, content, identity: own, fields, citations, faults };
  }

  /** The first cell of a field that has something. */
  #cellOf({ cells }: SheetRow, name: SheetField): string {
    const column = this.#columns.columns.find(
      ({ field, place }) => field === name && (cells[place] ?? "").trim() !== "",
    );
    return column === undefined ? "" : (cells[column.place] ?? "");
  }

  /** What is the same in every row. */
  #fixed({ number: row }: SheetRow): { readonly fields: Field[]; readonly faults: CellFault[] } {
    const fields: Field[] = [];
    const faults: CellFault[] = [];
    for (const [name, value] of Object.entries(this.#mapping.values ?? {})) {
      const instant = name === "answeredAt" ? this.#instant(value, "") : null;
      if (name === "provider") fields.push([name, providerOf(value) ?? value]);
      else if (instant === null || typeof instant === "string")
        fields.push([name, instant ?? value]);
      else {
        const message = `values: ${quoted(value)} ${instant.fault}`;
        faults.push({ row, place: null, path: "/answeredAt", cell: "", message });
      }
    }
    return { fields, faults };
  }

  #kept({ cells }: SheetRow): readonly (readonly [string, string])[] {
    return this.#columns.keep.flatMap(({ name, place }) => {
      const cell = (cells[place] ?? "").trim();
      return cell === "" || name === "__proto__" ? [] : [[name, cell] as const];
    });
  }

  #idOf({ cells }: SheetRow): string | null {
    const named = this.#columns.idFrom.map(({ name, place }) => {
      return { name, cell: (cells[place] ?? "").trim() };
    });
    return named.length === 0 ? null : stableId(named);
  }

  /** What every answer must have; a row of nothing but a citation is joined, and has no faults. */
  #missing({ number }: SheetRow, named: Set<string>): readonly CellFault[] {
    const isAnswered = !named.has("outcome");
    return this.#columns.columns.flatMap(({ field, place }) => {
      const isRequired =
        field === "provider" ||
        field === "answeredAt" ||
        (field === "prompt" && !named.has("promptId")) ||
        (field === "text" && isAnswered);
      if (!isRequired || named.has(field)) return [];
      named.add(field);
      const message = "must not be empty.";
      return [{ row: number, place, path: `/${field}`, cell: "", message }];
    });
  }

  #provider(name: string): Provider | null {
    const said = this.#providers.get(plainName(name));
    return said === undefined ? providerOf(name) : said;
  }

  #value(
    { field }: MappedColumn,
    cell: string,
    time: string,
  ): string | number | readonly string[] | Raw | Fault {
    const text = cell.trim();
    switch (field) {
      case "provider":
        return this.#provider(text) ?? { fault: unknownProvider };
      case "answeredAt":
        return this.#instant(text, time.trim());
      case "sample":
        return /^\d{1,15}$/.test(text)
          ? Number(text)
          : { fault: "is not a sample: use a whole number from 0." };
      case "metadata":
      case "cost":
        return jsonOfCell(text);
      case "searchQueries":
        if (text.startsWith("[")) return jsonOfCell(text);
        return listOfCell(text, this.#mapping.queriesBy === "signs");
      case "outcome":
      case "surface":
        return text.toLowerCase();
      case "region":
      case "requestedRegion":
        return regionOf(text) ?? text.toUpperCase();
      case "text":
        return this.#text(cell);
      case "prompt":
        return this.#prompts.get(text) ?? text;
      default:
        return text;
    }
  }

  #text(cell: string): string | Fault {
    const { textAt } = this.#mapping;
    if (textAt === undefined) return cell;
    const found = textAtPaths(cell, textAt);
    return found ?? { fault: "is a reply in which no text is at a known place." };
  }

  #instant(text: string, time: string): string | Fault {
    const date = writtenDate(text);
    if (date === null) return { fault: "is not a date. Write it as 2026-11-10 09:30." };
    const ownMs = time === "" ? date.timeMs : timeOfDay(time);
    if (ownMs === null && time !== "") {
      return { fault: `has a time of day that is none: ${quoted(time)}. Write it as 09:30.` };
    }
    if (ownMs === null) this.daysCount += 1;
    const isUtcDay = ownMs === null && this.#day?.isUtc === true;
    const timed = isUtcDay
      ? { ...date, timeMs: this.#dates.timeMs, offset: date.offset ?? 0 }
      : { ...date, timeMs: ownMs };
    const read = instantIn(timed, this.#dates);
    return "instant" in read ? read.instant : read;
  }
}

const unknownProvider =
  "is not a provider whose answers are recorded. Say which one it means, if it is one.";

/** A source that was found and not cited; a list of JSON says for itself which are cited. */
function uncited(source: object): object {
  return isRaw(source) ? source : { ...source, cited: false };
}

function finished({ rows, fields, citations, faults }: Begun): MappedAnswer {
  if (faults.length > 0) return { rows, line: null, faults };
  const written = fields.map(([name, value]) => `${JSON.stringify(name)}:${jsonOf(value)}`);
  if (citations.length > 0) written.push(`"citations":${listOf(citations)}`);
  return { rows, line: `{${written.join(",")}}`, faults };
}

function jsonOf(value: unknown): string {
  return isRaw(value) ? value.raw : JSON.stringify(value);
}

function isRaw(value: unknown): value is Raw {
  return typeof value === "object" && value !== null && "raw" in value;
}

/** Lists that cells gave as JSON are joined with the others, as they stand. */
function listOf(citations: readonly object[]): string {
  const items = citations.map((each) =>
    isRaw(each) ? each.raw.slice(1, -1).trim() : JSON.stringify(each),
  );
  return `[${items.filter((item) => item !== "").join(",")}]`;
}

/** A fault in words, without its row: `Column C (Datum): "soon" is not a date.` */
export function faultText({ place, cell, message }: CellFault, { columns }: Columns): string {
  const column = columns.find((each) => each.place === place);
  if (column === undefined) return message;
  const said = cell === "" ? "" : `${quoted(cell)} `;
  return `Column ${columnText(column)}: ${said}${message}`;
}

import { promptTagsMax } from "@sightline/contract/tags";
import { type Encoding, encodings, type Separator } from "./delimited-text.ts";
import { tagsOfCell } from "./found-workspace.ts";
import {
  type Guess,
  guessColumns,
  guessEncoding,
  guessHeader,
  guessSeparator,
  headBytesMax,
} from "./guess.ts";
import { type CellFault, type MappedAnswer, RowMapper } from "./map-rows.ts";
import {
  type Columns,
  columnsOf,
  type SheetField,
  type SheetMapping,
  type TableFormat,
} from "./mapping.ts";
import { OpenQuestions, type Question } from "./questions.ts";
import { MappingError, rowsIn, sampleRowsMax } from "./read-sheet.ts";
import { isWorkbook, type SheetRow } from "./rows.ts";
import { type DroppedColumn, droppedOf, fitted, recognized } from "./sources/recognize.ts";

/** What a file is, before anybody said anything about it. */
export interface OpenedSheet {
  readonly kind: "text" | "workbook";
  /** Of a workbook, the names of its sheets. */
  readonly sheets: readonly string[];
  /** Of a text; null of a workbook. */
  readonly encoding: Guess<Encoding> | null;
  /** Of a text, in the guessed encoding; null of a workbook. */
  readonly separator: Guess<Separator> | null;
}

/** The first rows of a table, and what its columns seem to be. */
export interface SheetHead {
  /** Cells are cut off where they are long. */
  readonly rows: readonly SheetRow[];
  readonly header: Guess<number>;
  /** The places of columns. */
  readonly columns: Readonly<Partial<Record<SheetField, number>>>;
  /** The tool whose export it is; null: none that is known. */
  readonly source: SheetSource | null;
}

/** The tool whose export a table is. */
interface SheetSource {
  readonly title: string;
  /** What its rows become; null: it has no answers, or needs other tables to have them. */
  readonly mapping: SheetMapping | null;
  /** The columns by their places, for those that become part of an answer. */
  readonly fields: readonly (SheetField | null)[];
  readonly dropped: readonly DroppedColumn[];
}

/** Cells that somebody mended: by row and place. */
export type Edits = ReadonlyMap<number, ReadonlyMap<number, string>>;

/** A prompt of a table that is not tracked. */
export interface UnknownPrompt {
  readonly text: string;
  /** Those that the table's column of topics has for it, each once. */
  readonly topics: readonly string[];
  /** Those of its columns of tags, each once. */
  readonly tags: readonly string[];
  /** Whether another tool no longer asks it; omitted: no. */
  readonly isPaused?: boolean;
}

/** What a table becomes by a mapping. */
export interface SheetReading {
  readonly columns: Columns;
  /** What must be said first; then nothing was mapped. */
  readonly questions: readonly Question[];
  /** The first answers as they will be read. */
  readonly preview: readonly MappedAnswer[];
  /** The first rows that are rejected. */
  readonly rejected: readonly MappedAnswer[];
  readonly answersCount: number;
  readonly rejectedCount: number;
  /** The answers, a line each. */
  readonly content: Blob;
  /** The first row of each line. */
  readonly rowNumbers: Uint32Array;
  /** Prompts that are not among those that were given, each once. */
  readonly unknownPrompts: readonly UnknownPrompt[];
}

const headRowsMax = 50;
const shownCharactersMax = 300;
const previewMax = 10;
/** The most rejected rows that are shown to be mended; all are counted. */
const rejectedMax = 100;
const unknownPromptsMax = 1_000;
/** A prompt has one topic: more than one are shown, and none is set. */
const topicsMax = 4;
/** Lines are joined to pieces before they become a part of a blob. */
const pieceCharacters = 1_000_000;

/** A table in a file that is read again for each question about it, never held in memory. */
export class SheetFile {
  readonly #file: Blob;

  constructor(file: Blob) {
    this.#file = file;
  }

  /** @throws WorkbookError */
  async open(): Promise<OpenedSheet> {
    const head = new Uint8Array(await this.#file.slice(0, headBytesMax).arrayBuffer());
    if (isWorkbook(head)) {
      const { sheetNames, workbookBytesMax } = await import("./workbook.ts");
      // One byte more than allowed is refused, and costs no more than what is allowed.
      const bytes = await this.#file.slice(0, workbookBytesMax + 1).arrayBuffer();
      const sheets = await sheetNames(new Uint8Array(bytes));
      return { kind: "workbook", sheets, encoding: null, separator: null };
    }
    const encoding = await this.#encoding(head);
    const text = new TextDecoder(encoding.value).decode(head);
    const separator = guessSeparator(text, this.#file.size <= headBytesMax);
    return { kind: "text", sheets: [], encoding, separator };
  }

  /** The first bytes may be UTF-8, and later ones not: the whole file is looked at. */
  async #encoding(head: Uint8Array): Promise<Guess<Encoding>> {
    const guess = guessEncoding(head);
    if (guess.value !== "utf-8") return guess;
    const decoder = new TextDecoder("utf-8", { fatal: true });
    try {
      for await (const chunk of this.#chunks()) decoder.decode(chunk, { stream: true });
      decoder.decode();
      return guess;
    } catch {
      return { value: encodings[3], isCertain: false };
    }
  }

  /** The first rows in a format that says everything. @throws EncodingError, WorkbookError */
  async head(format: TableFormat): Promise<SheetHead> {
    const rows: SheetRow[] = [];
    for await (const row of await rowsIn(this.#chunks(), format)) {
      rows.push({ ...row, cells: row.cells.map((cell) => cell.slice(0, shownCharactersMax)) });
      if (rows.length >= headRowsMax) break;
    }
    const source = sourceOf(rows);
    const [first] = rows;
    const isNamed = source !== null && first !== undefined;
    const header = isNamed ? { value: first.number, isCertain: true } : guessHeader(rows);
    return { rows, header, columns: guessColumns(rows, header.value), source };
  }

  /**
   * Reads the whole table twice: for what is open, and for its answers.
   * @throws MappingError, EncodingError, WorkbookError
   */
  async read(
    mapping: SheetMapping,
    edits: Edits,
    prompts: readonly string[] | null,
  ): Promise<SheetReading> {
    const sample: SheetRow[] = [];
    for await (const row of this.#rows(mapping, edits)) {
      sample.push(row);
      if (sample.length >= sampleRowsMax) break;
    }
    const columns = columnsOf(mapping, sample);
    if ("faults" in columns) throw new MappingError(columns.faults);
    const open = new OpenQuestions(mapping, columns);
    for await (const row of this.#rows(mapping, edits)) open.add(row);
    const reading = new Reading(columns, open.questions(), {
      known: prompts,
      meant: mapping.prompts ?? {},
    });
    if (reading.questions.length > 0) return reading.done();
    const { dateOrder } = open;
    const mapper = new RowMapper(dateOrder === null ? mapping : { ...mapping, dateOrder }, columns);
    for await (const row of this.#rows(mapping, edits)) reading.add(mapper.map(row));
    reading.add(mapper.end());
    return reading.done();
  }

  async *#rows(format: TableFormat, edits: Edits): AsyncGenerator<SheetRow> {
    for await (const row of await rowsIn(this.#chunks(), format)) {
      const edited = edits.get(row.number);
      yield edited === undefined ? row : mended(row, edited);
    }
  }

  async *#chunks(): AsyncGenerator<Uint8Array> {
    const reader = this.#file.stream().getReader();
    try {
      for (;;) {
        const { value, done } = await reader.read();
        if (done) return;
        yield value;
      }
    } finally {
      await reader.cancel();
    }
  }
}

/** Exports have their columns' names in the first row. */
function sourceOf([first]: readonly SheetRow[]): SheetSource | null {
  const header = (first?.cells ?? []).map((cell) => cell.trim());
  const found = recognized([{ name: null, header }]);
  const table = found?.tables[0] ?? null;
  if (first === undefined || found === null || table === null) return null;
  const { title } = found.source;
  const isJoined = (table.joins ?? []).every(({ table: name, takes = [], gathers, isRequired }) => {
    const added = gathers === undefined ? takes.map((each) => `${name}.${each}`) : [gathers.as];
    return !isRequired || added.every((column) => header.includes(column));
  });
  const isWhole = table.answers !== undefined && isJoined;
  if (!isWhole) return { title, mapping: null, fields: [], dropped: [] };
  const mapping = { ...fitted(table, header, {}), headerRow: first.number };
  const columns = columnsOf(mapping, [{ number: first.number, cells: header }]);
  if ("faults" in columns) return null;
  const fields = header.map(
    (_, place) => columns.columns.find((column) => column.place === place)?.field ?? null,
  );
  const used = [...columns.columns, ...columns.idFrom, ...columns.keep].map(({ name }) => name);
  return { title, mapping, fields, dropped: droppedOf(table, header, new Set(used)) };
}

function mended(row: SheetRow, edited: ReadonlyMap<number, string>): SheetRow {
  const cells = [...row.cells];
  for (const [place, text] of edited) {
    while (cells.length <= place) cells.push("");
    cells[place] = text;
  }
  return { ...row, cells };
}

interface KnownPrompts {
  /** Those that are tracked; null: nobody knows. */
  readonly known: readonly string[] | null;
  /** Those of the table that stand for tracked ones. */
  readonly meant: Readonly<Record<string, string>>;
}

/** What a table becomes, as it is read. */
class Reading {
  readonly #columns: Columns;
  readonly questions: readonly Question[];
  readonly #known: ReadonlySet<string> | null;
  readonly #meant: ReadonlyMap<string, string>;
  readonly #unknown = new Map<string, Record<"topics" | "tags", Set<string>>>();
  readonly #preview: MappedAnswer[] = [];
  readonly #rejected: MappedAnswer[] = [];
  #rejectedCount = 0;
  readonly #parts: Blob[] = [];
  #piece = "";
  readonly #numbers: number[] = [];

  constructor(columns: Columns, questions: readonly Question[], prompts: KnownPrompts) {
    this.#columns = columns;
    this.questions = questions;
    this.#known = prompts.known === null ? null : new Set(prompts.known);
    this.#meant = new Map(Object.entries(prompts.meant));
  }

  add(answers: readonly MappedAnswer[]): void {
    for (const answer of answers) {
      const [first] = answer.rows;
      if (answer.line === null) {
        this.#rejectedCount += answer.rows.length;
        if (this.#rejected.length < rejectedMax) this.#rejected.push(shown(answer));
        continue;
      }
      if (this.#preview.length < previewMax) this.#preview.push(shown(answer));
      this.#numbers.push(first?.number ?? 0);
      this.#piece += `${answer.line}\n`;
      if (this.#piece.length > pieceCharacters) this.#endPiece();
      if (this.#known === null) continue;
      for (const row of answer.rows) this.#notePrompt(row, this.#known);
    }
  }

  #notePrompt({ cells }: SheetRow, known: ReadonlySet<string>): void {
    const cellOf = (name: "prompt" | "topic" | "tags") => {
      const column = this.#columns.columns.find(({ field }) => field === name);
      return column === undefined ? "" : (cells[column.place] ?? "").trim();
    };
    const prompt = cellOf("prompt");
    if (prompt === "" || known.has(this.#meant.get(prompt) ?? prompt)) return;
    const noted = this.#unknown.get(prompt);
    if (noted === undefined && this.#unknown.size >= unknownPromptsMax) return;
    const { topics, tags } = noted ?? { topics: new Set(), tags: new Set() };
    this.#unknown.set(prompt, { topics, tags });
    if (cellOf("topic") !== "" && topics.size < topicsMax) topics.add(cellOf("topic"));
    for (const tag of tagsOfCell(cellOf("tags"))) if (tags.size < promptTagsMax) tags.add(tag);
  }

  #endPiece(): void {
    if (this.#piece !== "") this.#parts.push(new Blob([this.#piece]));
    this.#piece = "";
  }

  done(): SheetReading {
    this.#endPiece();
    return {
      columns: this.#columns,
      questions: this.questions,
      preview: this.#preview,
      rejected: this.#rejected,
      answersCount: this.#numbers.length,
      rejectedCount: this.#rejectedCount,
      content: new Blob(this.#parts),
      rowNumbers: Uint32Array.from(this.#numbers),
      unknownPrompts: [...this.#unknown].map(([text, { topics, tags }]) => {
        return { text, topics: [...topics], tags: [...tags] };
      }),
    };
  }
}

/** What is shown of an answer: its faults and its line, and no row as it was. */
function shown({ rows, line, faults }: MappedAnswer): MappedAnswer {
  return {
    rows: rows.slice(0, 1).map(({ number }) => ({ number, cells: [] })),
    line: line === null ? null : shortened(line),
    faults: faults.map(shortFault),
  };
}

/** A line whose long texts are cut off; it stays JSON. */
function shortened(line: string): string {
  return JSON.stringify(JSON.parse(line), (_, value: unknown) =>
    typeof value === "string" ? value.slice(0, shownCharactersMax) : value,
  );
}

function shortFault({ row, place, path, cell, message }: CellFault): CellFault {
  return { row, place, path, cell: cell.slice(0, shownCharactersMax), message };
}

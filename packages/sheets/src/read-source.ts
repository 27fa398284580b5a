import { quoted } from "@sightline/contract/quoted";
import { type FoundWorkspace, tagsOfCell, WorkspaceFinder } from "./found-workspace.ts";
import { JoinedTables, type WidenedTable } from "./join-tables.ts";
import type { MappedAnswer } from "./map-rows.ts";
import { type Columns, headerRowsMax, type SheetMapping } from "./mapping.ts";
import { MappingError, mapRows } from "./read-sheet.ts";
import type { SheetRow } from "./rows.ts";
import { type DroppedColumn, droppedOf, fitted } from "./sources/recognize.ts";
import type { SourceTable } from "./sources/source.ts";

/** What was said about an export, in addition to its tool's declaration. */
export interface SourceSaid {
  readonly mapping?: Partial<SheetMapping>;
  /** The brand whose rows are meant: its name, or its id in the export. */
  readonly brand?: string;
}

/** The answers of an export. */
export interface ReadSource {
  readonly mapping: SheetMapping;
  readonly columns: Columns;
  readonly dropped: readonly DroppedColumn[];
  readonly answers: AsyncGenerator<MappedAnswer>;
  readonly daysCount: () => number;
}

/** Reads an export: first the tables that others refer to, then the one with the answers. */
export class SourceReader {
  readonly #said: SourceSaid;
  readonly #joined = new JoinedTables();
  readonly #finder = new WorkspaceFinder();
  /** Rows of other brands than the one that was named. */
  otherBrandRows = 0;

  constructor(said: SourceSaid) {
    this.#said = said;
  }

  /** @throws MappingError */
  async addTable(table: SourceTable, rows: AsyncIterable<SheetRow>): Promise<void> {
    await this.#joined.add(table, rows);
  }

  /** What the export says of a workspace, as far as it was read. */
  workspace(): FoundWorkspace {
    return this.#finder.found();
  }

  /**
   * Reads what the added tables say of the workspace.
   * @throws MappingError where they are of several brands and none was named.
   */
  readTables(): void {
    const { brand: meant } = this.#said;
    const all = this.#joined.all();
    const brands = new Map<string, string>();
    for (const { table, header, widen, rows } of all) {
      for (const row of rows) {
        const cells = widen(row);
        const of = brandsOf(table, header, cells);
        const [id] = of;
        // The table of brands has their names, the others their ids.
        if (id !== undefined) brands.set(id, brands.get(id) ?? of[1] ?? "");
        if (of.length > 1 && id !== undefined) brands.set(id, of[1] ?? "");
        const isMeant = meant === undefined || of.includes(meant) || brands.get(id ?? "") === meant;
        if (table.tracks === undefined || !isMeant) continue;
        this.#finder.addRow(table.tracks, (name) => cellAt(header, cells, name));
      }
    }
    requireBrand(meant, brands);
  }

  /** The columns of the added tables that are left out; complete once the answers were read. */
  droppedOfTables(): readonly DroppedColumn[] {
    return this.#joined
      .all()
      .flatMap(({ table, header, width }) =>
        droppedOf(table, header.slice(0, width), this.#joined.usedOf(table)),
      );
  }

  /** @throws MappingError */
  async read(table: SourceTable, rows: AsyncGenerator<SheetRow>): Promise<ReadSource> {
    const { value: first, done } = await rows.next();
    if (done === true) throw new MappingError(["The table is empty."]);
    const own = first.cells.map((cell) => cell.trim());
    const { header, widen } = this.#joined.widened(table, own);
    const mapping = fitted(table, header, this.#said.mapping ?? {});
    const headed = { ...mapping, headerRow: first.number };
    const wide = this.#widened({ table, header, widen, own }, first, rows);
    const { columns, answers, daysCount } = await mapRows(wide, headed, "rejected");
    const used = [...columns.columns, ...columns.idFrom, ...columns.keep].map(({ name }) => name);
    const joined = (table.joins ?? []).map(({ by }) => by);
    const dropped = droppedOf(table, own, new Set([...used, ...joined]));
    return { mapping, columns, dropped, answers: this.#noted(answers, columns), daysCount };
  }

  /**
   * The rows of a table of answers with what the added tables add to them, the names of the columns
   * first. A row of another brand, and one that cannot be of the table, has its own cells alone.
   * @throws MappingError
   */
  async *joined(table: SourceTable, rows: AsyncGenerator<SheetRow>): AsyncGenerator<SheetRow> {
    const { value: first, done } = await rows.next();
    if (done === true) throw new MappingError(["The table is empty."]);
    const own = first.cells.map((cell) => cell.trim());
    const { header, widen } = this.#joined.widened(table, own);
    yield* this.#widened({ table, header, widen, own }, first, rows);
  }

  /** Any table, by a mapping that says everything. @throws MappingError */
  async readSheet(rows: AsyncGenerator<SheetRow>, mapping: SheetMapping): Promise<ReadSource> {
    const first: SheetRow[] = [];
    const watched = (async function* () {
      for await (const row of rows) {
        if (first.length < headerRowsMax) first.push(row);
        yield row;
      }
    })();
    const { columns, answers, daysCount } = await mapRows(watched, mapping);
    const header = first.find(({ number }) => number === columns.headerRow)?.cells ?? [];
    const lists = [columns.columns, columns.idFrom, columns.groupBy, columns.keep].flat();
    const used = new Set(lists.map(({ place }) => place));
    const dropped = header.flatMap((column, place) =>
      used.has(place) ? [] : [{ table: "table", column, why: "the mapping does not name it" }],
    );
    return { mapping, columns, dropped, answers: this.#noted(answers, columns), daysCount };
  }

  /** Rows with the cells of other tables, without those of other brands. */
  async *#widened(
    { table, header, widen, own }: OwnTable,
    first: SheetRow,
    rows: AsyncIterable<SheetRow>,
  ): AsyncGenerator<SheetRow> {
    yield { number: first.number, cells: header };
    let brandBefore: string | null = null;
    for await (const row of rows) {
      const fault = row.fault ?? misshapen(row, own.length);
      const cells = fault === null ? widen(row.cells) : row.cells;
      const brands = fault === null ? brandsOf(table, header, cells) : [];
      const [brand] = brands;
      const { brand: meant } = this.#said;
      if (fault !== null) yield { number: row.number, cells, fault };
      else if (cells.every((cell) => cell.trim() === "")) continue;
      else if (meant !== undefined && brand !== undefined && !brands.includes(meant)) {
        this.otherBrandRows += 1;
      } else {
        brandBefore ??= brand ?? null;
        const isOther = meant === undefined && brand !== undefined && brand !== brandBefore;
        if (table.tracks !== undefined && !isOther) {
          this.#finder.addRow(table.tracks, (name) => cellAt(header, cells, name));
        }
        const { number } = row;
        if (isOther) yield { number, cells: row.cells, fault: ofOther(brand, brandBefore) };
        else yield { number, cells };
      }
    }
  }

  /** Passes answers on, and notes their prompts. */
  async *#noted(
    answers: AsyncIterable<MappedAnswer>,
    { columns }: Columns,
  ): AsyncGenerator<MappedAnswer> {
    for await (const answer of answers) {
      const [row] = answer.rows;
      const cellOf = (wanted: string) =>
        columns
          .filter(({ field }) => field === wanted)
          .map(({ place }) => (row?.cells[place] ?? "").trim())
          .find((cell) => cell !== "") ?? "";
      if (answer.line !== null) {
        const tags = tagsOfCell(cellOf("tags"));
        this.#finder.addPrompt({ text: cellOf("prompt"), topic: cellOf("topic"), tags });
      }
      yield answer;
    }
  }
}

type OwnTable = WidenedTable & { readonly table: SourceTable; readonly own: readonly string[] };

function cellAt(header: readonly string[], cells: readonly string[], name: string): string {
  const place = header.indexOf(name);
  return place === -1 ? "" : (cells[place] ?? "").trim();
}

/** Whose a row is: the id of its brand and, where it is known, the name. */
function brandsOf(
  { brandIn = [] }: SourceTable,
  header: readonly string[],
  cells: readonly string[],
): readonly string[] {
  return brandIn.map((name) => cellAt(header, cells, name)).filter((cell) => cell !== "");
}

/** Whether a row cannot be of its table. Programs leave out empty cells at the end of a row. */
function misshapen({ cells, isEnd }: SheetRow, width: number): string | null {
  const isShort = isEnd === true && cells.length < width && cells.some((cell) => cell !== "");
  if (isShort) {
    return (
      `The file ends within this row: it has ${cells.length} of ${width} cells. ` +
      "Is the file cut off?"
    );
  }
  if (cells.slice(width).every((cell) => cell.trim() === "")) return null;
  return (
    `The row has ${cells.length} cells, and the header names ${width} columns. ` +
    "Quote cells that have a separator or a line break."
  );
}

function ofOther(brand: string | undefined, before: string | null): string {
  return (
    `The row is of the brand ${quoted(brand ?? "")}, and those before it are of ` +
    `${quoted(before ?? "")}. Import one brand at a time, with --brand.`
  );
}

/** An export of several brands is of one account each. */
function requireBrand(meant: string | undefined, brands: ReadonlyMap<string, string>): void {
  const names = [...brands].map(([id, name]) => (name === "" ? id : name));
  const all = names
    .slice(0, 20)
    .map((name) => quoted(name))
    .join(", ");
  const isKnown = [...brands].flat().includes(meant ?? "");
  if (meant === undefined && names.length > 1) {
    throw new MappingError([`brand: the export is of several. Name one of ${all}.`]);
  }
  if (meant !== undefined && names.length > 1 && !isKnown) {
    throw new MappingError([`brand: the export has none that is ${quoted(meant)}. It has ${all}.`]);
  }
}

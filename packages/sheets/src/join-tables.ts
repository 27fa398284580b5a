import { quoted } from "@sightline/contract/quoted";
import { MappingError } from "./read-sheet.ts";
import type { SheetRow } from "./rows.ts";
import type { Join, SourceTable } from "./sources/source.ts";

/** Joined tables are held in memory: some 500,000 sources of answers, or all prompts there are. */
const heldCharactersMax = 128 * 1024 * 1024;

interface HeldTable {
  readonly table: SourceTable;
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A table with the columns that other tables add to it. */
export interface WidenedTable {
  readonly header: readonly string[];
  readonly widen: (cells: readonly string[]) => readonly string[];
}

/** A table that others refer to, widened. */
interface JoinedTable extends WidenedTable {
  readonly table: SourceTable;
  /** How many columns are its own. */
  readonly width: number;
  readonly rows: HeldRows;
}

/** The tables of an export that answers refer to. */
export class JoinedTables {
  readonly #tables = new Map<string, HeldTable>();
  readonly #reads: Join[] = [];
  #characters = 0;

  /** Holds a table, whose first row names its columns. @throws MappingError */
  async add(table: SourceTable, rows: AsyncIterable<SheetRow>): Promise<void> {
    const held = this.#tables.get(table.name);
    const all: (readonly string[])[] = [];
    let header: readonly string[] | null = null;
    for await (const { number, cells, fault } of rows) {
      if (fault !== undefined) throw new MappingError([`${table.name}: row ${number}: ${fault}`]);
      this.#characters += cells.reduce((sum, { length }) => sum + length, 0);
      if (this.#characters > heldCharactersMax) throw new MappingError([tooMuch]);
      if (header === null) header = cells.map((cell) => cell.trim());
      else all.push(cells);
    }
    if (held === undefined)
      this.#tables.set(table.name, { table, header: header ?? [], rows: all });
    else throw new MappingError([`${table.name}: two files have this table. Give one of them.`]);
  }

  /** The tables that are held, widened. */
  all(): readonly JoinedTable[] {
    return [...this.#tables.values()].map(({ table, header, rows }) => {
      const widened = this.widened(table, header);
      const { length: width } = header;
      return { table, width, header: widened.header, widen: widened.widen, rows };
    });
  }

  /** The columns of a table that the others read, and those by which it refers to them. */
  usedOf(table: SourceTable): ReadonlySet<string> {
    const own = (table.joins ?? []).map(({ by }) => by);
    return new Set([...own, ...this.#reads.flatMap((join) => columnsOfJoin(join, table.name))]);
  }

  /** A table with what the others add to it. @throws MappingError where one is missing. */
  widened(table: SourceTable, header: readonly string[]): WidenedTable {
    this.#reads.push(...(table.joins ?? []));
    const joins = (table.joins ?? []).flatMap((join) => {
      const by = header.indexOf(join.by);
      const held = this.#tables.get(join.table);
      if (held !== undefined && by !== -1) return [this.#joined(join, by, held)];
      if (!join.isRequired) return [];
      throw new MappingError([missing(join)]);
    });
    return {
      header: [...header, ...joins.flatMap(({ names }) => names)],
      widen: (cells) => {
        const padded = header.map((_, place) => cells[place] ?? "");
        return [...padded, ...joins.flatMap(({ cellsOf }) => cellsOf(padded))];
      },
    };
  }

  #joined(join: Join, by: number, held: HeldTable) {
    const { header, widen } = this.widened(held.table, held.header);
    const { gathers, takes = [] } = join;
    const key = header.indexOf(join.key);
    const rowsBy = new Map<string, (readonly string[])[]>();
    for (const row of held.rows) {
      const of = row[key] ?? "";
      const rows = rowsBy.get(of);
      if (rows === undefined) rowsBy.set(of, [row]);
      else rows.push(row);
    }
    const rowsOf = (cells: readonly string[]) => rowsBy.get(cells[by] ?? "") ?? [];
    if (gathers !== undefined) {
      const places = [gathers.url, gathers.title, gathers.order].map((name) =>
        header.indexOf(name),
      );
      return {
        names: [gathers.as],
        cellsOf: (cells: readonly string[]) => [listed(rowsOf(cells), places)],
      };
    }
    const places = takes.map((name) => header.indexOf(name));
    return {
      names: takes.map((name) => `${join.table}.${name}`),
      cellsOf: (cells: readonly string[]) => {
        const [row] = rowsOf(cells);
        const wide = row === undefined ? [] : widen(row);
        return places.map((place) => wide[place] ?? "");
      },
    };
  }
}

function columnsOfJoin({ table, key, takes = [], gathers }: Join, name: string): readonly string[] {
  if (table !== name) return [];
  return [key, ...takes, ...(gathers === undefined ? [] : Object.values(gathers))];
}

type HeldRows = readonly (readonly string[])[];

const tooMuch =
  `The joined tables have more than ${heldCharactersMax} characters. ` +
  "Export the answers of fewer months at a time.";

function missing({ table, key, takes = [], gathers }: Join): string {
  const columns =
    gathers === undefined ? takes.filter((name) => !name.includes(".")) : [gathers.url];
  return (
    `${table}: this table is missing. Give its file too; ` +
    `it has the columns ${[key, ...columns].map((name) => quoted(name)).join(" and ")}.`
  );
}

/** Sources as a list of JSON, in their order. */
function listed(rows: HeldRows, [url = -1, title = -1, order = -1]: readonly number[]): string {
  if (rows.length === 0) return "";
  const sorted = rows.toSorted((a, b) => Number(a[order] ?? 0) - Number(b[order] ?? 0));
  return JSON.stringify(sorted.map((row) => ({ url: row[url] ?? "", title: row[title] ?? "" })));
}

import type { SheetMapping } from "../mapping.ts";
import { columnPlace } from "../rows.ts";
import { ahrefs } from "./ahrefs.ts";
import { ansvisor } from "./ansvisor.ts";
import { canonry } from "./canonry.ts";
import { elmo } from "./elmo.ts";
import { peec } from "./peec.ts";
import { profound } from "./profound.ts";
import type { Source, SourceName, SourceTable } from "./source.ts";

export { type Source, type SourceName, type SourceTable, sourceNames } from "./source.ts";

/** Every tool whose exports are known. */
export const sources: readonly Source[] = [profound, ahrefs, peec, elmo, ansvisor, canonry];

/** A table of an export, as its file names it and its columns. */
export interface GivenTable {
  /** As a database or a JSON file calls it; null: it has no name. */
  readonly name: string | null;
  readonly header: readonly string[];
}

/** The tool that tables are from, and what each is; null: none of the tool's. */
export interface Recognized {
  readonly source: Source;
  readonly tables: readonly (SourceTable | null)[];
}

/** Which tool's export tables are, by their columns; null: of none that is known. */
export function recognized(given: readonly GivenTable[], wanted?: SourceName): Recognized | null {
  for (const source of sources) {
    if (wanted !== undefined && source.name !== wanted) continue;
    const tables = given.map((table) => tableOf(source, table));
    const [first] = source.tables;
    const isWhole = tables.some(
      (table) => table !== null && (table.answers !== undefined || table === first),
    );
    if (isWhole) return { source, tables };
  }
  return null;
}

function tableOf({ tables }: Source, { name, header }: GivenTable): SourceTable | null {
  const columns = new Set(header.map((each) => each.trim()));
  const fitting = tables.filter(({ has }) => has.every((each) => columns.has(each)));
  const named = fitting.find((table) => table.name === name);
  return named ?? fitting.toSorted((a, b) => b.has.length - a.has.length)[0] ?? null;
}

/** A column that does not become part of an answer, and why. */
export interface DroppedColumn {
  readonly table: string;
  readonly column: string;
  readonly why: string;
}

const nothing = "nothing in Sightline stands for it";

/** Which columns of a table are left out, and why. */
export function droppedOf(
  { name, dropped, tracks = {}, brandIn = [] }: SourceTable,
  header: readonly string[],
  used: ReadonlySet<string>,
): readonly DroppedColumn[] {
  const reasons = Object.entries(dropped);
  const { brand, competitor, ...rest } = tracks;
  const entities = [brand, competitor].flatMap((entity) =>
    entity === undefined ? [] : [entity.name, ...entity.domains, entity.aliases ?? ""],
  );
  const told = new Set([...Object.values(rest), ...entities, ...brandIn]);
  return header.flatMap((column) => {
    const reason = reasons.find(([pattern]) => isLike(column, pattern))?.[1];
    if (used.has(column) || (reason === undefined && told.has(column))) return [];
    return [{ table: name, column, why: reason ?? nothing }];
  });
}

/** `position*` is every name that begins so, `*_count` every one that ends so. */
function isLike(name: string, pattern: string): boolean {
  if (pattern.endsWith("*")) return name.startsWith(pattern.slice(0, -1));
  return pattern.startsWith("*") ? name.endsWith(pattern.slice(1)) : name === pattern;
}

/**
 * The mapping of a table's answers in a file: without the columns that the file lacks, and with
 * what was said about it.
 */
export function fitted(
  { answers }: SourceTable,
  header: readonly string[],
  said: Partial<SheetMapping>,
): SheetMapping {
  const { columns = {}, values = {}, ...others } = answers ?? { columns: {} };
  const saidFields = new Set(Object.keys({ ...said.columns, ...said.values }));
  const isThere = (name: string) => header.some((each) => isLike(each, name));
  const found = Object.entries(columns).flatMap(([field, names]) => {
    if (saidFields.has(field)) return [];
    const all = [names].flat();
    const there = all.filter(isThere);
    const letter = all.find((name) => name.length === 1 && columnPlace(name) !== null);
    const kept = there.length > 0 || letter === undefined ? there : [letter];
    return kept.length === 0 ? [] : [[field, kept.length === 1 ? kept[0] : kept] as const];
  });
  const fixed = Object.entries(values).filter(([field]) => !saidFields.has(field));
  const lists = (["idFrom", "keep"] as const).flatMap((list) => {
    const there = (answers?.[list] ?? []).filter(isThere);
    return there.length === 0 ? [] : [[list, there] as const];
  });
  const { idFrom: _, keep: __, ...rest } = others;
  return {
    rowIs: "answer", // two answers of a day may differ in nothing but their sources
    ...rest,
    ...Object.fromEntries(lists),
    ...said,
    columns: { ...Object.fromEntries(found), ...said.columns },
    ...(fixed.length === 0 && said.values === undefined
      ? {}
      : { values: { ...Object.fromEntries(fixed), ...said.values } }),
  };
}

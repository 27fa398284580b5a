import { MappingError } from "./read-sheet.ts";
import type { SheetRow } from "./rows.ts";

/** A table out of JSON. */
export interface JsonTable {
  readonly name: string;
  readonly header: readonly string[];
  /** From the first, which names the columns. */
  readonly rows: () => AsyncGenerator<SheetRow>;
}

/** A file of JSON is read as a whole. */
const jsonBytesMax = 256 * 1024 * 1024;
const columnsMax = 1_000;

/** A file of JSON with more bytes is refused. @throws MappingError */
export function checkJsonBytes(bytes: number): void {
  if (bytes <= jsonBytesMax) return;
  const size = `${jsonBytesMax / 1024 / 1024} MiB`;
  throw new MappingError([`JSON has at most ${size}. Export CSV, of any size.`]);
}

/** Whether a text begins as JSON does. */
export function isJson(head: string): boolean {
  return /^\ufeff?\s*[[{]/.test(head);
}

/**
 * Lists of objects: the whole file, by their names in an object, or one object a line.
 * @param name of a list that is the whole file. @throws MappingError
 */
export function jsonTables(name: string, text: string): readonly JsonTable[] {
  const value = parsed(text) ?? parsedLines(text);
  if (value === undefined) {
    throw new MappingError(["The file is not JSON. Is it cut off?"]);
  }
  if (Array.isArray(value)) return [tableOf(name, value)];
  const lists = Object.entries(value as object).filter(([, each]) => Array.isArray(each));
  return lists.map(([key, list]) => tableOf(key, list as readonly unknown[]));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parsedLines(text: string): readonly unknown[] | undefined {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const values = lines.map(parsed);
  return values.includes(undefined) ? undefined : values;
}

function tableOf(name: string, list: readonly unknown[]): JsonTable {
  const objects = list.map((item) =>
    typeof item === "object" && item !== null ? (item as Readonly<Record<string, unknown>>) : {},
  );
  const header = [...new Set(objects.flatMap((object) => Object.keys(object)))];
  if (header.length > columnsMax) {
    throw new MappingError([`${name} has more than ${columnsMax} fields.`]);
  }
  const rows = async function* (): AsyncGenerator<SheetRow> {
    yield { number: 1, cells: header };
    for (const [place, object] of objects.entries()) {
      const cells = header.map((key) => (Object.hasOwn(object, key) ? cellOf(object[key]) : ""));
      yield { number: place + 2, cells };
    }
  };
  return { name, header, rows };
}

/** A value as a cell of CSV has it. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

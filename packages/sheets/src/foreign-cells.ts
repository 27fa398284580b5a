import { urlsOf } from "@sightline/contract/cited-urls";

/** JSON of a cell, which stands in the line as it is. */
export interface Raw {
  readonly raw: string;
}

/** What is wrong with a cell: `is not a date.` */
export interface Fault {
  readonly fault: string;
}

/** Where the address and the title of a source are, in lists that another tool wrote as JSON. */
export interface CitationKeys {
  readonly url: string;
  readonly title?: string;
}

/** JSON of a cell as it is. */
export function jsonOfCell(text: string): Raw | Fault {
  try {
    JSON.parse(text);
    return { raw: text };
  } catch {
    return { fault: "is not JSON." };
  }
}

/**
 * The sources in a cell: URLs, or a JSON list. Without `keys` it is a list as a line has it, which
 * is passed on as it is; with them, items are URLs or objects, of which address and title are kept.
 */
export function citationsOfCell(cell: string, title: string, keys?: CitationKeys) {
  const list = cell.trimStart().startsWith("[") ? jsonOfCell(cell.trim()) : null;
  if (list !== null && "raw" in list) {
    return keys === undefined ? [list] : reduced(JSON.parse(list.raw), keys);
  }
  const found = urlsOf(cell);
  const isTitled = title.trim() !== "" && found.length === 1;
  return found.map((url) => (isTitled ? { url, title: title.trim() } : { url }));
}

function reduced(list: unknown, { url: urlKey, title: titleKey = "" }: CitationKeys) {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: unknown) => {
    if (typeof item === "string") return item.trim() === "" ? [] : [{ url: item.trim() }];
    const url = fieldOf(item, urlKey);
    const title = fieldOf(item, titleKey);
    if (typeof url !== "string" || url.trim() === "") return [];
    const isTitled = typeof title === "string" && title.trim() !== "";
    return [isTitled ? { url: url.trim(), title: title.trim() } : { url: url.trim() }];
  });
}

/** Another tool's own property, never one that every object inherits. */
function fieldOf(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[key];
}

/**
 * The texts of a list in a cell, one a line. With `signs` also as other tools write lists: JSON, an
 * array of PostgreSQL (`{a,"b c"}`), or on one line with bars, semicolons or, last, commas between.
 */
export function listOfCell(cell: string, signs: boolean): readonly string[] {
  const text = cell.trim();
  const listed = signs ? (jsonTexts(text) ?? postgresTexts(text)) : null;
  if (listed !== null) return listed;
  const lines = split(text, /[\r\n]+/);
  if (lines.length > 1 || !signs) return lines;
  const sign = [/\s*\|\s*/, /\s*;\s*/, /\s*,\s+/].find((each) => each.test(text));
  return sign === undefined ? lines : split(text, sign);
}

function split(text: string, sign: RegExp): readonly string[] {
  return text
    .split(sign)
    .map((each) => each.trim())
    .filter((each) => each !== "");
}

function jsonTexts(text: string): readonly string[] | null {
  if (!text.startsWith("[")) return null;
  try {
    const list: unknown = JSON.parse(text);
    if (!Array.isArray(list) || !list.every((each) => typeof each === "string")) return null;
    return list.map((each: string) => each.trim()).filter((each) => each !== "");
  } catch {
    return null;
  }
}

function postgresTexts(text: string): readonly string[] | null {
  if (!text.startsWith("{") || !text.endsWith("}")) return null;
  const found: string[] = [];
  const item = /\s*(?:"((?:[^"\\]|\\[\s\S])*)"|([^",{}]*))\s*(,|$)/y;
  const inner = text.slice(1, -1);
  if (inner.trim() === "") return [];
  while (item.lastIndex < inner.length || found.length === 0) {
    const read = item.exec(inner);
    if (read === null) return null;
    const [, quotedText, plain = ""] = read;
    const value = (quotedText ?? plain).replaceAll(/\\([\s\S])/g, "$1").trim();
    if (value !== "" && !(quotedText === undefined && value === "NULL")) found.push(value);
    if (read[3] === "") break;
  }
  return found;
}

/**
 * The answer in a reply of a provider that was kept as JSON: what the first path finds that finds
 * a text. `a.b[0].c[type=text].d` goes by names, places, and items with a value; `[]` is each item,
 * whose texts are joined by line breaks. Null: none of the paths leads to a text.
 */
export function textAtPaths(cell: string, paths: readonly string[]): string | null {
  let value: unknown;
  try {
    value = JSON.parse(cell);
  } catch {
    return null;
  }
  if (typeof value === "string") return value;
  for (const path of paths) {
    const texts = at([value], path.match(/[^.[\]]+|\[[^\]]*\]/g) ?? []);
    const found = texts.filter((each) => typeof each === "string" && each.trim() !== "");
    if (found.length > 0) return found.join("\n");
  }
  return null;
}

function at(values: readonly unknown[], steps: readonly string[]): readonly unknown[] {
  return steps.reduce<readonly unknown[]>((found, step) => {
    if (!step.startsWith("[")) return found.map((each) => fieldOf(each, step));
    const lists = found.filter((each): each is unknown[] => Array.isArray(each));
    const inner = step.slice(1, -1);
    if (inner === "") return lists.flat();
    const [key = "", wanted] = inner.split("=");
    if (wanted === undefined) return lists.map((list) => list[Number(key)]);
    return lists.flat().filter((each) => fieldOf(each, key) === wanted);
  }, values);
}

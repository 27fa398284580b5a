import { tagsOfText } from "./prompt-tags.ts";

/** A prompt as it was pasted. */
export interface PastedPrompt {
  readonly text: string;
  /** The name of its topic; null: none. */
  readonly topic: string | null;
  /** Omitted: none. */
  readonly tags?: readonly string[];
  /** Omitted: it is asked. */
  readonly paused?: boolean;
}

/** Which columns have what; a column that neither names is left out. Counted from 0. */
export interface PastedColumns {
  readonly prompt: number;
  /** Null: there is no column of topics. */
  readonly topic: number | null;
  /** Only where the first row names it; omitted: there is no column of tags. */
  readonly tags?: number;
}

/** What a pasted text holds, and what was left out of it. */
export interface PastedPrompts {
  /** Each once, in the order of the text. */
  readonly prompts: readonly PastedPrompt[];
  /** Lines whose prompt stands above already, or is tracked. */
  readonly repeated: number;
  /** Lines without a prompt, and those that are too long. */
  readonly unusable: number;
  /** "1. ", "2) " or "- " stood before each prompt, and was removed. */
  readonly hasNumbering: boolean;
  /** How many columns the text has; 1: it is a list, a prompt on each line. */
  readonly width: number;
  readonly columns: PastedColumns;
  /** The first row that names the columns; null: every row is a prompt. */
  readonly header: readonly string[] | null;
  /** The first rows as they were pasted, for a person to choose the columns by. */
  readonly sample: readonly (readonly string[])[];
}

/** The longest prompt of a workspace file. */
const charactersMax = 20_000;
const sampleRows = 3;

const promptHeads = /^(prompts?|questions?|quer(y|ies)|texts?|fragen?|suchanfragen?|keywords?)$/i;
const topicHeads = /^(topics?|thema|themen|themes?|categor(y|ies)|kategorien?|groups?|gruppen?)$/i;
const tagHeads = /^(tags?|labels?|schlagw(ort|örter|orte)|etiketten?)$/i;

/** What a text is read with. */
interface PasteOptions {
  /** Texts that are tracked. */
  readonly known?: Iterable<string>;
  /** What a person has chosen in place of what is guessed. */
  readonly columns?: PastedColumns | undefined;
}

/**
 * Reads prompts that were pasted: a line each, two columns out of a spreadsheet (prompt and topic,
 * in either order, tabs between them), or CSV; also a column called tags. Commas alone make no
 * columns: prompts have them.
 */
export function pastedPrompts(
  text: string,
  { known = [], columns: chosen }: PasteOptions = {},
): PastedPrompts {
  const rows = withoutNumbers(rowsOf(text.replace(/^\uFEFF/, "").replaceAll(/\r\n?/g, "\n")));
  const width = Math.max(1, ...rows.map((row) => row.length));
  const [first] = rows;
  const isHeader = first !== undefined && isHead(first);
  const body = isHeader ? rows.slice(1) : rows;
  const columns = columnsOf(body, width, { header: isHeader ? first : [], chosen });
  const texts = body.map((row) => cellOf(row, columns.prompt));
  const hasNumbering = isNumbered(texts);
  const seen = new Set([...known].map(sameText));
  const prompts: PastedPrompt[] = [];
  let [repeated, unusable] = [0, 0];
  for (const [index, row] of body.entries()) {
    const prompt = hasNumbering
      ? (texts[index] ?? "").replace(numbering, "")
      : (texts[index] ?? "");
    const same = sameText(prompt);
    if (prompt === "" || prompt.length > charactersMax) unusable += 1;
    else if (seen.has(same)) repeated += 1;
    else {
      seen.add(same);
      const tags = tagsOfText(cellOf(row, columns.tags ?? null));
      const topic = cellOf(row, columns.topic) || null;
      prompts.push({ text: prompt, topic, ...(tags.length === 0 ? {} : { tags }) });
    }
  }
  return {
    prompts,
    repeated,
    unusable,
    hasNumbering,
    width,
    columns,
    header: isHeader ? first : null,
    sample: body.slice(0, sampleRows),
  };
}

/** Texts that differ in spaces or capital letters ask the same. */
function sameText(text: string): string {
  return text.normalize("NFC").replaceAll(/\s+/g, " ").trim().toLowerCase();
}

/** A cell's text on one line; empty: the row has no such cell. */
function cellOf(row: readonly string[], column: number | null): string {
  if (column === null) return "";
  return (row[column] ?? "").replaceAll(/\s+/g, " ").trim();
}

type Row = readonly string[];

/** The rows of a text that are not empty, by the separator that the text uses. */
function rowsOf(text: string): readonly Row[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const separator = separatorOf(lines);
  if (separator === null) return lines.map((line) => [line.trim()]);
  return cellRows(text, separator).filter((row) => row.some((cell) => cell.trim() !== ""));
}

/**
 * A tab in any line, since nobody types one into a prompt. Semicolon or comma only where the first
 * line names columns, or every line has quoted cells: else a prompt would be cut at its comma.
 */
function separatorOf(lines: readonly string[]): string | null {
  if (lines.some((line) => /\S\t+\S/.test(line))) return "\t";
  const [first = ""] = lines;
  for (const separator of [";", ","]) {
    const head = cellRows(first, separator)[0] ?? [];
    if (head.length > 1 && isHead(head)) return separator;
    const pair = new RegExp(`^"([^"]|"")*"${separator}\\S|\\S${separator}"([^"]|"")*"$`);
    if (lines.length > 0 && lines.every((line) => pair.test(line.trim()))) return separator;
  }
  return null;
}

function isHead(row: Row): boolean {
  const cells = row.map((cell) => cell.trim());
  const isOne = row.length === 1 ? promptHeads : /./;
  return cells.some((cell) => promptHeads.test(cell)) && cells.every((cell) => isOne.test(cell));
}

/** Cells as RFC 4180 has them: quoted where they contain a separator, a quote or a line's end. */
function cellRows(text: string, separator: string): readonly Row[] {
  const rows: string[][] = [[]];
  let [cell, isQuoted] = ["", false];
  const endCell = () => {
    rows.at(-1)?.push(cell);
    cell = "";
  };
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? "";
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (character === '"' && cell === "" && closes(text, at, separator)) isQuoted = true;
    else if (character === separator) endCell();
    else if (character === "\n") {
      endCell();
      rows.push([]);
    } else cell += character;
  }
  endCell();
  return rows;
}

/** Whether a quote that begins a cell has its end before a separator: `"Best" tents?` has not. */
function closes(text: string, from: number, separator: string): boolean {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    if (text[at + 1] === '"') at += 1;
    else return [undefined, "\n", separator].includes(text[at + 1]);
  }
  return false;
}

/** The rows without a first column that only counts them, as spreadsheets have it. */
function withoutNumbers(rows: readonly Row[]): readonly Row[] {
  const counted = rows.filter((row) => row.length > 1);
  const isNumber = (cell = "") => /^(#|no\.?|nr\.?|\(?\d{1,6}[.):]?)?$/i.test(cell.trim());
  if (counted.length < rows.length || counted.length === 0) return rows;
  return counted.every(([first]) => isNumber(first)) ? rows.map((row) => row.slice(1)) : rows;
}

interface ColumnHints {
  /** Empty: the text names no columns. */
  readonly header: Row;
  readonly chosen: PastedColumns | undefined;
}

/** By the names of the columns, else the prompts are what is longer and repeats less. */
function columnsOf(
  rows: readonly Row[],
  width: number,
  { header, chosen }: ColumnHints,
): PastedColumns {
  if (width === 1) return { prompt: 0, topic: null };
  const find = (heads: RegExp) => header.findIndex((cell) => heads.test(cell.trim()));
  const ofTags = find(tagHeads);
  const withTags = (columns: PastedColumns): PastedColumns => {
    const { prompt, topic } = columns;
    return ofTags < 0 || [prompt, topic].includes(ofTags)
      ? { prompt, topic }
      : { prompt, topic, tags: ofTags };
  };
  if (chosen !== undefined && Math.max(chosen.prompt, chosen.topic ?? 0) < width) {
    return withTags(chosen);
  }
  const [named, ofTopics] = [find(promptHeads), find(topicHeads)];
  if (named >= 0) return withTags({ prompt: named, topic: ofTopics < 0 ? null : ofTopics });
  const scores = Array.from({ length: width }, (_, column) => promptScore(rows, column));
  const prompt = scores.indexOf(Math.max(...scores));
  // Of more columns the one beside it is the topic: others are searches, notes, owners.
  return { prompt, topic: prompt === 0 ? 1 : 0 };
}

/** How much a column looks like questions. */
function promptScore(rows: readonly Row[], column: number): number {
  const cells = rows.map((row) => cellOf(row, column)).filter((cell) => cell !== "");
  if (cells.length === 0) return -1;
  const share = (test: (cell: string) => boolean) => cells.filter(test).length / cells.length;
  const words = cells.reduce((sum, cell) => sum + cell.split(" ").length, 0) / cells.length;
  return (
    2 * share((cell) => /[?？؟]$/.test(cell)) +
    new Set(cells).size / cells.length +
    Math.min(words, 10) / 10
  );
}

/** "1. ", "2) ", "(3) ", "4: ", a dash or a bullet. */
const numbering = /^(\(?\d{1,4}[.):]\)?|[-–•*])\s+/;

/** Whether texts are numbered or have bullets: "1. FC Acme?" among others is a name. */
function isNumbered(texts: readonly string[]): boolean {
  const given = texts.filter((text) => text !== "");
  const marked = given.filter((text) => numbering.test(text));
  if (marked.length < given.length || marked.length === 0) return false;
  const numbers = marked.map((text) => Number(/\d+/.exec(numbering.exec(text)?.[0] ?? "")?.[0]));
  if (numbers.some(Number.isNaN)) return numbers.every(Number.isNaN);
  return numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? 0));
}

import { quoted } from "@sightline/contract/quoted";
import { type DateOrder, dayTimeOf, timeOfDay, writtenDate } from "./local-time.ts";
import { type Columns, promptFields, type SheetMapping } from "./mapping.ts";
import { plainName, providerOf } from "./provider-names.ts";
import type { SheetRow } from "./rows.ts";

/** What a table does not tell by itself. `example` is the first cell that leaves it open. */
export type Question =
  | { readonly about: "prompt" | "provider" | "answeredAt" | "text" }
  /** Two rows that follow each other and differ in nothing but their source. */
  | { readonly about: "rowIs"; readonly rows: readonly [number, number] }
  | { readonly about: "dateOrder" | "timeZone" | "timeOfDay"; readonly example: string }
  | { readonly about: "providerName"; readonly name: string; readonly rows: number };

/** More unknown names of providers are not asked for: the column is another one. */
const namesMax = 50;

/** Goes through the rows of a table and finds what has to be asked before it can be mapped. */
export class OpenQuestions {
  readonly #mapping: SheetMapping;
  readonly #columns: Columns;
  /** The orders in which each date so far is one. */
  #orders: ReadonlySet<DateOrder> = new Set(["dmy", "mdy", "ymd"]);
  /** The first date that can be read in several orders. */
  #example: string | null = null;
  #withoutZone: string | null = null;
  #withoutTime: string | null = null;
  #before: { readonly row: number; readonly key: string; readonly source: string } | null = null;
  #sameRows: readonly [number, number] | null = null;
  readonly #names = new Map<string, { readonly name: string; rows: number }>();

  constructor(mapping: SheetMapping, columns: Columns) {
    this.#mapping = mapping;
    this.#columns = columns;
    const { answeredAt } = mapping.values ?? {};
    if (answeredAt !== undefined) this.#addDate(answeredAt, "");
  }

  add(row: SheetRow): void {
    const { number, cells, fault } = row;
    if (number <= this.#columns.headerRow || fault !== undefined) return;
    if (this.#sameRows === null) this.#compare(row);
    const cellOf = (name: string) => {
      const of = this.#columns.columns.filter(({ field }) => field === name);
      return of.map(({ place }) => (cells[place] ?? "").trim()).find((cell) => cell !== "") ?? "";
    };
    this.#addDate(cellOf("answeredAt"), cellOf("time"));
    this.#addProvider(cellOf("provider"));
  }

  /** A row like the one before, or of a source alone, may be one more source of its answer. */
  #compare({ number, cells }: SheetRow): void {
    const sourceOnes = new Set(["citations", "citationTitle", "retrieved"]);
    const said = (isSource: boolean) =>
      this.#columns.columns
        .filter(({ field }) => !promptFields.has(field) && sourceOnes.has(field) === isSource)
        .map(({ place }) => (cells[place] ?? "").trim())
        .join("\n");
    const [key, source] = [said(false), said(true)];
    const { row = 0, key: keyBefore = "", source: sourceBefore = "" } = this.#before ?? {};
    const isSame = key.trim() === "" ? source.trim() !== "" : key === keyBefore;
    if (row > 0 && isSame && source !== sourceBefore) this.#sameRows = [row, number];
    this.#before = { row: number, key, source };
  }

  #addDate(cell: string, time: string): void {
    const date = writtenDate(cell);
    if (date === null) return;
    if (!date.isFixed) {
      this.#orders = new Set([...this.#orders].filter((order) => date.days.has(order)));
      if (date.isOpen) this.#example ??= cell;
    }
    const isDay = date.timeMs === null && timeOfDay(time) === null;
    const isUtcDay = isDay && dayTimeOf(this.#mapping.timeOfDay ?? "")?.isUtc === true;
    if (date.offset === null && !isUtcDay) this.#withoutZone ??= cell;
    if (isDay) this.#withoutTime ??= cell;
  }

  #addProvider(cell: string): void {
    if (cell === "" || providerOf(cell) !== null || this.#names.size > namesMax) return;
    const plain = plainName(cell);
    const named = this.#names.get(plain);
    if (named === undefined) this.#names.set(plain, { name: cell, rows: 1 });
    else named.rows += 1;
  }

  /** The order that the rows so far leave; null: several, or no row has one. */
  get dateOrder(): DateOrder | null {
    const { dateOrder } = this.#mapping;
    if (dateOrder !== undefined) return dateOrder;
    const [only, ...others] = this.#orders;
    return only !== undefined && others.length === 0 ? only : null;
  }

  /** What is still open. */
  questions(): readonly Question[] {
    const { values = {}, timeZone, timeOfDay: time, providers = {} } = this.#mapping;
    const has = (name: string) =>
      this.#columns.columns.some(({ field }) => field === name) || name in values;
    const open: Question[] = [];
    if (!has("prompt") && !has("promptId")) open.push({ about: "prompt" });
    for (const about of ["provider", "answeredAt", "text"] as const) {
      if (!has(about) && !(about === "text" && has("outcome"))) open.push({ about });
    }
    const { rowIs, groupBy } = this.#mapping;
    if (this.#sameRows !== null && rowIs === undefined && groupBy === undefined) {
      open.push({ about: "rowIs", rows: this.#sameRows });
    }
    if (this.#example !== null && this.dateOrder === null) {
      open.push({ about: "dateOrder", example: this.#example });
    }
    if (this.#withoutZone !== null && timeZone === undefined) {
      open.push({ about: "timeZone", example: this.#withoutZone });
    }
    if (this.#withoutTime !== null && time === undefined) {
      open.push({ about: "timeOfDay", example: this.#withoutTime });
    }
    const said = new Set(Object.keys(providers).map(plainName));
    for (const [plain, { name, rows }] of this.#names) {
      if (!said.has(plain)) open.push({ about: "providerName", name, rows });
    }
    return open;
  }
}

/** What a mapping's file must say, in a sentence. */
export function questionText(question: Question): string {
  switch (question.about) {
    case "prompt":
      return "columns: name the column of prompt or promptId.";
    case "provider":
    case "text":
      return `columns: name the column of ${question.about}.`;
    case "answeredAt":
      return "columns: name the column of answeredAt, which is when an answer was given.";
    case "rowIs":
      return (
        `rowIs: rows ${question.rows.join(" and ")} differ in nothing but their source. ` +
        "Write citation if a row is one source of an answer, or answer."
      );
    case "dateOrder":
      return (
        `dateOrder: ${quoted(question.example)} may be read day first or month first. ` +
        "Write dmy, mdy or ymd."
      );
    case "timeZone":
      return (
        `timeZone: ${quoted(question.example)} has no time zone. ` +
        "Write the one it is in, for example Europe/Berlin or UTC."
      );
    case "timeOfDay":
      return (
        `timeOfDay: ${quoted(question.example)} has no time of day. ` +
        'Write the one that counts, for example "12:00".'
      );
    case "providerName": {
      const { name } = question;
      return (
        `providers: ${quoted(name)} is not a known provider. ` +
        `Write which one it means, for example ${JSON.stringify(name)}: OPENAI.`
      );
    }
  }
}

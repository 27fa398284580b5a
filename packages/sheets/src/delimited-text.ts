import { cellsMax, rowCharactersMax, type SheetRow } from "./rows.ts";

/** The encodings that are read, by the names that the platform's decoder knows. */
export const encodings = ["utf-8", "utf-16le", "utf-16be", "windows-1252"] as const;

/** How the bytes of a text stand for characters. */
export type Encoding = (typeof encodings)[number];

/** What stands between cells. */
export const separators = [",", ";", "\t", "|"] as const;

/** What stands between two cells of a row. */
export type Separator = (typeof separators)[number];

/** The bytes are not what their encoding allows; rows before them were read. */
export class EncodingError extends Error {
  constructor(encoding: Encoding) {
    super(
      `The file is not ${encoding}. ` +
        `Choose another encoding: ${encodings.filter((each) => each !== encoding).join(", ")}.`,
    );
    this.name = "EncodingError";
  }
}

/**
 * The rows of a text with separated cells (RFC 4180, with any separator), as they come. Rows end in
 * LF, CRLF or CR outside of quotes; a byte order mark and Excel's line `sep=;` are skipped, and the
 * latter counts as a row. Memory holds one row and one chunk.
 * @throws EncodingError
 */
export async function* delimitedRows(
  chunks: AsyncIterable<Uint8Array>,
  { encoding, separator }: { readonly encoding: Encoding; readonly separator: Separator },
): AsyncGenerator<SheetRow> {
  const decoder = new TextDecoder(encoding, { fatal: true }); // drops a byte order mark
  const reader = new RowReader(separator);
  const decoded = (chunk?: Uint8Array): string => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch {
      throw new EncodingError(encoding);
    }
  };
  for await (const chunk of chunks) yield* reader.read(decoded(chunk)).filter(isNoNote);
  yield* [...reader.read(decoded()), ...reader.end()].filter(isNoNote);
}

/** Excel's note about the separator, such as `sep=;`, is not a row of answers. */
function isNoNote({ number, cells: [first = "", ...others] }: SheetRow): boolean {
  return number > 1 || !/^sep=.?$/i.test(first) || others.some((cell) => cell !== "");
}

const quote = 0x22;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Cuts text that comes in pieces into rows of cells. */
export class RowReader {
  readonly #separator: number;
  #place: "fresh" | "plain" | "quoted" | "closed" = "fresh";
  #cell = "";
  #cells: string[] = [];
  #characters = 0;
  #number = 1;
  #fault: string | undefined;
  #afterReturn = false;
  #rows: SheetRow[] = [];

  constructor(separator: Separator) {
    this.#separator = separator.charCodeAt(0);
  }

  /** The rows that end in the text. */
  read(text: string): readonly SheetRow[] {
    let start = 0;
    for (let at = 0; at < text.length; at++) {
      if (this.#place === "quoted") {
        const end = text.indexOf('"', at);
        if (end === -1) break;
        this.#add(text.slice(start, end));
        this.#place = "closed";
        at = end;
        start = end + 1;
        continue;
      }
      const code = text.charCodeAt(at);
      const isAfterReturn = this.#afterReturn;
      this.#afterReturn = false;
      if (isAfterReturn && code === lineFeed) {
        start = at + 1;
      } else if (code === quote) {
        if (this.#place === "plain") continue; // as text, which is how spreadsheets read it
        this.#add(this.#place === "closed" ? '"' : "");
        this.#place = "quoted";
        start = at + 1;
      } else if (code === this.#separator) {
        this.#add(text.slice(start, at));
        this.#endCell();
        start = at + 1;
      } else if (code === lineFeed || code === carriageReturn) {
        this.#add(text.slice(start, at));
        this.#endRow();
        this.#afterReturn = code === carriageReturn;
        start = at + 1;
      } else if (this.#place === "closed") {
        this.#fault ??= "Text follows a closing quote. Quotes inside a cell must be doubled.";
        this.#place = "plain";
      } else {
        this.#place = "plain";
      }
    }
    this.#add(text.slice(start));
    return this.#take();
  }

  /** The last row, which may have no line ending. */
  end(): readonly SheetRow[] {
    if (this.#place === "quoted") this.#fault ??= "A quoted cell is not closed.";
    if (this.#place !== "fresh" || this.#cells.length > 0) this.#endRow();
    const rows = this.#take();
    return rows.map((row) => ({ ...row, isEnd: true }));
  }

  /** A row beyond the bounds is read to its end, and not kept. */
  #add(text: string): void {
    this.#characters += text.length;
    if (this.#characters <= rowCharactersMax) {
      this.#cell += text;
      return;
    }
    this.#cell = "";
    this.#fault ??=
      `The row is longer than ${rowCharactersMax} characters. ` +
      "Is a quote not closed? The rows up to the next quote are part of it.";
  }

  #endCell(): void {
    if (this.#cells.length < cellsMax) this.#cells.push(this.#cell);
    else this.#fault ??= `The row has more than ${cellsMax} cells.`;
    this.#cell = "";
    this.#place = "fresh";
  }

  #endRow(): void {
    this.#endCell();
    const row = { number: this.#number, cells: this.#cells };
    this.#rows.push(this.#fault === undefined ? row : { ...row, fault: this.#fault });
    this.#number += 1;
    this.#cells = [];
    this.#characters = 0;
    this.#fault = undefined;
  }

  #take(): readonly SheetRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }
}

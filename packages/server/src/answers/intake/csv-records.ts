import { BegunLine, isBlank, type Line, lineBytesMax, trimmed } from "./lines.ts";

/** A record of CSV as read, with the line that it begins on as its number. */
export interface CsvRecord extends Line {
  /** How many cells it has, going by the commas outside of quotes. */
  readonly cells: number;
}

const quote = 0x22;
const comma = 0x2c;
const lineFeed = 0x0a;
const byteOrderMark = [0xef, 0xbb, 0xbf];

/** Where a byte is, between the bytes before it. */
class Place {
  isQuoted = false;
  /** The last byte closed a quote: another quote makes a pair of the two, which is one of text. */
  #isClosed = false;
  /** A quote opens a cell only at its beginning; elsewhere it is a fault of this record alone. */
  #isFresh = true;
  #bytes = 0;
  cells = 1;

  /** @returns whether the byte ends a record. */
  take(byte: number): boolean {
    const isMark = this.#bytes < 3 && byte === byteOrderMark[this.#bytes];
    this.#bytes++;
    if (byte === quote) {
      const opens = !this.isQuoted && (this.#isFresh || this.#isClosed);
      this.#isClosed = this.isQuoted;
      this.isQuoted = opens;
      this.#isFresh = false;
      return false;
    }
    this.#isClosed = false;
    if (this.isQuoted || isMark) return false;
    this.#isFresh = byte === comma || byte === lineFeed;
    if (byte === comma) this.cells++;
    return byte === lineFeed;
  }
}

/**
 * The records of a CSV stream (RFC 4180), which end in LF or CRLF outside of quotes. Blank ones are
 * skipped. Memory use is at most one record and one chunk.
 */
export async function* csvRecords(
  chunks: AsyncIterable<Buffer>,
  bytesMax = lineBytesMax,
): AsyncGenerator<CsvRecord> {
  const place = new Place();
  let line = 1;
  let number = 1;
  let endByte = 0;
  const begun = new BegunLine(bytesMax);
  const finish = (last: Buffer): CsvRecord => {
    const whole = begun.end(last);
    const bytes = whole === null ? null : trimmed(whole, number === 1);
    const record = { number, bytes, endByte, cells: place.cells };
    number = line;
    place.cells = 1;
    return record;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (byte === lineFeed) line++;
      if (!place.take(byte)) continue;
      const last = chunk.subarray(start, at);
      endByte += at + 1 - start;
      start = at + 1;
      const record = finish(last);
      if (!isBlank(record)) yield record;
    }
    const rest = chunk.subarray(start);
    endByte += rest.length;
    begun.add(rest);
  }
  if (begun.isEmpty) return;
  const record = finish(Buffer.alloc(0));
  if (!isBlank(record)) yield record;
}

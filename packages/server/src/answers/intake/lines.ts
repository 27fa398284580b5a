import { GrowingBytes } from "../../platform/growing-bytes.ts";
import type { Rejection } from "./read-answer-line.ts";

/** A non-blank line of a byte stream. */
export interface Line {
  /** From 1. */
  readonly number: number;
  /** Without the line ending; null when the line is longer than allowed. */
  readonly bytes: Buffer | null;
  /** Bytes of the stream up to the end of this line. */
  readonly endByte: number;
  /** Why it is rejected before it is read; omitted: nothing is against it so far. */
  readonly rejection?: Rejection;
}

/**
 * The longest accepted line; a longer one is skipped without being buffered. The longest real
 * answers are a twentieth of it, and parsing a line takes ten times its size.
 */
export const lineBytesMax = 4 * 1024 * 1024;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
/** JSON's white space; the line ending is already removed. */
const blanks: ReadonlySet<number> = new Set([0x20, 0x09, carriageReturn]);
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * The lines of a byte stream that end in LF or CRLF; the last one may have no ending. Blank lines
 * are numbered but not returned. A leading byte order mark is dropped. Memory use is at most one
 * line and one chunk.
 */
export async function* linesOf(
  chunks: AsyncIterable<Buffer>,
  bytesMax = lineBytesMax,
): AsyncGenerator<Line> {
  let number = 0;
  let endByte = 0;
  const begun = new BegunLine(bytesMax);
  const finish = (last: Buffer): Line => {
    number++;
    const whole = begun.end(last);
    return { number, bytes: whole === null ? null : trimmed(whole, number === 1), endByte };
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = endOfLine(chunk, 0); end !== -1; end = endOfLine(chunk, start)) {
      endByte += end + 1 - start;
      const isEmpty = end === start && begun.isEmpty;
      if (isEmpty) {
        number++;
      } else {
        const line = finish(chunk.subarray(start, end));
        if (!isBlank(line)) yield line;
      }
      start = end + 1;
    }
    const rest = chunk.subarray(start);
    endByte += rest.length;
    begun.add(rest);
  }
  if (begun.isEmpty) return;
  const line = finish(Buffer.alloc(0));
  if (!isBlank(line)) yield line;
}

/** A line whose end has not come, of which no more than an accepted line is kept. */
export class BegunLine {
  readonly #bytesMax: number;
  readonly #kept = new GrowingBytes();
  /** With those that are not kept. */
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get isEmpty(): boolean {
    return this.#bytes === 0;
  }

  add(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#bytes <= this.#bytesMax) this.#kept.append(piece);
    else this.#kept.take();
  }

  /** The line with its last piece, and the next one begins; null when it is longer than allowed. */
  end(last: Buffer): Buffer | null {
    if (this.isEmpty) return last.length > this.#bytesMax ? null : last;
    this.add(last);
    const isTooLong = this.#bytes > this.#bytesMax;
    this.#bytes = 0;
    const whole = this.#kept.take();
    return isTooLong ? null : whole;
  }
}

/** Millions of empty lines are not worth one call of indexOf each. */
function endOfLine(chunk: Buffer, start: number): number {
  return chunk[start] === lineFeed ? start : chunk.indexOf(lineFeed, start);
}

/** Whether a line has nothing but white space. */
export function isBlank({ bytes }: Pick<Line, "bytes">): boolean {
  return bytes?.every((byte) => blanks.has(byte)) === true;
}

/** A line without the rest of its ending; the first one without a byte order mark. */
export function trimmed(line: Buffer, first: boolean): Buffer {
  const start = first && line.subarray(0, 3).equals(byteOrderMark) ? 3 : 0;
  const end = line.at(-1) === carriageReturn ? line.length - 1 : line.length;
  return line.subarray(start, end);
}

/** A line of a byte stream that is not blank. */
export interface Line {
  /** From 1. */
  readonly number: number;
  /** Without its line end; null when the line is longer than lineBytesMax. */
  readonly bytes: Buffer | null;
  /** Bytes of the stream up to and with this line. */
  readonly endByte: number;
}

/**
 * The longest line that is read; a longer one is skipped without being buffered. The longest real
 * answers have a twentieth of it, and what is made of a line while it is read takes ten times it.
 */
export const lineBytesMax = 4 * 1024 * 1024;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
/** JSON's white space; a line's own end is cut off already. */
const blanks: ReadonlySet<number> = new Set([0x20, 0x09, carriageReturn]);
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * The lines of a byte stream, ended by LF or CRLF; the last one may lack its end. Blank lines count
 * and are left out. A byte order mark at the very beginning is dropped. Memory holds one line and
 * one chunk at most.
 */
export async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  let number = 0;
  let endByte = 0;
  let begun: Buffer[] = [];
  let begunBytes = 0;
  const finish = (last: Buffer): Line => {
    number++;
    const whole = begun.length === 0 ? last : Buffer.concat([...begun, last]);
    const bytes = begunBytes + last.length > lineBytesMax ? null : trimmed(whole, number === 1);
    begun = [];
    begunBytes = 0;
    return { number, bytes, endByte };
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = endOfLine(chunk, 0); end !== -1; end = endOfLine(chunk, start)) {
      endByte += end + 1 - start;
      const isEmpty = end === start && begunBytes === 0;
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
    begunBytes += rest.length;
    if (begunBytes <= lineBytesMax) begun.push(rest);
    else begun = [];
  }
  if (begunBytes === 0) return;
  const line = finish(Buffer.alloc(0));
  if (!isBlank(line)) yield line;
}

/** Millions of empty lines are not worth a call of the engine each. */
function endOfLine(chunk: Buffer, start: number): number {
  return chunk[start] === lineFeed ? start : chunk.indexOf(lineFeed, start);
}

function isBlank({ bytes }: Line): boolean {
  return bytes?.every((byte) => blanks.has(byte)) === true;
}

function trimmed(line: Buffer, first: boolean): Buffer {
  const start = first && line.subarray(0, 3).equals(byteOrderMark) ? 3 : 0;
  const end = line.at(-1) === carriageReturn ? line.length - 1 : line.length;
  return line.subarray(start, end);
}

/** A line of a byte stream. */
export interface Line {
  /** From 1. */
  readonly number: number;
  /** Without its line end; null when the line is longer than lineBytesMax. */
  readonly bytes: Buffer | null;
  /** Bytes of the stream up to and with this line. */
  readonly endByte: number;
}

/** The longest line that is read; a longer one is passed over without being held in memory. */
export const lineBytesMax = 16 * 1024 * 1024;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * The lines of a byte stream, ended by LF or CRLF; the last one may lack its end. A byte order
 * mark at the very beginning is dropped. Memory holds one line and one chunk at most.
 */
export async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  let number = 0;
  let endByte = 0;
  let held: Buffer[] = [];
  let heldBytes = 0;
  const finish = (last: Buffer): Line => {
    number++;
    const whole = held.length === 0 ? last : Buffer.concat([...held, last]);
    const bytes = heldBytes + last.length > lineBytesMax ? null : trimmed(whole, number === 1);
    held = [];
    heldBytes = 0;
    return { number, bytes, endByte };
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      endByte += end + 1 - start;
      yield finish(chunk.subarray(start, end));
      start = end + 1;
    }
    const rest = chunk.subarray(start);
    endByte += rest.length;
    heldBytes += rest.length;
    if (heldBytes <= lineBytesMax) held.push(rest);
    else held = [];
  }
  if (heldBytes > 0) yield finish(Buffer.alloc(0));
}

function trimmed(line: Buffer, first: boolean): Buffer {
  const start = first && line.subarray(0, 3).equals(byteOrderMark) ? 3 : 0;
  const end = line.at(-1) === carriageReturn ? line.length - 1 : line.length;
  return line.subarray(start, end);
}

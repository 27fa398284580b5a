/** Bytes that are sent one piece after another. A piece that comes many times is held once. */
export class Pieces {
  readonly parts: readonly Buffer[];
  /** How many bytes are sent. */
  readonly length: number;

  constructor(parts: readonly Buffer[]) {
    this.parts = parts;
    this.length = lengthOf(parts);
  }

  /** One piece: a text in UTF-8. */
  static of(text: string): Pieces {
    return new Pieces([Buffer.from(text)]);
  }

  /** How many bytes memory has of them. */
  get heldBytes(): number {
    return lengthOf(new Set(this.parts)) + this.parts.length * referenceBytes;
  }

  /** The bytes in stretches of at most so many: short pieces are put together, long ones cut. */
  *stretches(bytesMax: number): Generator<Buffer> {
    let short: Buffer[] = [];
    let room = bytesMax;
    for (const part of this.parts) {
      for (let from = 0; from < part.length; from += bytesMax) {
        const stretch = part.subarray(from, from + bytesMax);
        if (stretch.length > room) {
          yield joined(short);
          [short, room] = [[], bytesMax];
        }
        short.push(stretch);
        room -= stretch.length;
      }
    }
    if (short.length > 0) yield joined(short);
  }

  /** All in one; a copy when there are several. */
  whole(): Buffer {
    return joined(this.parts);
  }

  toString(): string {
    return this.whole().toString();
  }
}

/** Approximate overhead of a Buffer, in bytes. */
const referenceBytes = 100;

function lengthOf(parts: Iterable<Buffer>): number {
  let length = 0;
  for (const part of parts) length += part.length;
  return length;
}

function joined(parts: readonly Buffer[]): Buffer {
  const [first] = parts;
  return first !== undefined && parts.length === 1 ? first : Buffer.concat(parts);
}

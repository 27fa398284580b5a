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

  /** All in one; a copy when there are several. */
  whole(): Buffer {
    const [first] = this.parts;
    return first !== undefined && this.parts.length === 1 ? first : Buffer.concat(this.parts);
  }

  toString(): string {
    return this.whole().toString();
  }
}

/** What a Buffer takes besides its bytes, about. */
const referenceBytes = 100;

function lengthOf(parts: Iterable<Buffer>): number {
  let length = 0;
  for (const part of parts) length += part.length;
  return length;
}

import { Pieces } from "../platform/pieces.ts";

/** Shorter stretches are copied: each by itself takes as long to be sent as some thousand bytes. */
export const sharedBytesMin = 4_096;

/** As much as is written to a connection at a time, and little enough to be allocated cheaply. */
const chunkBytes = 65_536;

/** The longest text that `addText` takes. */
const textBytesMax = 64;

/** The last chunk of the reply before: most replies fit into one, and new memory is slow. */
let spare: Buffer | null = null;

/** Characters. */
const loopedMax = 8;

/**
 * JSON as bytes: strings that are joined piece by piece are garbage, three times as much as it. Of
 * long stretches that come in many places no copies are made.
 */
export class JsonPieces {
  readonly #parts: Buffer[] = [];
  #chunk: Buffer;
  /** Where in the chunk the part begins that is being written. */
  #from = 0;
  #length = 0;

  constructor() {
    this.#chunk = spare ?? Buffer.allocUnsafeSlow(chunkBytes);
    spare = null;
  }

  /** Bytes that nobody changes any more. */
  add(bytes: Buffer): void {
    if (bytes.length >= sharedBytesMin) {
      this.#endPart();
      this.#parts.push(bytes);
      return;
    }
    if (this.#length + bytes.length > chunkBytes) this.#nextChunk();
    this.#chunk.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** A short text of ASCII: beyond a few characters, a call takes less than a loop. */
  addText(text: string): void {
    if (this.#length + textBytesMax > chunkBytes) this.#nextChunk();
    if (text.length > loopedMax) {
      this.#length += this.#chunk.write(text, this.#length, "latin1");
    } else {
      for (let at = 0; at < text.length; at++) this.#chunk[this.#length++] = text.charCodeAt(at);
    }
  }

  /** What was added. To be called once, at the end. */
  pieces(): Pieces {
    this.#endPart();
    // A reply is kept as long as it is, not as long as its last chunk.
    const chunk = this.#chunk;
    const last = Buffer.from(chunk.subarray(0, this.#length));
    const parts = this.#parts.map((part) => {
      if (part.buffer !== chunk.buffer) return part;
      return last.subarray(part.byteOffset, part.byteOffset + part.length);
    });
    spare = chunk;
    return new Pieces(parts);
  }

  #endPart(): void {
    if (this.#from < this.#length) this.#parts.push(this.#chunk.subarray(this.#from, this.#length));
    this.#from = this.#length;
  }

  #nextChunk(): void {
    this.#endPart();
    this.#chunk = Buffer.allocUnsafeSlow(chunkBytes);
    this.#from = 0;
    this.#length = 0;
  }
}

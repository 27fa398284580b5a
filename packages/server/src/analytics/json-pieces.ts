import { Pieces } from "../platform/pieces.ts";

/** Shorter stretches are copied: each by itself takes as long to be sent as some thousand bytes. */
export const sharedBytesMin = 4_096;

/** The most room that is kept for the next. */
const keptBytesMax = 1_048_576;

/** Written over and over: memory that is new takes four times as long as what is copied to it. */
let kept: Buffer | null = null;

/** Characters. */
const loopedMax = 8;

/**
 * JSON as bytes: strings that are joined piece by piece are garbage, three times as much as it. Of
 * long stretches that come in many places no copies are made.
 */
export class JsonPieces {
  readonly #own: Buffer;
  #length = 0;
  readonly #shared: { readonly at: number; readonly bytes: Buffer }[] = [];

  /** Room for so many bytes, those of long stretches not counted. */
  constructor(most: number) {
    this.#own = kept !== null && kept.length >= most ? kept : Buffer.allocUnsafe(most);
    kept = null;
  }

  /** Bytes that nobody changes any more. */
  add(bytes: Buffer): void {
    if (bytes.length >= sharedBytesMin) {
      this.#shared.push({ at: this.#length, bytes });
      return;
    }
    this.#own.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** A short text of ASCII: beyond a few characters, a call takes less than a loop. */
  addText(text: string): void {
    if (text.length > loopedMax) {
      this.#length += this.#own.write(text, this.#length, "latin1");
    } else {
      for (let at = 0; at < text.length; at++) this.#own[this.#length++] = text.charCodeAt(at);
    }
  }

  /** What was added. To be called once, at the end. */
  pieces(): Pieces {
    const own = Buffer.from(this.#own.subarray(0, this.#length));
    if (this.#own.length <= keptBytesMax) kept = this.#own;
    const parts: Buffer[] = [];
    let from = 0;
    for (const { at, bytes } of this.#shared) {
      if (from < at) parts.push(own.subarray(from, at));
      parts.push(bytes);
      from = at;
    }
    if (from < own.length || parts.length === 0) parts.push(own.subarray(from));
    return new Pieces(parts);
  }
}

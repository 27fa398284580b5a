/**
 * Bytes that come in pieces, gathered in one block of at most twice their length. A list of the
 * pieces would keep the buffer that each came in, which is a hundred times the size of a piece of
 * one byte.
 */
export class GrowingBytes {
  #block: Buffer = Buffer.alloc(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  append(piece: Uint8Array): void {
    const length = this.#length + piece.length;
    if (length > this.#block.length) {
      const block = Buffer.allocUnsafeSlow(Math.max(length, 2 * this.#length));
      this.#block.copy(block, 0, 0, this.#length);
      this.#block = block;
    }
    this.#block.set(piece, this.#length);
    this.#length = length;
  }

  /** All bytes so far, which are the caller's; what is appended next begins another block. */
  take(): Buffer<ArrayBufferLike> {
    const bytes = this.#block.subarray(0, this.#length);
    this.#block = Buffer.alloc(0);
    this.#length = 0;
    return bytes;
  }
}

/** Bits of the eight dots of a braille character: two columns of four rows, from the top. */
const dotBits = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
] as const;
const brailleStart = 0x2800;

/** Dots to a character, across and down. */
export const dotsAcross = 2;
/** Dots to a character, down. */
export const dotsDown = 4;

/** A point in dots, from the left and from the top. */
export interface Dot {
  readonly x: number;
  readonly y: number;
}

/** What stands in one character of a canvas. */
export interface CanvasCell {
  /** A braille character, a letter, or a space. */
  readonly text: string;
  /** Which line drew here last; null: none. */
  readonly line: number | null;
}

/** A field of characters in which lines are drawn by dots, each with the number of its line. */
export class BrailleCanvas {
  readonly width: number;
  readonly height: number;
  readonly #bits: Uint8Array;
  readonly #lines: Int16Array;
  readonly #letters = new Map<number, string>();

  /** In characters. */
  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.#bits = new Uint8Array(width * height);
    this.#lines = new Int16Array(width * height).fill(-1);
  }

  /** Draws from one dot to another; the same one twice is a single dot. */
  draw(line: number, from: Dot, to: Dot): void {
    const steps = Math.max(Math.abs(to.x - from.x), Math.abs(to.y - from.y), 1);
    for (let step = 0; step <= steps; step++) {
      const x = Math.round(from.x + ((to.x - from.x) * step) / steps);
      const y = Math.round(from.y + ((to.y - from.y) * step) / steps);
      this.#set(line, x, y);
    }
  }

  /** Puts a letter where a dot is, unless another line's letter stands there. */
  mark(line: number, { x, y }: Dot, letter: string): void {
    const place = this.#place(x, y);
    if (place === null || this.#letters.has(place)) return;
    this.#letters.set(place, letter);
    this.#lines[place] = line;
  }

  /** Rows of cells, from the top. */
  rows(): readonly (readonly CanvasCell[])[] {
    return Array.from({ length: this.height }, (_, row) =>
      Array.from({ length: this.width }, (_, column) => this.#cell(row * this.width + column)),
    );
  }

  #cell(place: number): CanvasCell {
    const bits = this.#bits[place] ?? 0;
    const line = this.#lines[place] ?? -1;
    const dots = bits === 0 ? " " : String.fromCodePoint(brailleStart + bits);
    return { text: this.#letters.get(place) ?? dots, line: line < 0 ? null : line };
  }

  #set(line: number, x: number, y: number): void {
    const place = this.#place(x, y);
    if (place === null) return;
    const bit = dotBits[y % dotsDown]?.[x % dotsAcross] ?? 0;
    this.#bits[place] = (this.#bits[place] ?? 0) | bit;
    if (!this.#letters.has(place)) this.#lines[place] = line;
  }

  #place(x: number, y: number): number | null {
    const [column, row] = [Math.floor(x / dotsAcross), Math.floor(y / dotsDown)];
    const isInside = column >= 0 && column < this.width && row >= 0 && row < this.height;
    return isInside ? row * this.width + column : null;
  }
}

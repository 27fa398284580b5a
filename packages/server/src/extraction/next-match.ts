/**
 * Finds the next match of a pattern at or after a position, and caches it. For positions in
 * ascending order it reads the text only once, regardless of the number of calls; that keeps link
 * parsing linear when thousands of openers share one distant closer, or have none.
 */
export class NextMatch {
  readonly #text: string;
  readonly #pattern: RegExp;
  #askedFrom = 0;
  #foundAt = -1;

  /** The pattern needs the flag `g`, and must not be able to scan past its own match. */
  constructor(text: string, pattern: RegExp) {
    this.#text = text;
    this.#pattern = pattern;
  }

  /** The index of the next match, or the length of the text when there is none. */
  from(position: number): number {
    if (position < this.#askedFrom || position > this.#foundAt) {
      this.#pattern.lastIndex = position;
      this.#foundAt = this.#pattern.exec(this.#text)?.index ?? this.#text.length;
      this.#askedFrom = position;
    }
    return this.#foundAt;
  }
}

import { NextMatch } from "./next-match.ts";

/**
 * Where a target's tail (title and closing parenthesis) is searched; one set for each way of
 * writing a target.
 */
interface Tail {
  readonly text: NextMatch;
  readonly closers: Readonly<Record<'"' | "'", TitleEnd>>;
}

/** The next closing quote before a parenthesis, and that parenthesis. */
interface TitleEnd {
  readonly quotes: NextMatch;
  readonly parentheses: NextMatch;
}

/**
 * Reads the target of an inline Markdown link, `(https://acme.com/ "Acme")`, as in CommonMark, with
 * one exception: a title ends at the first quote before a closing parenthesis, so quotes inside it
 * need no escape.
 */
export class LinkTargets {
  readonly #text: string;
  readonly #blankLines: NextMatch;
  readonly #starts: NextMatch;
  readonly #spaces: NextMatch;
  readonly #angles: NextMatch;
  readonly #newlines: NextMatch;
  readonly #bareTail: Tail;
  readonly #angledTail: Tail;
  readonly #closingParentheses: Int32Array;

  constructor(text: string) {
    this.#text = text;
    this.#blankLines = new NextMatch(text, /\n[ \t\r]*\n/g);
    this.#starts = new NextMatch(text, /\S/g);
    this.#spaces = new NextMatch(text, /\s/g);
    this.#angles = new NextMatch(text, /[<>]/g);
    this.#newlines = new NextMatch(text, /\n/g);
    // Two tails, because each must be read in ascending order and the two ways of writing
    // interleave.
    this.#bareTail = tailOf(text);
    this.#angledTail = tailOf(text);
    this.#closingParentheses = matchParentheses(text);
  }

  /**
   * The index after the target that opens with the parenthesis at `open`, or -1 when there is none.
   */
  endOf(open: number): number {
    const end = this.#endOf(open);
    return end > this.#blankLines.from(open) ? -1 : end;
  }

  #endOf(open: number): number {
    const start = this.#starts.from(open + 1);
    if (this.#text[start] === "<") {
      const close = this.#angles.from(start + 1);
      const closed = this.#text[close] === ">" && close < this.#newlines.from(start);
      return closed ? this.#tailEnd(this.#angledTail, close + 1) : -1;
    }
    const close = this.#closingParenthesis(open);
    const space = this.#spaces.from(start);
    return close !== -1 && close <= space ? close + 1 : this.#tailEnd(this.#bareTail, space);
  }

  #tailEnd(tail: Tail, from: number): number {
    const at = tail.text.from(from);
    const first = this.#text[at];
    if (first === ")") return at + 1;
    if (at === from) return -1;
    if (first === '"' || first === "'") {
      const { quotes, parentheses } = tail.closers[first];
      const close = parentheses.from(quotes.from(at + 1));
      return close < this.#text.length ? close + 1 : -1;
    }
    const close = first === "(" ? this.#closingParenthesis(at) : -1;
    return close !== -1 && this.#text[close + 1] === ")" ? close + 2 : -1;
  }

  #closingParenthesis(open: number): number {
    return this.#closingParentheses[open] || -1;
  }
}

function tailOf(text: string): Tail {
  const closer = (quotes: RegExp): TitleEnd => ({
    quotes: new NextMatch(text, quotes),
    parentheses: new NextMatch(text, /\)/g),
  });
  return {
    text: new NextMatch(text, /\S/g),
    closers: { '"': closer(/"\s*\)/g), "'": closer(/'\s*\)/g) },
  };
}

/** For each opening parenthesis the index of its closing one; 0 where there is none. */
function matchParentheses(text: string): Int32Array {
  const partners = new Int32Array(text.length);
  const open: number[] = [];
  const marks = /\\[\\()]|[()]/g;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    if (mark[0] === "(") open.push(mark.index);
    else if (mark[0] === ")") {
      const partner = open.pop();
      if (partner !== undefined) partners[partner] = mark.index;
    }
  }
  return partners;
}

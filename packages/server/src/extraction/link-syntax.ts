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

/** The link definitions of a text, `[1]: https://acme.com "Acme"`. */
export interface LinkDefinitions {
  /** The index after each definition, by the index of its opening bracket. */
  readonly ends: ReadonlyMap<number, number>;
  /** The defined names, as `linkReference` returns them. */
  readonly references: ReadonlySet<string>;
}

/** CommonMark's bound on a reference; it also keeps lookups linear. */
export const referenceCharactersMax = 999;

const label = /\[([^[\]\n]{1,999})\]:/;
const destination = /(<[^<>\n]*>|[^\s<]\S*)/;
const title = /"[^\n]*"|'[^\n]*'|\([^\n]*\)/;
const body = `(${label.source}[ \\t]*${destination.source}(?:[ \\t]+(?:${title.source}))?)`;
const definition = new RegExp(`^[ \\t>]{0,8}${body}[ \\t\\r]*$`, "gm");

/** A text that can be a target: `[Note]: Samsung` is prose, although CommonMark would hide it. */
const target = /[/#:]|^www\./i;

const none: LinkDefinitions = { ends: new Map(), references: new Set() };

/** Finds the lines that define link references. Footnotes (`[^1]: …`) are prose. */
export function findLinkDefinitions(text: string): LinkDefinitions {
  if (!text.includes("]:")) return none;
  const ends = new Map<number, number>();
  const references = new Set<string>();
  for (const found of text.matchAll(definition)) {
    const [line, whole = "", reference = "", goal = ""] = found;
    if (reference.startsWith("^") || !target.test(goal)) continue;
    const start = found.index + line.indexOf("[");
    ends.set(start, start + whole.length);
    references.add(linkReference(reference));
  }
  return { ends, references };
}

/** The form in which references are compared: case-insensitive, runs of spaces as one. */
export function linkReference(raw: string): string {
  return raw.trim().replace(/\s+/g, " ").toLowerCase();
}

/** Such a tag leaves nothing in the prose; a `block` ends a paragraph. */
const inline = words(
  `abbr b bdi bdo big cite code del dfn em font i ins kbd mark q s samp small span strike strong
  sub tt u var wbr`,
);
/**
 * Replaced by spaces, because their contents are read separately: link labels, footnote numbers,
 * trademark signs.
 */
const spaced = words("a data label sup time");
const block = words(
  `address article aside blockquote body button caption center col colgroup dd details dialog div
  dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hr html iframe img
  input li link main meta nav noscript ol option p picture pre script section select source style
  summary svg table tbody td textarea tfoot th thead title tr ul video`,
);

const tagStart = /<\/?([A-Za-z][A-Za-z0-9:_-]*)(?=[\s/>])/y;

/** A tag of HTML in a text. */
interface HtmlTag {
  /** The index after the tag. */
  readonly end: number;
  /** Lower case, with `/` before it in a closing tag. */
  readonly name: string;
  readonly replacement: "" | " " | "\n" | "\n\n";
}

/**
 * The tag that starts at `at`, the index of a `<`, and ends before `nextAngle`, the index of the
 * next `<`; null when there is none. A word that HTML does not know (`<Acme>`) is a tag only when
 * it closes or has a quoted attribute.
 */
export function htmlTagAt(text: string, at: number, nextAngle: number): HtmlTag | null {
  tagStart.lastIndex = at;
  const found = tagStart.exec(text);
  if (found === null) return null;
  const rest = text.slice(tagStart.lastIndex, nextAngle);
  const close = closingAngle(rest);
  if (close === -1) return null;
  const element = (found[1] ?? "").toLowerCase();
  const closing = text[at + 1] === "/";
  const certain = closing || /=\s*["']/.test(rest.slice(0, close));
  const replacement = replacementOf(element) ?? (certain ? " " : null);
  if (replacement === null) return null;
  const name = closing ? `/${element}` : element;
  return { end: tagStart.lastIndex + close + 1, name, replacement };
}

function replacementOf(element: string): HtmlTag["replacement"] | null {
  if (inline.has(element)) return "";
  if (spaced.has(element)) return " ";
  if (element === "br") return "\n";
  return block.has(element) ? "\n\n" : null;
}

/** The first `>` outside quotes, else the first `>`, else -1. */
function closingAngle(rest: string): number {
  const marks = />|=\s*(?:"[^"]*"|'[^']*')/g;
  for (let mark = marks.exec(rest); mark !== null; mark = marks.exec(rest)) {
    if (mark[0] === ">") return mark.index;
  }
  return rest.indexOf(">");
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/));
}

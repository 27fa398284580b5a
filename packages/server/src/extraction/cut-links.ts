import { plainLabel, publicHost } from "./domains.ts";
import {
  findLinkDefinitions,
  htmlTagAt,
  type LinkDefinitions,
  LinkTargets,
  linkReference,
  NextMatch,
  referenceCharactersMax,
} from "./link-syntax.ts";
import { gap, withSourceMarks } from "./source-marks.ts";
import { edited, type TextEdit, type TextSpan } from "./text-edits.ts";

/** Parentheses around one word with a dot: a host name is a source mark. */
const dottedInParentheses = /[(（]\s?[^\s()（）.]*(?:\.[^\s()（）.]*)+\s?[)）]/;
/** A mark of file search, such as `【7†Acme】`. */
const numberedMark = /【[^【】†\n]*†[^【】\n]*】/;

const anyMarkup = /[[<\\【]|:\/\/|[wW]{3}\.|[(（]\s?[^\s()（）.]*\./;
const markup = new RegExp(
  [
    /!?\[|\]|<|\\|:\/\/|[wW]{3}\.|\n[ \t\r]*\n/.source,
    dottedInParentheses.source,
    numberedMark.source,
  ].join("|"),
  "g",
);
const escapable = /[!-/:-@[-`{-~]/;
const wordCharacter = /[\p{L}\p{M}\p{N}]/u;
const autolink = /<(?:[A-Za-z][A-Za-z0-9+.-]{0,31}:\/\/|mailto:)[^\s<>]*>/iy;

/** Most targets; the others need a closer look. */
const plainTarget = /\([^\s()<>\\]*\)/y;

/** Whether a label is a name of a tracked entity, compared as names are. */
type IsName = (label: string) => boolean;

/**
 * Removes link syntax from prose: URLs, targets and titles, images, definitions, HTML tags, source
 * marks, and labels that are only a host name or URL and not the name of an entity. Other labels
 * stay. Markdown's backslash escapes are resolved. Linear on any input.
 */
export function cutLinks(text: string, isName: IsName): string {
  return edited(text, linkCuts(text, isName));
}

/** The edits by which `cutLinks` turns a text into prose. */
export function linkCuts(text: string, isName: IsName): readonly TextEdit[] {
  return anyMarkup.test(text) ? new LinkCutter(text, isName).run() : [];
}

class LinkCutter {
  readonly #text: string;
  readonly #isName: IsName;
  readonly #cuts: TextEdit[] = [];
  /** The links read so far that are not in a label: ascending and disjoint. */
  readonly #links: TextSpan[] = [];
  /** The positions in `#cuts` of open brackets, and of an open `<a>`. */
  readonly #brackets: number[] = [];
  #anchor = -1;
  readonly #definitions: LinkDefinitions;
  readonly #angles: NextMatch;
  readonly #closingBrackets: NextMatch;
  readonly #commentEnds: NextMatch;
  #targets: LinkTargets | null = null;
  #done = 0;

  constructor(text: string, isName: IsName) {
    this.#text = text;
    this.#isName = isName;
    this.#definitions = findLinkDefinitions(text);
    this.#angles = new NextMatch(text, /</g);
    this.#closingBrackets = new NextMatch(text, /\]/g);
    this.#commentEnds = new NextMatch(text, /-->/g);
  }

  run(): readonly TextEdit[] {
    const pattern = new RegExp(markup);
    for (let found = pattern.exec(this.#text); found !== null; found = pattern.exec(this.#text)) {
      this.#done = this.#read(found[0], found.index);
      pattern.lastIndex = this.#done;
    }
    return withSourceMarks(this.#text, this.#cuts, this.#links);
  }

  /** Reads the markup at `at`; returns the index where reading continues. */
  #read(token: string, at: number): number {
    switch (token.charAt(0)) {
      case "\\":
        return this.#escape(at);
      case "!":
      case "[":
        return this.#openBracket(token, at);
      case "]":
        return this.#closeBracket(at);
      case "<":
        return this.#angle(at);
      case ":":
        return this.#url(bareUrlStart(this.#text, at, this.#done), at + token.length);
      case "【":
        this.#cut(at, at + token.length, gap);
        return at + token.length;
      case "(":
      case "（":
        return this.#parentheses(token, at);
      case "\n": // a label does not reach over a paragraph's end
        this.#brackets.length = 0;
        this.#anchor = -1;
        return at + token.length - 1;
      default: {
        const glued = wordCharacter.test(this.#text.charAt(at - 1));
        return this.#url(glued ? -1 : at, at + token.length);
      }
    }
  }

  #escape(at: number): number {
    if (!escapable.test(this.#text.charAt(at + 1))) return at + 1;
    this.#cut(at, at + 1, "");
    return at + 2;
  }

  /** In lower case, since `(Acme.com)` is a remark: there a name stands as the reader sees it. */
  #parentheses(token: string, at: number): number {
    const host = publicHost(plainLabel(token.slice(1, -1)));
    if (host === null || host !== host.toLowerCase()) return at + 1;
    this.#cut(at, at + token.length, gap);
    return at + token.length;
  }

  #url(start: number, hostStart: number): number {
    const end = start === -1 ? hostStart : bareUrlEnd(this.#text, hostStart);
    if (end === hostStart) return hostStart;
    this.#cut(start, end, gap);
    return end;
  }

  #openBracket(token: string, at: number): number {
    const definitionEnd = this.#definitions.ends.get(at);
    if (definitionEnd !== undefined) {
      this.#cut(at, definitionEnd, gap);
      return definitionEnd;
    }
    this.#brackets.push(this.#cuts.length);
    this.#cut(at, at, ""); // widened when the bracket closes a link
    return at + token.length;
  }

  #closeBracket(at: number): number {
    const opener = this.#brackets.pop();
    if (opener === undefined) return at + 1;
    const start = this.#cuts[opener]?.start ?? 0;
    const isImage = this.#text[start] === "!";
    const labelStart = start + (isImage ? 2 : 1);
    const end = this.#linkEnd(labelStart, at);
    if (end === -1) return at + 1;
    this.#noteLink(start, end, !isImage);
    if (isImage) this.#cutWhole(opener, end);
    else this.#cutAround(opener, { start: labelStart, end: at }, end);
    return end;
  }

  /**
   * The index after the link whose label ends at `at`, or -1 when the brackets are only brackets.
   */
  #linkEnd(labelStart: number, at: number): number {
    const next = this.#text[at + 1];
    if (next === "(") {
      const end = this.#targetEnd(at + 1);
      if (end !== -1) return end;
    }
    if (this.#definitions.references.size === 0) return -1;
    if (next === "[") {
      const close = this.#closingBrackets.from(at + 2);
      const collapsed = close === at + 2;
      if (collapsed ? this.#isDefined(labelStart, at) : this.#isDefined(at + 2, close)) {
        return close + 1;
      }
    }
    return this.#isDefined(labelStart, at) ? at + 1 : -1;
  }

  #targetEnd(open: number): number {
    plainTarget.lastIndex = open;
    if (plainTarget.test(this.#text)) return plainTarget.lastIndex;
    this.#targets ??= new LinkTargets(this.#text);
    return this.#targets.endOf(open);
  }

  #isDefined(start: number, end: number): boolean {
    if (end - start > referenceCharactersMax) return false;
    return this.#definitions.references.has(linkReference(this.#text.slice(start, end)));
  }

  #angle(at: number): number {
    autolink.lastIndex = at;
    if (autolink.test(this.#text)) {
      this.#cut(at, autolink.lastIndex, gap);
      return autolink.lastIndex;
    }
    if (this.#text.startsWith("<!--", at)) {
      const close = this.#commentEnds.from(at + 4);
      if (close === this.#text.length) return at + 1;
      this.#cut(at, close + 3, " ");
      return close + 3;
    }
    const tag = htmlTagAt(this.#text, at, this.#angles.from(at + 1));
    if (tag === null) return at + 1;
    if (tag.name === "/a" && this.#anchor !== -1) {
      const labelStart = this.#cuts[this.#anchor]?.end ?? at;
      this.#noteLink(this.#cuts[this.#anchor]?.start ?? at, tag.end, true);
      this.#cutAround(this.#anchor, { start: labelStart, end: at }, tag.end);
      this.#anchor = -1;
    } else {
      if (tag.name === "a") this.#anchor = this.#cuts.length;
      this.#cut(at, tag.end, tag.replacement);
    }
    return tag.end;
  }

  /** Links in a label, or in an image's text, are parts of the outer one. */
  #noteLink(start: number, end: number, isLink: boolean): void {
    let from = start;
    for (let last = this.#links.at(-1); last && last.end > start; last = this.#links.at(-1)) {
      from = Math.min(from, last.start);
      this.#links.pop();
    }
    if (isLink || from < start) this.#links.push({ start: from, end });
  }

  /**
   * Cuts a link and keeps its label, unless that is only a host name or URL and not a name. The
   * label is surrounded by spaces: in `Acme[1](https://…)` the 1 must not become part of the name.
   */
  #cutAround(opener: number, label: { start: number; end: number }, end: number): void {
    if (this.#isOnlyHost(this.#text.slice(label.start, label.end))) {
      this.#cutWhole(opener, end);
      return;
    }
    const start = this.#cuts[opener]?.start ?? label.start;
    this.#cuts[opener] = { start, end: label.start, replacement: " " };
    this.#cut(label.end, end, " ");
  }

  #isOnlyHost(label: string): boolean {
    const plain = plainLabel(label);
    return publicHost(plain) !== null && !this.#isName(plain);
  }

  /** Cuts everything from the opener on, and drops the cuts inside. */
  #cutWhole(opener: number, end: number): void {
    const start = this.#cuts[opener]?.start ?? end;
    this.#cuts.length = opener;
    while ((this.#brackets.at(-1) ?? -1) >= opener) this.#brackets.pop();
    if (this.#anchor >= opener) this.#anchor = -1;
    this.#cut(start, end, gap);
  }

  #cut(start: number, end: number, replacement: string): void {
    this.#cuts.push({ start, end, replacement });
  }
}

const webScheme = /(?:https?|ftps?)$/i;
const anyScheme = /[A-Za-z][A-Za-z0-9+.-]*$/;

/** No registered scheme is longer; the bound keeps `aaaa…://` linear. */
const schemeCharactersMax = 32;

/**
 * Characters that can end a URL as people and models write it: spaces, quotes, full-width
 * punctuation; and, depending on their context, brackets and escaped quotes.
 */
const mark = new RegExp(
  [
    /[\s<>"`{}|\\^“”„«»‹›()[\]]/,
    /[\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff5b-\uff65]/,
    /&(?:nbsp|quot|lt|gt|#34|#39|#60|#62|#160);/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "g",
);

/**
 * The start of the URL whose `://` is at `separator`, or -1 when no scheme precedes it. A web
 * scheme that is glued to a word (`Samsunghttps://…`, as in pasted tables) is separated from the
 * word.
 */
function bareUrlStart(text: string, separator: number, from: number): number {
  const before = text.slice(Math.max(from, separator - schemeCharactersMax), separator);
  const scheme = webScheme.exec(before)?.[0] ?? anyScheme.exec(before)?.[0];
  return scheme === undefined ? -1 : separator - scheme.length;
}

/** The end of a bare URL: before a space, a quote, or a bracket that it did not open. */
function bareUrlEnd(text: string, from: number): number {
  const open = { "(": 0, "[": 0 };
  mark.lastIndex = from;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const character = found[0];
    if (character === "(" || character === "[") {
      open[character] += 1;
    } else if (character === ")" || character === "]") {
      const opener = character === ")" ? "(" : "[";
      if (open[opener] === 0) return found.index;
      open[opener] -= 1;
    } else {
      return found.index;
    }
  }
  return text.length;
}

/** What a line of an answer is. */
type LineKind = "heading" | "item" | "row" | "rule" | "text";

/** A line of an answer that is not empty, in Markdown or as it is copied from a page. */
export interface Line {
  readonly kind: LineKind;
  /** The content, [start, end) in UTF-16 units, without indent, marker and closing spaces. */
  readonly start: number;
  readonly end: number;
  /** Of items: the columns before the marker. */
  readonly indent: number;
  /**
   * Of headings: 1 to 6 as in Markdown; 7, a line that is bold as a whole; 8, a short line above
   * others, as pages are copied.
   */
  readonly level: number;
  /** Whether an empty line is above it. */
  readonly apart: boolean;
}

/** Longer lines are no headings, unless Markdown says so. */
const headingCharactersMax = 100;
const boldLevel = 7;
const plainLevel = 8;

const fence = /^(?:```|~~~)/;
const heading = /^(#{1,6})[ \t]+/;
const marker = /^(?:[-*+•◦▪‣–—·]|\(?\d{1,3}[.):]|[a-zA-Z][.)]|[✅✔☑❌✖⚠➕➖👍👎]️?)[ \t]+/u;
const rule = /^(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|⸻|—)$/;
const boldLine = /^(?:\*\*[^*]+\*\*|__[^_]+__):?$/;
const sentenceEnd = /[.!?;,…。！？]["”»)\]]*$/;

/** The lines of a text that say something, in order. What is in fences of code says nothing. */
export function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  const mayHaveCells = text.includes("|") || text.includes("\t");
  let apart = true;
  let open: string | null = null;
  for (let from = 0; from <= text.length; ) {
    const newline = text.indexOf("\n", from);
    const to = newline === -1 ? text.length : newline;
    const start = firstInk(text, from, to);
    const end = lastInk(text, start, to);
    if (start === end) {
      apart = true;
    } else {
      const code = text.charCodeAt(start);
      const isSign = code === 0x60 || code === 0x7e;
      const mark = isSign ? (fence.exec(text.slice(start, start + 3))?.[0] ?? null) : null;
      if (mark !== null && (open === null || open === mark)) {
        open = open === null ? mark : null;
      } else if (open === null) {
        const isRow = code === 0x7c || (mayHaveCells && hasCells(text.slice(start, end)));
        lines.push(lineAt(text, { start, end, indent: start - from, apart }, isRow));
        apart = false;
      }
    }
    from = to + 1;
  }
  const isMarkdown = lines.some(({ kind, level }) => kind === "heading" && level < boldLevel);
  return isMarkdown || text.includes("**") ? lines : withPlainHeadings(text, lines);
}

function lineAt(
  text: string,
  place: Pick<Line, "start" | "end" | "indent" | "apart">,
  isRow: boolean,
): Line {
  const { start, end, indent, apart } = place;
  const code = text.charCodeAt(start);
  const of = (kind: LineKind, from: number, level: number): Line => {
    return { kind, start: Math.min(from, end), end, indent, level, apart };
  };
  if (isLetter(code)) return of(isRow ? "row" : "text", start, 0);
  const head = text.slice(start, Math.min(end, start + headingCharactersMax));
  const hashes = heading.exec(head);
  if (hashes !== null) return of("heading", start + hashes[0].length, hashes[1]?.length ?? 1);
  if (rule.test(head)) return of("rule", start, 0);
  if (isRow) return of("row", start, 0);
  if (end - start < headingCharactersMax && boldLine.test(head)) {
    return of("heading", start, boldLevel);
  }
  const quoted = code === 0x3e ? /^(?:>[ \t]*)+/.exec(head)?.[0].length : undefined;
  if (quoted !== undefined) return of("text", start + quoted, 0);
  const item = marker.exec(head);
  return item === null ? of("text", start, 0) : of("item", start + item[0].length, 0);
}

/** Most lines begin with a letter, and are then no item. */
function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
}

/** Two bars or two tabs make cells. */
function hasCells(line: string): boolean {
  const bar = line.indexOf("|");
  if (bar !== -1 && line.indexOf("|", bar + 1) !== -1) return true;
  const tab = line.indexOf("\t");
  return tab !== -1 && line.indexOf("\t", tab + 1) !== -1;
}

/**
 * Pages are copied without their markup: a short line without a sentence's end, above other lines,
 * is a heading.
 */
function withPlainHeadings(text: string, lines: readonly Line[]): readonly Line[] {
  return lines.map((line, index) => {
    const below = lines[index + 1];
    if (line.kind !== "text" || below === undefined) return line;
    if (line.end - line.start > headingCharactersMax) return line;
    if (!line.apart && lines[index - 1]?.kind !== "heading") return line;
    if (below.kind === "text" && below.apart && line.end - line.start > headingCharactersMax / 2) {
      return line;
    }
    if (sentenceEnd.test(text.slice(Math.max(line.start, line.end - 4), line.end))) return line;
    const { start, end, indent, apart } = line;
    return { kind: "heading", start, end, indent, level: plainLevel, apart };
  });
}

function firstInk(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

function lastInk(text: string, from: number, to: number): number {
  let at = to;
  while (at > from && isBlank(text.charCodeAt(at - 1))) at -= 1;
  return at;
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0d || code === 0xa0;
}

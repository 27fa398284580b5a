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
export interface HtmlTag {
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

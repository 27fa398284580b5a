import { Marked, type Tokens } from "marked";

/** A heading of a page. */
export interface Heading {
  readonly depth: number;
  /** Without marks. */
  readonly text: string;
  readonly anchor: string;
}

/** HTML of a page of docs/. Headings have GitHub's anchors; what is written as HTML is text. */
export function markdownToHtml(markdown: string): string {
  return renderer.parse(markdown, { async: false }).trimEnd();
}

/** The text of the first heading; empty when there is none. */
export function titleOf(markdown: string): string {
  return plain(/^# +(.+)$/m.exec(markdown)?.[1] ?? "");
}

/** A heading, and the text up to the next one. */
export interface Section {
  readonly heading: Heading;
  readonly text: string;
}

/** The sections of a page, of which the first is the title's. */
export function sectionsOf(markdown: string): readonly Section[] {
  const sections: { heading: Heading; text: string }[] = [];
  let isCode = false;
  for (const line of markdown.split("\n")) {
    if (/^\s*```/.test(line)) isCode = !isCode;
    const [, marks = "", text = ""] = isCode ? [] : (/^(#{1,6}) +(.+)$/.exec(line) ?? []);
    const last = sections.at(-1);
    if (marks !== "") {
      const heading = { depth: marks.length, text: plain(text), anchor: anchorOf(text) };
      sections.push({ heading, text: "" });
    } else if (last !== undefined) last.text += `${line}\n`;
  }
  return sections;
}

function plain(text: string): string {
  return text.replaceAll(/[`*]/g, "").replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");
}

const renderer = new Marked({
  renderer: {
    heading({ depth, text, tokens }) {
      const inside = this.parser.parseInline(tokens);
      const anchor = escaped(anchorOf(text));
      const label = escaped(`Link to ${plain(text)}`);
      const link = `<a class="anchor" href="#${anchor}" aria-label="${label}">#</a>`;
      return `<h${depth} id="${anchor}">${inside}${depth > 1 ? link : ""}</h${depth}>\n`;
    },
    html: ({ text }) => escaped(text),
    // By keyboard, too, what is wider than the page can be scrolled.
    code: ({ text, lang }) => {
      const language = lang ? ` class="language-${escaped(lang)}"` : "";
      const code = `<code${language}>${escaped(text)}\n</code>`;
      return `<div class="code"><pre tabindex="0">${code}</pre></div>\n`;
    },
    table({ header, rows }) {
      const cell = (each: Tokens.TableCell) => this.parser.parseInline(each.tokens);
      const labels = header.map(({ text }) => plain(text));
      // An empty cell is the heading of nothing.
      const heads = header.map((each) =>
        each.text === "" ? "<td></td>" : `<th${classOf(each)}>${cell(each)}</th>`,
      );
      const isEmpty = labels.every((label) => label === "");
      const lines = rows.map((row) => {
        const cells = row.map((each, column) => {
          const label = labels[column] ?? "";
          const attribute = label === "" ? "" : ` data-label="${escaped(label)}"`;
          return `<td${classOf(each)}${attribute}>${cell(each)}</td>`;
        });
        return `<tr>${cells.join("")}</tr>\n`;
      });
      const wide = header.length > 2 ? ' class="wide"' : "";
      const head = `<thead${isEmpty ? ' class="empty"' : ""}><tr>${heads.join("")}</tr></thead>`;
      return `<table${wide}>${head}\n<tbody>\n${lines.join("")}</tbody></table>\n`;
    },
  },
});

/** Names of this length stay on one line on a phone, too. */
const shortCharactersMax = 20;
/** Longer names break, so that they never make a table wider than a page. */
const nameCharactersMax = 32;

/** How a cell is set: numbers to the right, and names on one line. */
function classOf({ text, align }: Tokens.TableCell): string {
  if (align === "right") return ' class="number"';
  const isName = /^(`[^`]*`|\[`[^`]*`\]\([^)]*\))$/.test(text);
  if (!isName || plain(text).length > nameCharactersMax) return "";
  return plain(text).length <= shortCharactersMax ? ' class="short"' : ' class="name"';
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** A text as HTML shows it, also inside an attribute. */
export function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);
}

/** GitHub's anchor of a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");
}

import { Marked, Renderer } from "marked";

/** HTML of a page of docs/. Headings have GitHub's anchors; what is written as HTML is text. */
export function markdownToHtml(markdown: string): string {
  return renderer.parse(markdown, { async: false }).trimEnd();
}

/** The text of the first heading; empty when there is none. */
export function titleOf(markdown: string): string {
  return plain(/^# +(.+)$/m.exec(markdown)?.[1] ?? "");
}

function plain(text: string): string {
  return text.replaceAll(/[`*]/g, "").replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");
}

// What is wider than the page scrolls by itself, by keyboard too.
const renderer = new Marked({
  renderer: {
    heading({ depth, text, tokens }) {
      const anchor = escaped(anchorOf(text));
      const label = escaped(`Link to ${plain(text)}`);
      const link = `<a class="anchor" href="#${anchor}" aria-label="${label}">#</a>`;
      const inside = this.parser.parseInline(tokens) + (depth > 1 ? link : "");
      return `<h${depth} id="${anchor}">${inside}</h${depth}>\n`;
    },
    html: ({ text }) => escaped(text),
    code: ({ text }) =>
      `<div class="code"><pre tabindex="0"><code>${escaped(text)}\n</code></pre></div>\n`,
    table(token) {
      // Markdown wants a head of every table; an empty cell of it heads nothing.
      const table = Renderer.prototype.table
        .call(this, token)
        .replaceAll(/<th( [^>]*)?><\/th>/g, "<td$1></td>")
        .replace(/<thead>\s*<tr>\s*(?:<td[^>]*><\/td>\s*)+<\/tr>\s*<\/thead>\s*/, "");
      return `<div class="table" tabindex="0">\n${table}</div>\n`;
    },
  },
});

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
  const words = heading.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "");
  return words.replaceAll(" ", "-");
}

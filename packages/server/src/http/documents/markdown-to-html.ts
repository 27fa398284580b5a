import { Marked } from "marked";

/** HTML of a page of docs/. Headings have GitHub's anchors; what is written as HTML is text. */
export function markdownToHtml(markdown: string): string {
  return renderer.parse(markdown, { async: false }).trimEnd();
}

/** The text of the first heading; empty when there is none. */
export function titleOf(markdown: string): string {
  return (/^# +(.+)$/m.exec(markdown)?.[1] ?? "").replaceAll("`", "");
}

const renderer = new Marked({
  renderer: {
    heading({ depth, text, tokens }) {
      const inside = this.parser.parseInline(tokens);
      return `<h${depth} id="${escaped(anchorOf(text))}">${inside}</h${depth}>\n`;
    },
    html: ({ text }) => escaped(text),
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
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");
}

/**
 * HTML of the Markdown that docs/ is written in: headings, paragraphs, lists (one inside another),
 * tables, fences, and in their lines code, links, strong and emphasis. Everything else is text.
 */
export function markdownToHtml(markdown: string): string {
  return blocks(markdown.replaceAll("\r\n", "\n").split("\n"));
}

/** The text of the first heading; empty when there is none. */
export function titleOf(markdown: string): string {
  return (/^# +(.+)$/m.exec(markdown)?.[1] ?? "").replaceAll("`", "");
}

/** A kind of block: what it begins with, and its lines as HTML with the number of lines taken. */
interface BlockKind {
  readonly begins: RegExp;
  readonly html: (lines: readonly string[]) => readonly [html: string, taken: number];
}

const fence: BlockKind = {
  begins: /^```/,
  html: (lines) => {
    const end = lines.findIndex((line, index) => index > 0 && /^```\s*$/.test(line));
    const last = end === -1 ? lines.length : end;
    return [`<pre><code>${escaped(lines.slice(1, last).join("\n"))}</code></pre>`, last + 1];
  },
};

const heading: BlockKind = {
  begins: /^#{1,6} /,
  html: ([line = ""]) => {
    const [, marks = "", text = ""] = /^(#+) +(.*?)\s*#*$/.exec(line) ?? [];
    const level = marks.length;
    return [`<h${level} id="${anchorOf(text)}">${inline(text)}</h${level}>`, 1];
  },
};

const table: BlockKind = {
  begins: /^\|/,
  html: (lines) => {
    const taken = takenWhile(lines, (line) => line.startsWith("|"));
    const [head = [], , ...rows] = lines.slice(0, taken).map(cellsOf);
    const row = (cells: readonly string[], tag: string) =>
      `<tr>${cells.map((cell) => `<${tag}>${inline(cell)}</${tag}>`).join("")}</tr>`;
    const body = rows.map((cells) => row(cells, "td")).join("\n");
    const top = head.some((cell) => cell !== "") ? `<thead>${row(head, "th")}</thead>\n` : "";
    return [`<div class="wide"><table>${top}<tbody>${body}</tbody></table></div>`, taken];
  },
};

const item = /^(?:[-*]|\d+\.) +/;

const list: BlockKind = {
  begins: item,
  html: (lines) => {
    const taken = takenWhile(lines, (line) => line === "" || item.test(line) || /^ {2}/.test(line));
    const items: string[][] = [];
    for (const line of lines.slice(0, taken)) {
      const mark = item.exec(line)?.[0];
      if (mark !== undefined) items.push([line.slice(mark.length)]);
      else items.at(-1)?.push(line.replace(/^ {2,3}/, ""));
    }
    const tag = /^\d/.test(lines[0] ?? "") ? "ol" : "ul";
    const html = items.map((inner) => `<li>${withoutOnlyParagraph(blocks(inner))}</li>`);
    return [`<${tag}>${html.join("\n")}</${tag}>`, taken];
  },
};

const kinds: readonly BlockKind[] = [fence, heading, table, list];

function blocks(lines: readonly string[]): string {
  const html: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const rest = lines.slice(at);
    const kind = kinds.find(({ begins }) => begins.test(rest[0] ?? ""));
    if (kind !== undefined) {
      const [block, taken] = kind.html(rest);
      html.push(block);
      at += taken;
    } else if (rest[0]?.trim() === "") {
      at += 1;
    } else {
      const taken = takenWhile(rest, isProse);
      html.push(`<p>${inline(rest.slice(0, taken).join("\n"))}</p>`);
      at += taken;
    }
  }
  return html.join("\n");
}

function isProse(line: string): boolean {
  return line.trim() !== "" && !kinds.some(({ begins }) => begins.test(line));
}

function takenWhile(lines: readonly string[], holds: (line: string) => boolean): number {
  const end = lines.findIndex((line) => !holds(line));
  return end === -1 ? lines.length : end;
}

function withoutOnlyParagraph(html: string): string {
  return /^<p>(?:(?!<p>)[\s\S])*<\/p>$/.test(html) ? html.slice(3, -4) : html;
}

/** The cells of a table's line; a bar in code or behind a backslash divides nothing. */
function cellsOf(line: string): readonly string[] {
  const cells = line.match(/(?:`[^`]*`|\\\||[^|])+/g) ?? [];
  return cells.map((cell) => cell.trim().replaceAll("\\|", "|"));
}

/** An escaped sign, code, a link, strong, emphasis: what comes first holds what is inside. */
const inlineParts = new RegExp(
  [
    /\\([\\`*_[\]|#])/,
    /(`+)(.+?)\2(?!`)/,
    /\[((?:[^[\]`]|`[^`]*`)+)\]\(([^)\s]+)\)/,
    /\*\*(.+?)\*\*/,
    /\*([^\s*][^*]*)\*/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gs",
);

function inline(text: string): string {
  let html = "";
  let at = 0;
  for (const part of text.matchAll(inlineParts)) {
    const [whole, sign, , code, label = "", target, strong, emphasis = ""] = part;
    html += escaped(text.slice(at, part.index));
    if (sign !== undefined) html += escaped(sign);
    else if (code !== undefined) html += `<code>${escaped(code)}</code>`;
    else if (target !== undefined) html += `<a href="${escaped(target)}">${inline(label)}</a>`;
    else if (strong !== undefined) html += `<strong>${inline(strong)}</strong>`;
    else html += `<em>${inline(emphasis)}</em>`;
    at = part.index + whole.length;
  }
  return html + escaped(text.slice(at));
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

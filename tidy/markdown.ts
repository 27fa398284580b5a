/** A Markdown file, taken apart as far as the rules need it. */
export interface Markdown {
  /** Targets of links and images outside code, with their line. */
  readonly links: readonly { readonly target: string; readonly line: number }[];
  /** What a link may name after `#`: headings as GitHub does it, and explicit anchors. */
  readonly anchors: ReadonlySet<string>;
  /** The lines inside fences. */
  readonly fenced: readonly { readonly text: string; readonly line: number }[];
}

const inlineLink = /\]\(\s*<?([^)\s>]+)>?(?:\s+["'][^"']*["'])?\s*\)/g;
const definition = /^\s{0,3}\[[^\]]+\]:\s*<?([^\s>]+)>?/g;
const attribute = /\b(?:href|src)="([^"]+)"/g;
const explicitAnchor = /<[a-z]+\s[^>]*\b(?:id|name)="([^"]+)"/g;

/** Takes a Markdown text apart. */
export function readMarkdown(text: string): Markdown {
  const links: { target: string; line: number }[] = [];
  const fenced: { text: string; line: number }[] = [];
  const anchors = new Set<string>();
  let fence: string | undefined;
  for (const [index, content] of text.split("\n").entries()) {
    const line = index + 1;
    const [, mark] = content.match(/^\s*(?:[-*+]\s+|\d+\.\s+|>\s?)*(`{3,}|~{3,})/) ?? [];
    if (fence === undefined && mark !== undefined) {
      fence = mark;
    } else if (fence !== undefined && mark?.startsWith(fence) === true) {
      fence = undefined;
    } else if (fence !== undefined) {
      fenced.push({ text: content, line });
    } else {
      const prose = content.replace(/(`+)(?!`).*?[^`]?\1(?!`)/g, "");
      for (const pattern of [inlineLink, definition, attribute]) {
        for (const [, target = ""] of prose.matchAll(pattern)) links.push({ target, line });
      }
      for (const [, anchor = ""] of prose.matchAll(explicitAnchor)) anchors.add(anchor);
      const heading = content.match(/^\s{0,3}#{1,6}\s+(.+?)\s*#*$/)?.[1];
      if (heading !== undefined) anchors.add(free(slug(heading), anchors));
    }
  }
  return { links, anchors, fenced };
}

/** GitHub's anchor of a heading: small letters, no punctuation, hyphens for spaces. */
function slug(heading: string): string {
  return heading
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/<[^>]+>/g, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, "")
    .replace(/\s/g, "-");
}

/** A second heading of the same words gets -1, a third -2. */
function free(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  let count = 1;
  while (taken.has(`${wanted}-${count}`)) count += 1;
  return `${wanted}-${count}`;
}

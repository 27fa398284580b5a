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

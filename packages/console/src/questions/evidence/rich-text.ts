import { Autolink, type MarkdownConfig, parser, Strikethrough, Table } from "@lezer/markdown";
import {
  type Cued,
  firstFrom,
  hasMention,
  type Layers,
  type MarkedText,
  piecesOf,
  type Run,
  type Statement,
} from "./marked-text.ts";

/** A run of a text, which stands in one place of the source. */
interface Leaf extends Run {
  readonly kind: "leaf";
}

/** A part of a rendered text that has others in it. Which element it becomes is for the view. */
export interface Branch {
  readonly kind: BranchKind;
  readonly children: readonly RichNode[];
  /** Of a link: an http or https address. */
  readonly href?: string;
  /** Of a numbered list: the number of its first item. */
  readonly first?: number;
}

/** What Markdown distinguishes; `recorded` is shown sign by sign, such as HTML. */
type BranchKind =
  | ("paragraph" | "heading" | "quote" | "list" | "numbered" | "item" | "rule")
  | ("table" | "head" | "row" | "cell" | "block code" | "recorded")
  | ("emphasis" | "strong" | "deleted" | "code" | "link" | "image");

/** A node of a rendered text. */
export type RichNode = Leaf | Branch;

/** Longer texts are shown as recorded: nobody reads them, and parsing them would be noticed. */
const lengthMax = 100_000;
/** The same for texts of more parts, each of which is an element of the page. */
const partsMax = 10_000;
/** Quotes and lists inside each other; a line that nests deeper is a paragraph. */
const depthMax = 24;
/** Emphasis, links and code of a paragraph cost the square of their signs; later ones are text. */
const signsMax = 1_000;

const signs = new Set([..."*_~[]!`<&\\"].map((sign) => sign.charCodeAt(0)));

/** Keeps hostile texts from taking long: what is beyond the limits is read as plain text. */
function bounds(): MarkdownConfig {
  const counted = new WeakMap<object, number>();
  return {
    parseBlock: [
      {
        name: "DepthBound",
        before: "IndentedCode",
        parse: (context, line) => {
          if (context.depth < depthMax) return false;
          const start = context.lineStart + line.pos;
          context.nextLine();
          context.addElement(context.elt("Paragraph", start, context.prevLineEnd()));
          return true;
        },
      },
    ],
    parseInline: [
      {
        name: "SignsBound",
        before: "Escape",
        parse: (context, next, at) => {
          if (!signs.has(next)) return -1;
          const count = (counted.get(context) ?? 0) + 1;
          counted.set(context, count);
          return count > signsMax ? at + 1 : -1;
        },
      },
    ],
  };
}

const markdown = parser.configure([Table, Strikethrough, Autolink, bounds()]);

type SyntaxNode = ReturnType<typeof markdown.parse>["topNode"];

/** Of what a node of the parser becomes; those that are not listed are leaves or hidden. */
const branches: Readonly<Record<string, BranchKind>> = {
  Paragraph: "paragraph",
  ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((level) => [`ATXHeading${level}`, "heading"])),
  SetextHeading1: "heading",
  SetextHeading2: "heading",
  Blockquote: "quote",
  BulletList: "list",
  OrderedList: "numbered",
  ListItem: "item",
  HorizontalRule: "rule",
  Table: "table",
  TableHeader: "head",
  TableRow: "row",
  TableCell: "cell",
  FencedCode: "block code",
  CodeBlock: "block code",
  HTMLBlock: "recorded",
  CommentBlock: "recorded",
  ProcessingInstructionBlock: "recorded",
  LinkReference: "recorded",
  Emphasis: "emphasis",
  StrongEmphasis: "strong",
  Strikethrough: "deleted",
  InlineCode: "code",
  Link: "link",
  Autolink: "link",
  Image: "image",
};

/** Blocks whose text stands in blocks inside them: between these is nothing but space. */
const holders = new Set([
  ...["Document", "quote", "list", "numbered", "item", "table", "head", "row", "block code"],
]);

/** Signs that are not shown. */
const hidden = new Set([
  ...["EmphasisMark", "StrikethroughMark", "LinkMark", "HeaderMark", "QuoteMark", "ListMark"],
  ...["CodeMark", "TableDelimiter"],
]);
/** What is not shown either, unless it has a mention: each must be seen. */
const hiddenTexts = new Set(["URL", "LinkTitle", "LinkLabel", "CodeInfo"]);

/**
 * A recorded text as a tree whose leaves know where they stand in it. Only the addresses of links,
 * their titles and signs of Markdown are left out. Null: it is too long to be shown like this.
 */
export function richTextOf(text: string, layers: Layers): readonly RichNode[] | null {
  if (text.length > lengthMax) return null;
  const { topNode } = markdown.parse(text);
  const reading: Reading = { text, layers, targets: new Map(), parts: 0 };
  readTargets(topNode, reading);
  const nodes = childrenOf(topNode, "Document", reading, 0);
  return reading.parts > partsMax ? null : nodes;
}

interface Reading {
  readonly text: string;
  readonly layers: Layers;
  /** The addresses that `[label]: address` gives. */
  readonly targets: Map<string, string>;
  parts: number;
}

/** A text that is shown sign by sign. */
export function recordedText(text: string): readonly RichNode[] {
  return [{ kind: "recorded", children: [{ kind: "leaf", text, start: 0, end: text.length }] }];
}

function readTargets(top: SyntaxNode, { text, targets }: Reading): void {
  for (const block of top.getChildren("LinkReference")) {
    const [label, url] = [block.getChild("LinkLabel"), block.getChild("URL")];
    if (label === null || url === null) continue;
    const key = labelKey(text.slice(label.from, label.to));
    if (!targets.has(key)) targets.set(key, text.slice(url.from, url.to));
  }
}

const labelKey = (label: string): string => label.replace(/\s+/g, " ").trim().toLowerCase();

/** What is in a node, in order; its own text is what stands between its children. */
function childrenOf(
  node: SyntaxNode,
  kind: BranchKind | "Document",
  reading: Reading,
  depth: number,
) {
  const children: RichNode[] = [];
  let isHolder = holders.has(kind);
  const addText = (start: number, end: number): void => {
    const text = reading.text.slice(start, end);
    // Spaces between blocks show nothing, nor do those around the address of a link.
    if (text === "" || (isHolder && text.trim() === "")) return;
    reading.parts += 1;
    children.push({ kind: "leaf", text, start, end });
  };
  let at = node.from;
  let before = "";
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    addText(at, child.from);
    // Cells without text are no nodes, but those after them keep their columns.
    const isEmptyCell = child.name === "TableDelimiter" && before === "TableDelimiter";
    if (isEmptyCell) children.push({ kind: "cell", children: [] });
    const read = readChild(child, kind, reading, depth);
    if (read !== null) children.push(read);
    if (reading.parts > partsMax) break;
    before = child.name;
    at = child.to;
    if (kind === "link" || kind === "image") isHolder ||= reading.text[child.from] === "]";
  }
  addText(at, node.to);
  return children;
}

/** A child as it is shown; null: it is not. */
function readChild(
  node: SyntaxNode,
  parent: string,
  reading: Reading,
  depth: number,
): RichNode | null {
  const { text, layers } = reading;
  const { name, from: start, to: end } = node;
  const source = text.slice(start, end);
  const leaf = (its: string): Leaf => ({ kind: "leaf", text: its, start, end });
  reading.parts += 1;
  if (hidden.has(name)) return null;
  // An address outside the brackets of a link is itself the text of one.
  const isHidden = hiddenTexts.has(name) && !(name === "URL" && !isOfLink(node, parent));
  if (isHidden && !hasMention(layers, start, end)) return null;
  if (name === "Entity") return leaf(entityText(source));
  if (name === "Escape") return leaf(source.slice(1));
  if (name === "HardBreak" || (name === "HTMLTag" && /^<br\s*\/?>$/i.test(source))) {
    return leaf("\n");
  }
  const kind = branches[name];
  if (name === "URL" && !isHidden) {
    const href = webAddress(/^www\./i.test(source) ? `https://${source}` : source);
    return href === null ? leaf(source) : { kind: "link", href, children: [leaf(source)] };
  }
  // Deeper than that only signs of no meaning are nested.
  if (kind === undefined || depth > 2 * depthMax) return leaf(source);
  if (kind === "rule") return { kind, children: [] };
  if (kind === "recorded") return { kind, children: [leaf(source)] };
  if (name === "Link" || name === "Image") return readLink(node, reading, depth);
  const children = childrenOf(node, kind, reading, depth + 1);
  if (name === "Autolink") {
    const [only] = children;
    return only ?? leaf(source);
  }
  if (kind !== "numbered") return { kind, children };
  const first = Number.parseInt(source, 10);
  return { kind, children, first: Number.isNaN(first) ? 1 : first };
}

/** Whether an address is the target of a link or an image, which its text stands for. */
const isOfLink = (node: SyntaxNode, parent: string): boolean =>
  (["link", "image"].includes(parent) && node.parent?.name !== "Autolink") ||
  node.parent?.name === "LinkReference";

/** A link; brackets without an address are text. */
function readLink(node: SyntaxNode, reading: Reading, depth: number): RichNode {
  const { text, targets } = reading;
  const { from: start, to: end } = node;
  const kind = node.name === "Image" ? "image" : "link";
  const [url, label] = [node.getChild("URL"), node.getChild("LinkLabel")];
  const source = text.slice(start, end);
  const isNamed = label !== null && label.to - label.from > 2;
  const key = isNamed ? text.slice(label.from, label.to) : source.replace(/^!|\[\]$/g, "");
  const target = url === null ? targets.get(labelKey(key)) : text.slice(url.from, url.to);
  if (target === undefined) return { kind: "leaf", text: source, start, end };
  const href = webAddress(target);
  const children = childrenOf(node, kind, reading, depth + 1);
  return href === null ? { kind, children } : { kind, href, children };
}

/** An address that a reader may follow; null: it could run something, or leads nowhere. */
function webAddress(address: string): string | null {
  const plain = address.replace(/^<|>$/g, "").replace(entities, entityText);
  if (!/^https?:\/\//i.test(plain) || !URL.canParse(plain)) return null;
  return new URL(plain).href;
}

const entities = /&(?:#x[\da-f]{1,6}|#\d{1,7}|[a-z]{2,8});/gi;

/** Those of texts for people; others are shown as they were recorded. */
const names: ReadonlyMap<string, string> = new Map([
  ...pairs("amp & lt < gt > apos ' ndash – mdash — hellip … bull • middot · times × deg °"),
  ...pairs("lsquo ‘ rsquo ’ ldquo “ rdquo ” laquo « raquo » euro € pound £ copy © reg ® trade ™"),
  ...([
    ["quot", '"'],
    ["nbsp", "\u00a0"],
  ] as const),
]);

function pairs(texts: string): readonly (readonly [string, string])[] {
  return [...texts.matchAll(/(\w+) (\S+)/g)].map(([, name = "", sign = ""]) => [name, sign]);
}

function entityText(entity: string): string {
  const name = entity.slice(1, -1);
  const [, hex, decimal] = /^#(?:x([\da-f]+)|(\d+))$/i.exec(name) ?? [];
  if (hex === undefined && decimal === undefined) return names.get(name) ?? entity;
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  const isLetter = code > 31 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isLetter ? String.fromCodePoint(code) : entity;
}

/** Blocks after which a new line begins. */
const lines = new Set<RichNode["kind"]>([
  ...(["paragraph", "heading", "item", "cell", "block code", "recorded", "rule"] as const),
]);

/** A rendered text without its form: words with one space between, and the mentions in them. */
export function plainText(nodes: readonly RichNode[], layers: Layers): MarkedText {
  let text = "";
  const mentions: { entityId: string; start: number; end: number; of: object }[] = [];
  const cues: { flags: Cued["flags"]; start: number; end: number; of: object }[] = [];
  const add = (node: RichNode): void => {
    if (node.kind !== "leaf") {
      for (const child of node.children) add(child);
      if (lines.has(node.kind) && text !== "" && !text.endsWith(" ")) text += " ";
      return;
    }
    for (const { text: its, mention, cue } of piecesOf(node, layers)) {
      const plain = its.replace(/\s+/g, " ");
      const shown = text === "" || text.endsWith(" ") ? plain.trimStart() : plain;
      const start = text.length;
      text += shown;
      if (shown === "") continue;
      const place = { start, end: text.length };
      if (mention !== null) extend(mentions, { entityId: mention.entityId, ...place, of: mention });
      if (cue !== null) extend(cues, { flags: cue.flags, ...place, of: cue });
    }
  };
  for (const node of nodes) add(node);
  return {
    text: text.trimEnd(),
    mentions: mentions.map(({ entityId, start, end }) => ({ entityId, start, end })),
    cues: cues.map(({ flags, start, end }) => ({ flags, start, end })),
  };
}

/** Adds a part to a list, or to its last, which may be another part of the same. */
function extend<T extends { readonly of: object; end: number }>(parts: T[], part: T): void {
  const last = parts.at(-1);
  if (last?.of === part.of) last.end = part.end;
  else parts.push(part);
}

/**
 * Where the numbers of citations stand: after the piece that begins at a place, or after a link,
 * inside which nothing else can be pressed. In the order of the text.
 */
export type Notes = ReadonlyMap<number | Branch, readonly number[]>;

/** Places the numbers of a sentence's pages behind its last piece that is shown. */
export function notesOf(
  nodes: readonly RichNode[],
  layers: Layers,
  statements: readonly Statement[],
): Notes {
  const spots: { readonly start: number; readonly key: number | Branch }[] = [];
  const walk = (node: RichNode, link: Branch | null): void => {
    if (node.kind === "leaf") {
      const pieces = piecesOf(node, layers).filter(({ text }) => text.trim() !== "");
      spots.push(...pieces.map(({ start }) => ({ start, key: link ?? start })));
      return;
    }
    const outer = link ?? (node.href === undefined ? null : node);
    for (const child of node.children) walk(child, outer);
  };
  for (const node of nodes) walk(node, null);
  const notes = new Map<number | Branch, number[]>();
  for (const { citations, end } of statements) {
    const spot = spots[firstFrom(spots.length, (at) => spots[at]?.start ?? 0, end) - 1];
    if (spot === undefined) continue;
    notes.set(spot.key, [...new Set([...(notes.get(spot.key) ?? []), ...citations])]);
  }
  return notes;
}

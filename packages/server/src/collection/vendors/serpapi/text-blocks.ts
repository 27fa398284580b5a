import type { DamagedSources, Span } from "../cited-pages.ts";
import {
  type JsonObject,
  listAt,
  optionalListAt,
  optionalTextAt,
  textAt,
  UnknownShape,
} from "../read-json.ts";

/** A range of the text and the index of a reference that it cites. */
interface CitingPart {
  readonly index: number;
  readonly span: Span;
}

/** The blocks of an answer as Markdown, and the ranges that cite references. */
export interface RenderedBlocks {
  readonly text: string;
  readonly citing: readonly CitingPart[];
}

const depthMax = 20;

/**
 * Renders text blocks as Markdown; blocks that are empty on Google's page are skipped.
 * @throws UnknownShape for a block that is not understood.
 */
export function renderBlocks(
  blocks: readonly JsonObject[],
  damaged: DamagedSources,
): RenderedBlocks {
  const rendered = new Rendering(damaged);
  for (const block of blocks) rendered.block(block, 0);
  return rendered;
}

class Rendering implements RenderedBlocks {
  text = "";
  readonly citing: CitingPart[] = [];
  readonly #damaged: DamagedSources;

  constructor(damaged: DamagedSources) {
    this.#damaged = damaged;
  }

  block(block: JsonObject, depth: number): void {
    if (depth > depthMax) throw new UnknownShape("text blocks are nested too deep");
    const type = textAt(block, "type");
    if (isHollow(block)) {
      this.#damaged.add("a block of the text is empty");
      return;
    }
    switch (type) {
      case "heading":
        this.#line(block, textAt(block, "snippet"), `${"#".repeat(levelOf(block))} `);
        break;
      case "paragraph":
        this.#line(block, textAt(block, "snippet"));
        break;
      case "list":
        this.#list(listAt(block, "list"), depth);
        break;
      case "code_block":
        this.#line(block, `\`\`\`\n${textAt(block, "code")}\n\`\`\``);
        break;
      case "table":
        this.#line(block, tableOf(block));
        break;
      default:
        this.#other(block, depth);
        break;
    }
  }

  /** A block of an unknown kind: its texts, and the blocks in it. */
  #other(block: JsonObject, depth: number): void {
    const known = ["title", "snippet", "list", "text_blocks"];
    if (!known.some((field) => block[field] != null)) {
      throw new UnknownShape(`"${textAt(block, "type")}" is not a known block of text`);
    }
    for (const field of ["title", "snippet"]) {
      const text = optionalTextAt(block, field);
      if (text !== null) this.#line(block, text);
    }
    this.#list(optionalListAt(block, "list") ?? [], depth);
    for (const inner of optionalListAt(block, "text_blocks") ?? []) this.block(inner, depth + 1);
  }

  #list(items: readonly JsonObject[], depth: number): void {
    if (depth > depthMax) throw new UnknownShape("lists are nested too deep");
    for (const item of items) {
      const title = optionalTextAt(item, "title");
      const snippet = optionalTextAt(item, "snippet");
      const inner = optionalListAt(item, "list") ?? [];
      const blocks = optionalListAt(item, "text_blocks") ?? [];
      if (title === null && snippet === null && inner.length + blocks.length === 0) {
        if (!isHollow(item)) throw new UnknownShape("an item of a list is not understood");
        this.#damaged.add("a block of the text is empty");
        continue;
      }
      const named = title === null ? "" : `**${title}** `;
      this.#line(item, `${named}${snippet ?? ""}`.trim(), `${"  ".repeat(depth)}- `);
      this.#list(inner, depth + 1);
      for (const block of blocks) this.block(block, depth + 1);
    }
  }

  /** Adds a line; its text, without the mark before it, is the citing range. */
  #line(block: JsonObject, text: string, mark = ""): void {
    const isListed = mark.endsWith("- ") && /(?:^|\n) *- [^\n]*$/.test(this.text);
    this.text += this.text === "" ? "" : isListed ? "\n" : "\n\n";
    const start = this.text.length + mark.length;
    this.text += mark + text;
    const span = { start, end: this.text.length };
    const indexes = indexesOf(block);
    if (text !== "") this.citing.push(...indexes.map((index) => ({ index, span })));
  }
}

/** Whether a block has only a kind and references: then no text is lost. */
function isHollow(block: JsonObject): boolean {
  const marks = ["type", "level", "reference_indexes"];
  return Object.entries(block).every(([field, value]) => marks.includes(field) || value == null);
}

function levelOf(block: JsonObject): number {
  const level = block["level"] ?? 3;
  if (typeof level === "number" && Number.isInteger(level) && level >= 1 && level <= 6)
    return level;
  throw new UnknownShape('"level" of the reply is not a level of a heading');
}

/** The references of a block, by index. */
function indexesOf(block: JsonObject): readonly number[] {
  const indexes = block["reference_indexes"] ?? [];
  if (Array.isArray(indexes) && indexes.every((index) => Number.isInteger(index))) return indexes;
  throw new UnknownShape('"reference_indexes" of the reply is not a list of indexes');
}

function tableOf(block: JsonObject): string {
  const rows = rowsOf(block["table"]);
  const headers = block["headers"] === undefined ? [] : rowsOf([block["headers"]]);
  const [first = [], ...others] = [...headers, ...rows];
  const lines = [first, first.map(() => "---"), ...others];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function rowsOf(value: unknown): readonly (readonly string[])[] {
  const isRow = (row: unknown): row is string[] =>
    Array.isArray(row) && row.every((cell) => typeof cell === "string");
  if (Array.isArray(value) && value.length > 0 && value.every(isRow)) return value;
  throw new UnknownShape('"table" of the reply is not a list of rows of texts');
}

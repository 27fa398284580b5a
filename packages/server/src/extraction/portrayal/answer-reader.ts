import { nobody, type Topic } from "./clauses.ts";
import {
  type CompiledTable,
  type Cue,
  type HeadKind,
  headIn,
  type PortrayalFlag,
} from "./cue-table.ts";
import { type Line, linesOf } from "./lines.ts";
import { type SentenceContext, SentenceReader } from "./sentences.ts";
import { type NamedPlace, Sign, type Tokens } from "./words.ts";

/** A heading above what is read. */
interface Heading {
  readonly level: number;
  readonly topic: Topic;
  readonly meaning: HeadKind | null;
  readonly start: number;
  readonly end: number;
  /** The items, headings and paragraphs below it, and whom the first one names first. */
  blocks: number;
  first: Topic;
}

/** A list's item above what is read. */
interface Item {
  readonly indent: number;
  readonly topic: Topic;
  readonly meaning: HeadKind | null;
}

/** A column of a table. */
interface Column {
  readonly topic: Topic;
  readonly meaning: HeadKind | null;
}

/** A longer sentence is read in parts: what is quadratic in one stays bounded. */
const sentenceTokensMax = 160;
/** A paragraph's first words are in so many characters. */
const openingCharacters = 40;
/** A longer line with a colon at its end is a sentence. */
const partCharactersMax = 40;
/** A name among the first words of a line is what the line is about. */
const leadingWords = 3;
/** A row that was pasted without signs between its cells: its name, and so many more cells. */
const pastedCellsMax = 2;
/** A heading such as "Pros" below the name of a product belongs to it. */
const partLevel = 9;
/** Markdown's headings, and lines that are bold as a whole, have lower levels. */
const plainLevel = 8;

/** Reads an answer from its first line to its last. */
export class AnswerReader {
  readonly #compiled: CompiledTable;
  readonly #text: string;
  readonly #places: readonly NamedPlace[];
  readonly #tokens: Tokens;
  readonly #sentences: SentenceReader;
  readonly #cues = new Map<number, Cue[]>();
  #nextPlace = 0;
  #headings: Heading[] = [];
  #items: Item[] = [];
  #columns: readonly Column[] | null = null;
  /** What the sentence before was about. */
  #last: Topic = nobody;
  /** What a line ending in a colon leads to: the lines after it are about that. */
  #led: Topic = nobody;

  constructor(compiled: CompiledTable, text: string, places: readonly NamedPlace[]) {
    this.#compiled = compiled;
    this.#text = text;
    this.#places = places;
    this.#tokens = compiled.tokens;
    this.#tokens.begin(text, places);
    this.#sentences = new SentenceReader(compiled, this.#tokens, text, this.#take);
  }

  /** The cues of each entity, in no order, some twice. */
  read(): ReadonlyMap<number, readonly Cue[]> {
    for (const line of linesOf(this.#text)) this.#line(line);
    this.#closeHeadings(0);
    return this.#cues;
  }

  readonly #take = (entity: number, flag: PortrayalFlag, start: number, end: number): void => {
    const cues = this.#cues.get(entity);
    const cue = { flag, start, end };
    if (cues === undefined) this.#cues.set(entity, [cue]);
    else cues.push(cue);
  };

  #line(line: Line): void {
    if (line.kind !== "row") this.#columns = null;
    switch (line.kind) {
      case "rule":
        this.#closeHeadings(0);
        this.#items = [];
        this.#last = this.#led = nobody;
        return;
      case "heading":
        this.#heading(line);
        return;
      case "row":
        this.#row(line);
        return;
      case "item":
        this.#item(line);
        return;
      case "text":
        this.#paragraph(line);
    }
  }

  #heading(line: Line): void {
    const names = this.#namesIn(line.start, line.end);
    this.#tokens.read(line.start, line.end, names);
    const kind = headIn(this.#compiled, this.#tokens, 0, this.#tokens.length);
    const isPart = names.length === 0 && (kind === "pros" || kind === "cons");
    const isPlain = line.kind === "text" || line.level >= plainLevel - 1;
    const level = isPart && isPlain ? partLevel : line.level;
    this.#closeHeadings(level);
    this.#items = [];
    this.#led = nobody;
    const parent = this.#headings.at(-1);
    if (parent !== undefined) countBlock(parent, nobody);
    this.#sentences.beginLine();
    const context = { topic: nobody, last: nobody, meaning: null };
    const topic = this.#topicOfHeading(line, names);
    if (names.length > 0) this.#readTokens(context);
    if (parent !== undefined && parent.blocks === 1) parent.first = topic;
    const inherits = names.length === 0 && (isPart || level < plainLevel);
    const above = inherits && !this.#looksNamed(line) ? (parent?.topic ?? nobody) : nobody;
    this.#headings.push({
      level,
      topic: names.length > 0 ? topic : above,
      meaning: kind,
      start: line.start,
      end: line.end,
      blocks: 0,
      first: nobody,
    });
    this.#last = nobody;
  }

  #topicOfHeading(_line: Line, names: readonly NamedPlace[]): Topic {
    const topic = new Set(names.map(({ entity }) => entity));
    return topic.size === 1 ? [...topic] : nobody;
  }

  /** Whether a heading without a known name is probably the name of another: "OnePlus 13". */
  #looksNamed({ start, end }: Line): boolean {
    if (!this.#compiled.table.namesHaveCapitals) return false;
    return /^[^\p{L}]*\p{Lu}[\p{L}]*[ -](?:\p{Lu}|\d)/u.test(
      this.#text.slice(start, Math.min(end, start + 60)),
    );
  }

  /** Ends the sections from a level on; what stands alone below "Best for X" is recommended. */
  #closeHeadings(level: number): void {
    for (
      let last = this.#headings.at(-1);
      last && last.level >= level;
      last = this.#headings.at(-1)
    ) {
      this.#headings.pop();
      if (last.meaning !== "pick" || last.blocks !== 1 || last.topic.length > 0) continue;
      for (const entity of last.first) this.#take(entity, "recommended", last.start, last.end);
    }
  }

  #item(line: Line): void {
    while ((this.#items.at(-1)?.indent ?? -1) >= line.indent) this.#items.pop();
    const parent = this.#items.at(-1);
    const heading = this.#headings.at(-1);
    const topic = parent?.topic ?? (this.#led.length > 0 ? this.#led : (heading?.topic ?? nobody));
    const meaning = parent?.meaning ?? heading?.meaning ?? null;
    const lead = this.#block(line, { topic, last: nobody, meaning });
    if (heading !== undefined && parent === undefined) countBlock(heading, lead.names);
    const own = lead.names.length > 0 ? lead.names : lead.another ? nobody : topic;
    this.#items.push({ indent: line.indent, topic: own, meaning: lead.meaning ?? meaning });
  }

  #paragraph(line: Line): void {
    if (this.#isPartHeading(line)) {
      this.#heading(line);
      return;
    }
    while ((this.#items.at(-1)?.indent ?? -1) >= line.indent) this.#items.pop();
    const heading = this.#headings.at(-1);
    const item = this.#items.at(-1);
    const near = heading !== undefined && (heading.level < plainLevel || !line.apart);
    const above = near ? heading.topic : nobody;
    const topic = item?.topic ?? (above.length > 0 ? above : this.#led);
    const meaning =
      item?.meaning ?? (near || heading?.meaning === "pick" ? heading?.meaning : null);
    const lead = this.#block(line, { topic, last: this.#last, meaning: meaning ?? null });
    // A paragraph after a list closes the section.
    if (heading?.blocks === 0 && item === undefined) countBlock(heading, lead.names);
  }

  /** "Pros:" in a line of its own, above a list. */
  #isPartHeading({ start, end }: Line): boolean {
    if (end - start > partCharactersMax || !/[:：]$/.test(this.#text.slice(start, end)))
      return false;
    if (this.#namesIn(start, end).length > 0) return false;
    this.#tokens.read(start, end, []);
    const { length } = this.#tokens;
    const found = this.#compiled.heads.at(this.#tokens, 0, length);
    const isWhole = found !== null && found.end >= length - 2;
    return isWhole && (found.kind === "pros" || found.kind === "cons");
  }

  /** Reads an item or a paragraph: whom it names first, and what it is a label of. */
  #block(
    { start, end }: Line,
    context: SentenceContext,
  ): { readonly names: Topic; readonly another: boolean; readonly meaning: HeadKind | null } {
    const names = this.#namesIn(start, end);
    let isAbout = names.length > 0 || context.topic.length > 0;
    if (!isAbout && context.last.length > 0) {
      this.#tokens.read(start, Math.min(end, start + openingCharacters), names);
      isAbout = this.#sentences.refers(0, this.#tokens.length);
    }
    if (!isAbout) {
      this.#last = nobody;
      return { names: nobody, another: false, meaning: null };
    }
    this.#tokens.read(start, end, names);
    this.#sentences.beginLine();
    const about = this.#readTokens(context);
    const leads = this.#leadingName();
    const colon = this.#tokens.ids[this.#tokens.length - 1] === Sign.colon;
    if (names.length > 0 || colon) this.#led = colon ? about : nobody;
    else if (this.#opensWith("condition")) this.#led = nobody;
    const label =
      colon && names.length === 0
        ? headIn(this.#compiled, this.#tokens, 0, this.#tokens.length)
        : null;
    return { names: leads, another: about.length === 0 && names.length === 0, meaning: label };
  }

  #opensWith(kind: string): boolean {
    return this.#compiled.cues.at(this.#tokens, 0, this.#tokens.length)?.kind === kind;
  }

  /** The entity named among the first words of the line. */
  #leadingName(): Topic {
    for (let at = 0; at < leadingWords && at < this.#tokens.length; at += 1) {
      const entity = this.#tokens.entities[at] ?? -1;
      if (entity >= 0) return [entity];
    }
    return nobody;
  }

  /** Reads the tokens of a line, sentence by sentence; returns what the last is about. */
  #readTokens(context: SentenceContext): Topic {
    const tokens = this.#tokens;
    let topic = context.topic;
    let last = context.last;
    let cells = 0;
    for (let from = 0; from < tokens.length; ) {
      const to = this.#sentenceEnd(from);
      const sign = tokens.ids[to] ?? 0;
      if (to > from) {
        const said = cells > pastedCellsMax || this.#isNameCell(from, to, sign, cells);
        if (said) topic = nobody;
        const about = this.#sentences.read(
          from,
          to,
          { topic, last, meaning: context.meaning },
          sign === Sign.question,
        );
        if (this.#namesSomebody(from, to)) {
          topic = about.length === 1 ? about : topic;
          cells = 0;
        }
        last = about;
      }
      if (sign === Sign.cell) {
        cells += 1;
        this.#sentences.beginLine();
      }
      from = sign < 0 && to < tokens.length ? to + 1 : Math.max(to, from + 1);
    }
    this.#last = last;
    return last;
  }

  #sentenceEnd(from: number): number {
    const { ids, length } = this.#tokens;
    let to = from;
    while (to < length && to - from < sentenceTokensMax && (ids[to] ?? 0) > Sign.stop) to += 1;
    return to;
  }

  /** A pasted cell of a few words, none of which says anything, names a row of another. */
  #isNameCell(from: number, to: number, sign: number, cells: number): boolean {
    if (cells === 0 || sign !== Sign.cell || to - from > 6) return false;
    for (let at = from; at < to; at += 1) if ((this.#tokens.ids[at] ?? 0) > 0) return false;
    return true;
  }

  #namesSomebody(from: number, to: number): boolean {
    for (let at = from; at < to; at += 1) if ((this.#tokens.entities[at] ?? -1) >= 0) return true;
    return false;
  }

  #row({ start, end }: Line): void {
    const cells = cellsOf(this.#text, start, end);
    if (cells.every(([from, to]) => /^[\s:-]*$/.test(this.#text.slice(from, to)))) return;
    if (this.#columns === null) {
      this.#columns = cells.map(([from, to]) => this.#columnOf(from, to));
      return;
    }
    this.#items = [];
    const [head = [start, start] as const] = cells;
    const label = this.#columnOf(head[0], head[1]);
    for (const [index, [from, to]] of cells.entries()) {
      const column = this.#columns[index] ?? { topic: nobody, meaning: null };
      const topic = column.topic.length > 0 ? column.topic : index === 0 ? nobody : label.topic;
      const meaning = column.meaning ?? (index > 0 ? label.meaning : null);
      this.#cell(from, to, { topic, last: nobody, meaning: index === 0 ? null : meaning });
    }
    this.#last = nobody;
  }

  /** Reads the head of a column, or of a row. */
  #columnOf(from: number, to: number): Column {
    const names = this.#placesIn(from, to);
    this.#tokens.read(from, to, names);
    const topic = [...new Set(names.map(({ entity }) => entity))];
    return { topic, meaning: headIn(this.#compiled, this.#tokens, 0, this.#tokens.length) };
  }

  #cell(from: number, to: number, context: SentenceContext): void {
    const names = this.#placesIn(from, to);
    if (names.length === 0 && context.topic.length === 0) return;
    this.#tokens.read(from, to, names);
    if (this.#tokens.length === 0) return;
    this.#sentences.beginLine();
    if (context.meaning === "pick") {
      const named = names.length > 0 ? names.map(({ entity }) => entity) : context.topic;
      const { starts, ends, length } = this.#tokens;
      for (const entity of new Set(named)) {
        this.#take(entity, "recommended", starts[0] ?? from, ends[length - 1] ?? to);
      }
    }
    this.#readTokens(context);
  }

  /** The places that begin in a line; those of the lines before are passed. */
  #namesIn(start: number, end: number): readonly NamedPlace[] {
    const places = this.#places;
    while ((places[this.#nextPlace]?.end ?? Number.POSITIVE_INFINITY) <= start)
      this.#nextPlace += 1;
    return this.#placesIn(start, end);
  }

  #placesIn(start: number, end: number): readonly NamedPlace[] {
    const places = this.#places;
    let from = this.#nextPlace;
    while ((places[from]?.end ?? Number.POSITIVE_INFINITY) <= start) from += 1;
    let to = from;
    while ((places[to]?.start ?? Number.POSITIVE_INFINITY) < end) to += 1;
    this.#nextPlace = from;
    return from === to ? [] : places.slice(from, to);
  }
}

function countBlock(heading: Heading, names: Topic): void {
  heading.blocks += 1;
  if (heading.blocks === 1) heading.first = names;
}

/** The cells of a row, [start, end). */
function cellsOf(text: string, start: number, end: number): readonly (readonly [number, number])[] {
  const line = text.slice(start, end);
  const sign = line.includes("|") ? "|" : "\t";
  const cells: [number, number][] = [];
  let from = line.startsWith(sign) ? 1 : 0;
  for (let at = line.indexOf(sign, from); at !== -1; at = line.indexOf(sign, from)) {
    if (line[at - 1] !== "\\") cells.push([start + from, start + at]);
    from = at + 1;
  }
  if (from < line.length) cells.push([start + from, end]);
  return cells;
}

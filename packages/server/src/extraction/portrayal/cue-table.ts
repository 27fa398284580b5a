import { unitsOfWords, Vocabulary } from "./vocabulary.ts";
import { Tokens } from "./words.ts";

/** What an answer may do with an entity that it mentions. */
export const portrayalFlags = [
  "recommended",
  "praised",
  "criticized",
  "discouraged",
  "notFound",
] as const;
/** One of them. */
export type PortrayalFlag = (typeof portrayalFlags)[number];

/**
 * A flag of an entity and the text that it rests on: UTF-16 offsets into the text as recorded, end
 * exclusive.
 */
export interface Cue {
  readonly flag: PortrayalFlag;
  readonly start: number;
  readonly end: number;
}

/**
 * What a phrase of a table does; of two with the same words the kind listed first counts. Flags of
 * the entity that the clause speaks of:
 *
 * - `pickObject`: recommends the entity named after it ("go with")
 * - `advise`: recommends; with a negation it advises against ("recommended", "not recommended")
 * - `pick`: recommends ("my pick"); `best`: recommends and is an advantage ("best overall")
 * - `strong`, `praise`: an advantage; a strong one recommends where a use is stated
 * - `suggest`: recommends only where a use is stated ("consider", "might appeal")
 * - `criticize`: a drawback
 * - `beat`: an advantage over the entity named after it ("outperforms")
 * - `caveat`: a drawback only after a contrast ("but it is smaller")
 * - `discourage`, `notFound`: as the flags
 *
 * What says how to read:
 *
 * - `compare`: an entity named after it is what another is compared with ("cheaper than")
 * - `than`: so is one after it, where a word of praise or criticism is right before it
 * - `compared`: so is the entity named right before it (in Japanese)
 * - `contrast`, `condition`, `use`: begin a clause ("but", "if you", "for")
 * - `negate`: turns the meaning of what is near it ("not")
 * - `verb`: a clause has one; a name among names has none
 * - `pronoun`: begins a sentence that goes on about the entity of the one before
 * - `offer`: begins a sentence about the conversation ("if you like, I can …")
 * - `skip`: means nothing, although a shorter phrase in it would
 */
const cueKinds = [
  ...(["skip", "pickObject", "advise", "pick", "best", "strong", "beat", "praise"] as const),
  ...(["suggest", "criticize", "caveat", "discourage", "notFound"] as const),
  ...(["compare", "than", "compared", "contrast", "condition", "use", "negate"] as const),
  ...(["verb", "pronoun", "offer"] as const),
] as const;
/** What a phrase does: see above. */
export type CueKind = (typeof cueKinds)[number];

/** What a heading, a column's head or a label before a colon says about what is below it. */
export type HeadKind = "pros" | "cons" | "pick" | "none";

/**
 * The phrases of one language, separated by semicolons and line breaks. In a phrase `a|b` are
 * alternatives, `a?` may be absent, `_` is up to three words of any kind, `@` an entity, and `a~`
 * has each of the language's endings.
 */
export interface CueTable {
  /** BCP 47 primary subtag. */
  readonly language: string;
  /** Incremented with every change. */
  readonly version: number;
  /** What `~` stands for. */
  readonly endings: readonly string[];
  /** Whether a capital inside a sentence begins a name: not in German, nor in Japanese. */
  readonly namesHaveCapitals: boolean;
  /** Where `negate` stands, seen from what it turns: after it in "empfehle ich nicht". */
  readonly negationStands: "before" | "after" | "both";
  /** A negation reaches so many words. */
  readonly negationReach: number;
  readonly cues: Readonly<Partial<Record<CueKind, string>>>;
  readonly heads: Readonly<Record<HeadKind, string>>;
}

/** Up to this many words are in a gap of a phrase. */
const gapMax = 3;
/** The id of a named entity in phrases. */
const namedId = -100;

/** A phrase's beginning. */
class PhraseNode<Kind> {
  readonly next = new Map<number, PhraseNode<Kind>>();
  gap: PhraseNode<Kind> | null = null;
  kind: Kind | null = null;
}

/** A phrase found: where it ends, and what it does. */
interface Found<Kind> {
  /** The token after it. */
  readonly end: number;
  readonly kind: Kind;
}

/** Finds phrases among tokens. */
class Phrases<Kind> {
  readonly #root = new PhraseNode<Kind>();
  /** By the id of a word: the phrases that begin with it. */
  #starts: readonly (PhraseNode<Kind> | undefined)[] = [];

  constructor(
    vocabulary: Vocabulary,
    phrases: Iterable<readonly [Kind, string]>,
    endings: readonly string[],
  ) {
    for (const [kind, texts] of phrases) {
      for (const text of texts.split(/[;\n]/).map((each) => each.trim())) {
        if (text !== "") this.#add(vocabulary, text, kind, endings);
      }
    }
    const starts: (PhraseNode<Kind> | undefined)[] = [];
    for (const [id, node] of this.#root.next) if (id > 0) starts[id] = node;
    this.#starts = Array.from(starts);
  }

  /** The longest phrase that begins with the token at `at` and ends before `to`. */
  at(tokens: Tokens, at: number, to: number): Found<Kind> | null {
    const id = tokens.ids[at] ?? 0;
    const named = (tokens.entities[at] ?? -1) >= 0;
    const node = named ? this.#root.next.get(namedId) : id > 0 ? this.#starts[id] : undefined;
    return node === undefined ? null : longest(node, tokens, at + 1, to);
  }

  #add(vocabulary: Vocabulary, text: string, kind: Kind, endings: readonly string[]): void {
    let nodes = [this.#root];
    for (const part of text.split(" ")) {
      const optional = part.endsWith("?");
      const before = optional ? nodes : [];
      const bare = optional ? part.slice(0, -1) : part;
      const after = bare === "_" ? nodes.map(gapOf) : [];
      if (bare !== "_") {
        for (const word of bare.split("|").flatMap((each) => inflected(each, endings))) {
          const ids = word === "@" ? [namedId] : idsOf(vocabulary, word);
          after.push(...nodes.map((node) => ids.reduce(nextOf, node)));
        }
      }
      nodes = [...new Set([...before, ...after])];
    }
    // The kind that is listed first stays.
    for (const node of nodes) if (node !== this.#root) node.kind ??= kind;
  }
}

function inflected(word: string, endings: readonly string[]): readonly string[] {
  if (!word.endsWith("~")) return [word];
  return endings.map((ending) => word.slice(0, -1) + ending);
}

function idsOf(vocabulary: Vocabulary, word: string): readonly number[] {
  const ids = unitsOfWords(word).map((units) => vocabulary.idOf(units));
  if (ids.length === 0) throw new Error(`"${word}" in a cue table is not a word.`);
  return ids;
}

function nextOf<Kind>(node: PhraseNode<Kind>, id: number): PhraseNode<Kind> {
  const next = node.next.get(id) ?? new PhraseNode<Kind>();
  node.next.set(id, next);
  return next;
}

function gapOf<Kind>(node: PhraseNode<Kind>): PhraseNode<Kind> {
  node.gap ??= new PhraseNode<Kind>();
  return node.gap;
}

function longest<Kind>(
  node: PhraseNode<Kind>,
  tokens: Tokens,
  at: number,
  to: number,
): Found<Kind> | null {
  let best: Found<Kind> | null = node.kind === null ? null : { end: at, kind: node.kind };
  if (at < to) {
    const named = (tokens.entities[at] ?? -1) >= 0;
    const id = named ? namedId : (tokens.ids[at] ?? 0);
    const next = id === 0 ? undefined : node.next.get(id);
    if (next !== undefined) best = longer(best, longest(next, tokens, at + 1, to));
  }
  if (node.gap === null) return best;
  for (let from = at; from <= at + gapMax && from < to; from += 1) {
    if ((tokens.ids[from - 1] ?? 0) < 0 && from > at) break;
    best = longer(best, longest(node.gap, tokens, from, to));
  }
  return best;
}

function longer<Kind>(one: Found<Kind> | null, other: Found<Kind> | null): Found<Kind> | null {
  return other === null || (one !== null && one.end >= other.end) ? one : other;
}

/** A language's table, ready to be read by. */
export interface CompiledTable {
  readonly table: CueTable;
  /** The words of all phrases. */
  readonly words: Iterable<Uint16Array>;
  /** Reads texts by the words of the table, one at a time: its arrays are reused. */
  readonly tokens: Tokens;
  readonly cues: Phrases<CueKind>;
  readonly heads: Phrases<HeadKind>;
}

/** Compiles a table: once a process. */
export function compileTable(table: CueTable): CompiledTable {
  const vocabulary = new Vocabulary();
  const kinds = cueKinds.map((kind) => [kind, table.cues[kind] ?? ""] as const);
  const heads = (["none", "pick", "pros", "cons"] as const).map(
    (kind) => [kind, table.heads[kind]] as const,
  );
  return {
    table,
    words: vocabulary.words,
    tokens: new Tokens(vocabulary),
    cues: new Phrases(vocabulary, kinds, table.endings),
    heads: new Phrases(vocabulary, heads, table.endings),
  };
}

/** A longer heading says nothing of what is below it. */
const headWords = 12;

/** What the tokens [from, to) say as a heading; null: nothing, or advantages and drawbacks both. */
export function headIn(
  { heads }: CompiledTable,
  tokens: Tokens,
  from: number,
  to: number,
): HeadKind | null {
  if (to - from > headWords) return null;
  const kinds = new Set<HeadKind>();
  for (let at = from; at < to; ) {
    const found = heads.at(tokens, at, to);
    if (found !== null) kinds.add(found.kind);
    at = found === null ? at + 1 : found.end;
  }
  if (kinds.has("none") || (kinds.has("pros") && kinds.has("cons"))) return null;
  return kinds.has("cons")
    ? "cons"
    : kinds.has("pros")
      ? "pros"
      : kinds.has("pick")
        ? "pick"
        : null;
}

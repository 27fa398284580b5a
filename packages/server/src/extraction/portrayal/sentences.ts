import { type Clause, ClauseFinder, type Match, nobody, type Topic } from "./clauses.ts";
import { type CompiledTable, type HeadKind, headIn, type PortrayalFlag } from "./cue-table.ts";
import { Sign, type Tokens } from "./words.ts";

/** What stands above and before a sentence. */
export interface SentenceContext {
  /** What the item, the row or the section is about. */
  readonly topic: Topic;
  /** What the sentence before is about: a pronoun means it. */
  readonly last: Topic;
  /** What a heading or column says of what is below it. */
  readonly meaning: HeadKind | null;
}

/** Takes a flag of an entity, with the range of the text that it rests on. */
export type TakeCue = (entity: number, flag: PortrayalFlag, start: number, end: number) => void;

/** A label before a colon has at most so many words. */
const labelWords = 3;

/** Reads sentences, one after the other: whom each clause speaks of, and what it says. */
export class SentenceReader {
  readonly #compiled: CompiledTable;
  readonly #tokens: Tokens;
  readonly #finder: ClauseFinder;
  readonly #take: TakeCue;
  /** What a label in the line says of what follows it ("Cons: …"). */
  #label: HeadKind | null = null;

  constructor(compiled: CompiledTable, tokens: Tokens, text: string, take: TakeCue) {
    this.#compiled = compiled;
    this.#tokens = tokens;
    this.#finder = new ClauseFinder(compiled, tokens, text);
    this.#take = take;
  }

  /** Begins a line: labels of the one before end. */
  beginLine(): void {
    this.#label = null;
  }

  /**
   * Reads the sentence of the tokens [from, to), and returns whom it is about. `asks`: it is a
   * question, and states nothing.
   */
  read(from: number, to: number, context: SentenceContext, asks: boolean): Topic {
    if (!this.#isAbout(from, to, context)) return nobody;
    const clauses = this.#finder.clauses(from, to, context.topic, context.last);
    const [first] = clauses;
    const offers = first?.matches[0]?.at === from && first.matches[0].kind === "offer";
    if (!asks && !offers) this.#speak(clauses, context);
    const named = clauses.find(({ condition, names }) => !condition && names.length > 0);
    return (named ?? first)?.subject ?? nobody;
  }

  /** Whether a sentence can be about somebody who is known: most are not, and are not read. */
  #isAbout(from: number, to: number, { topic, last }: SentenceContext): boolean {
    if (topic.length > 0) return true;
    for (let at = from; at < to; at += 1) if ((this.#tokens.entities[at] ?? -1) >= 0) return true;
    return last.length > 0 && this.refers(from, to);
  }

  /** Whether a sentence begins with a word such as "it". */
  refers(from: number, to: number): boolean {
    return this.#finder.refers(from, to);
  }

  #speak(clauses: readonly Clause[], context: SentenceContext): void {
    const [first] = clauses;
    const labelled = first !== undefined && this.#isLabel(first);
    const from = labelled ? 1 : 0;
    const meaning = this.#label ?? context.meaning;
    if (meaning === "pros" || meaning === "cons") {
      this.#column(
        clauses.filter(({ condition }, index) => !condition && index >= from),
        meaning,
      );
    }
    let [conditional, missing] = [false, false];
    for (const { condition, use, matches } of clauses) {
      conditional ||= condition || use;
      missing ||= matches.some(({ kind }) => kind === "notFound");
    }
    for (let index = from; index < clauses.length; index += 1) {
      const clause = clauses[index];
      if (clause === undefined || clause.condition) continue;
      const next = clauses[index + 1];
      for (const each of clause.matches) {
        // "No reliable information": nothing else is said there.
        if (missing && each.kind !== "notFound") continue;
        this.#say(each, { clause, next, own: clause.matches, conditional, meaning });
      }
      const before = clauses[index - 1];
      if (before !== undefined) this.#leadsTo(before, clause);
    }
  }

  /** A use before a colon, an arrow or a dash, and a name right after it: "For travel: X". */
  #leadsTo(before: Clause, { from, names }: Clause): void {
    if (!before.condition && !before.use) return;
    if (before.closedBy !== Sign.colon && before.closedBy !== Sign.pause) return;
    const [name = Number.POSITIVE_INFINITY] = names;
    if (name > from + 1) return;
    this.#flag("recommended", this.#finder.named(names), before.from, before.to);
  }

  /** "Cons:" says of what follows it in the line what a heading would. */
  #isLabel({ from, to, names, closedBy }: Clause): boolean {
    if (closedBy !== Sign.colon) return false;
    if (to - from > labelWords || names.length > 0) return false;
    const kind = headIn(this.#compiled, this.#tokens, from, to);
    if (kind !== "pros" && kind !== "cons") return false;
    this.#label = kind;
    return true;
  }

  /** What stands in a column or below a heading of advantages is one, whatever its words. */
  #column(clauses: readonly Clause[], meaning: "pros" | "cons"): void {
    const [first] = clauses;
    const from = first?.from ?? 0;
    const to = clauses.at(-1)?.to ?? 0;
    let words = 0;
    for (let at = from; at < to; at += 1) if ((this.#tokens.entities[at] ?? -1) < 0) words += 1;
    // "None", "no drawbacks"
    const isNone =
      first?.matches[0]?.kind === "negate" &&
      (words === 1 || first.matches.some(({ kind }) => kind === "criticize"));
    if (words === 0 || isNone) return;
    const flag = meaning === "pros" ? "praised" : "criticized";
    this.#flag(flag, first?.subject ?? nobody, from, to);
  }

  #say(
    match: Match,
    where: {
      readonly clause: Clause;
      readonly next: Clause | undefined;
      readonly own: readonly Match[];
      readonly conditional: boolean;
      readonly meaning: HeadKind | null;
    },
  ): void {
    const { clause, next, own, conditional, meaning } = where;
    const negated = this.#isNegated(match, own);
    const flags = this.#flagsOf(match, { negated, clause, own, conditional });
    for (const flag of flags) {
      // Among drawbacks "fast" is none ("drains fast"), unless a "but" goes before it.
      if (meaning === "cons" && flag === "praised" && !clause.contrast) continue;
      if (meaning === "pros" && flag === "criticized" && !clause.contrast) continue;
      this.#flag(flag, this.#spokenOf(match, clause, next), match.at, match.end);
    }
  }

  #flagsOf(
    { kind }: Match,
    where: {
      readonly negated: boolean;
      readonly clause: Clause;
      readonly own: readonly Match[];
      readonly conditional: boolean;
    },
  ): readonly PortrayalFlag[] {
    const { negated, clause, own, conditional } = where;
    switch (kind) {
      case "pickObject":
      case "advise":
        return [negated ? "discouraged" : "recommended"];
      case "pick":
        return [negated ? "criticized" : "recommended"];
      case "best":
        return negated ? ["criticized"] : ["recommended", "praised"];
      case "beat":
        return negated ? [] : ["praised"];
      case "negate":
        return clause.contrast && !own.some(isSaid) ? ["criticized"] : [];
      case "strong":
        if (negated) return ["criticized"];
        return conditional ? ["recommended", "praised"] : ["praised"];
      case "praise":
        return negated ? ["criticized"] : ["praised"];
      case "suggest":
        return conditional && !negated ? ["recommended"] : [];
      case "criticize":
        return negated ? [] : ["criticized"];
      case "caveat":
        return clause.contrast && !negated && !own.some(isPraise) ? ["criticized"] : [];
      case "discourage":
        return ["discouraged"];
      case "notFound":
        return ["notFound"];
      default:
        return [];
    }
  }

  #isNegated(match: Match, own: readonly Match[]): boolean {
    const { negationStands: stands, negationReach: reach } = this.#compiled.table;
    return own.some(({ at, end, kind }) => {
      if (kind !== "negate") return false;
      if (end <= match.at) return stands !== "after" && match.at - end <= reach;
      return stands !== "before" && at - match.end <= reach;
    });
  }

  /** The names before a phrase, or else those after it; of an object, those after it. */
  #spokenOf({ at, end, kind }: Match, clause: Clause, next: Clause | undefined): Topic {
    const after = clause.names.filter((name) => name >= end);
    if (kind === "pickObject") {
      const within = clause.names.filter((name) => name >= at);
      if (within.length > 0) return this.#finder.named(within);
      return next !== undefined && (next.names[0] ?? next.to) <= next.from + labelWords
        ? this.#finder.named(next.names)
        : nobody;
    }
    const before = clause.names.filter((name) => name < end);
    if (before.length > 0) return this.#finder.named(before);
    return after.length > 0 ? this.#finder.named(after) : (clause.subject ?? nobody);
  }

  #flag(flag: PortrayalFlag, topic: Topic, from: number, to: number): void {
    const { starts, ends } = this.#tokens;
    for (const entity of topic) this.#take(entity, flag, starts[from] ?? 0, ends[to - 1] ?? 0);
  }
}

/** Whether a phrase says something for or against somebody. */
function isSaid(match: Match): boolean {
  return isPraise(match) || match.kind === "criticize" || match.kind === "discourage";
}

function isPraise({ kind }: Match): boolean {
  return kind === "praise" || kind === "strong" || kind === "best";
}

import type { CompiledTable, CueKind } from "./cue-table.ts";
import { Sign, type Tokens } from "./words.ts";

/** The entities that a part of a text speaks of; empty: of nobody that is known. */
export type Topic = readonly number[];

/** Of nobody that is known. */
export const nobody: Topic = [];

/** A phrase of the cue table, in tokens. */
export interface Match {
  readonly at: number;
  readonly end: number;
  readonly kind: CueKind;
}

/** A clause, in tokens. */
export interface Clause {
  readonly from: number;
  to: number;
  /** The sign that ends it; 0: none does. */
  closedBy: number;
  /** Whether it begins with "but" or the like. */
  readonly contrast: boolean;
  /** Whether it is a condition ("if you …"): what is said there is said of nobody. */
  readonly condition: boolean;
  /** Whether it names a use at the beginning of the sentence ("for …"). */
  readonly use: boolean;
  /** Whether it stands in quotes. */
  readonly quoted: boolean;
  /** The tokens that name an entity, without those compared with. */
  readonly names: number[];
  /** The entities that it speaks of; null until they are found. */
  subject: Topic | null;
  /** The phrases in it. */
  readonly matches: Match[];
}

/** A name among names, and what stands before the verb of a clause, have so many words at most. */
const fewWords = 6;

/** What may be compared: "lighter than". */
const judging: ReadonlySet<CueKind> = new Set(["strong", "praise", "criticize", "caveat"]);

/** Divides sentences into clauses, and finds whom each speaks of. */
export class ClauseFinder {
  readonly #compiled: CompiledTable;
  readonly #tokens: Tokens;
  readonly #text: string;

  constructor(compiled: CompiledTable, tokens: Tokens, text: string) {
    this.#compiled = compiled;
    this.#tokens = tokens;
    this.#text = text;
  }

  /**
   * The clauses of the sentence of the tokens [from, to). `topic`: what the item, the row or the
   * section is about; `last`: what the sentence before is about, which a pronoun means.
   */
  clauses(from: number, to: number, topic: Topic, last: Topic): readonly Clause[] {
    const clauses = merged(this.#divided(from, to, this.#matches(from, to)));
    const refers = this.refers(from, to);
    this.#findSubjects(clauses, topic.length > 0 || !refers ? topic : last, refers);
    return clauses;
  }

  /** Whether a sentence begins with a word such as "it". */
  refers(from: number, to: number): boolean {
    const first = this.#compiled.cues.at(this.#tokens, from, to);
    if (first?.kind !== "contrast") return first?.kind === "pronoun";
    return this.#compiled.cues.at(this.#tokens, first.end, to)?.kind === "pronoun";
  }

  /** The entities named at these tokens, each once. */
  named(names: readonly number[]): Topic {
    const [first] = names;
    if (first === undefined) return nobody;
    if (names.length === 1) return [this.#tokens.entities[first] ?? 0];
    return [...new Set(names.map((at) => this.#tokens.entities[at] ?? 0))];
  }

  #matches(from: number, to: number): readonly Match[] {
    const { ids, entities } = this.#tokens;
    const matches: Match[] = [];
    for (let at = from; at < to; ) {
      // Most words are in no table.
      if ((ids[at] ?? 0) <= 0 && (entities[at] ?? -1) < 0) {
        at += 1;
        continue;
      }
      const found = this.#compiled.cues.at(this.#tokens, at, to);
      if (found !== null) matches.push({ at, end: found.end, kind: found.kind });
      at = found === null ? at + 1 : found.end;
    }
    return matches;
  }

  #divided(from: number, to: number, matches: readonly Match[]): readonly Clause[] {
    const { ids, entities } = this.#tokens;
    const clauses: Clause[] = [];
    let clause = newClause(from, matches[0]?.at === from ? matches[0].kind : null, null);
    let next = 0;
    // After a comparison's words names are those compared with, to the end of the clause.
    let compares = false;
    /** Where a word of praise or criticism ended. */
    let judged = -1;
    const begin = (at: number, sign: number) => {
      clause.to = at;
      clause.closedBy = sign;
      if (clause.to > clause.from) clauses.push(clause);
      const start = sign < 0 ? at + 1 : at;
      const match = matches[next];
      clause = newClause(start, match?.at === start ? match.kind : null, sign);
      compares = false;
    };
    for (let at = from; at < to; at += 1) {
      const id = ids[at] ?? 0;
      const match = matches[next]?.at === at ? matches[next] : undefined;
      if (id < 0) {
        begin(at, id);
        continue;
      }
      const isNamed = (entities[at] ?? -1) >= 0;
      const splits =
        match?.kind === "contrast" ||
        match?.kind === "condition" ||
        (isNamed && this.#joins(at, clause, matches, next));
      if (splits && at > clause.from) begin(at, 0);
      if (isNamed && !compares) clause.names.push(at);
      if (match === undefined) continue;
      if (match.kind === "compare" || match.kind === "beat") compares = true;
      else if (match.kind === "than" && judged === at) compares = true;
      // "In contrast to X is Y …"
      else if (match.kind === "verb") compares = false;
      if (judging.has(match.kind)) judged = match.end;
      if (match.kind === "compared" && (clause.names.at(-1) ?? -1) >= at - 1) clause.names.pop();
      clause.matches.push(match);
      next += 1;
      // Names inside a phrase are the phrase's.
      at = match.end - 1;
    }
    begin(to, 0);
    return clauses;
  }

  /** Whether a name begins another clause ("X is cheap and Y is fast"): verbs stand around it. */
  #joins(at: number, clause: Clause, matches: readonly Match[], next: number): boolean {
    const [first] = clause.names;
    if (first === undefined) return false;
    if (!clause.matches.some(({ at: before, kind }) => kind === "verb" && before > first)) {
      return false;
    }
    for (let later = next; later < matches.length; later += 1) {
      const match = matches[later];
      if (match === undefined || match.at > at + fewWords) return false;
      for (let sign = at + 1; sign < match.at; sign += 1) {
        if ((this.#tokens.ids[sign] ?? 0) < 0) return false;
      }
      if (match.kind === "verb") return true;
    }
    return false;
  }

  /** `above`: whom the sentence is about as long as it names nobody. */
  #findSubjects(clauses: readonly Clause[], above: Topic, refers: boolean): void {
    let subject: Topic | null = null;
    let before: Clause | null = null;
    for (const clause of clauses) {
      const own = clause.condition ? nobody : this.named(clause.names);
      if (own.length > 0) subject = own;
      else if (!clause.condition && this.#namesAnother(clause, before)) subject = nobody;
      clause.subject = subject;
      before = clause;
    }
    // What stands before the first name is said of that name ("With its screen, X …"), unless the
    // sentence goes on about somebody. A title in quotes ("Best Phones") is not said of it.
    let next: Topic | null = null;
    for (const clause of clauses.toReversed()) {
      if (clause.subject !== null) next = clause.subject;
      else if (above.length > 0 || refers || clause.quoted) clause.subject = above;
      else clause.subject = next ?? nobody;
    }
  }

  /** Whether a clause begins with a name that nobody tracks: what it says is said of that. */
  #namesAnother({ from, to, names, contrast }: Clause, before: Clause | null): boolean {
    if (!this.#compiled.table.namesHaveCapitals || names.length > 0) return false;
    const { ids } = this.#tokens;
    let at = from;
    while (at < to && at < from + 3 && (ids[at] ?? 0) > 0) at += 1;
    if (at >= to || ids[at] !== 0 || !this.#isCapital(at)) return false;
    const inside = contrast || (before !== null && before.closedBy === Sign.comma);
    return (inside && this.#hasLower(at)) || this.#isNameTail(at + 1, to);
  }

  #isNameTail(at: number, to: number): boolean {
    if (at >= to || (this.#tokens.ids[at] ?? 0) !== 0) return false;
    const code = this.#text.charCodeAt(this.#tokens.starts[at] ?? 0);
    return (code >= 0x30 && code <= 0x39) || this.#isCapital(at);
  }

  #isCapital(at: number): boolean {
    const code = this.#text.charCodeAt(this.#tokens.starts[at] ?? 0);
    return code >= 0x41 && code <= 0x5a;
  }

  #hasLower(at: number): boolean {
    const code = this.#text.charCodeAt((this.#tokens.starts[at] ?? 0) + 1);
    return code >= 0x61 && code <= 0x7a;
  }
}

/** Names among names ("go with X, Y or Z") belong to the clause before. */
function merged(clauses: readonly Clause[]): readonly Clause[] {
  const result: Clause[] = [];
  for (const clause of clauses) {
    const before = result.at(-1);
    const lists =
      before?.closedBy === Sign.comma &&
      before.names.length > 0 &&
      !before.condition &&
      (clause.names[0] ?? clause.to) - clause.from <= 2 &&
      clause.to - clause.from <= fewWords &&
      clause.matches.every(({ kind }) => kind === "negate");
    if (before !== undefined && lists) {
      before.to = clause.to;
      before.closedBy = clause.closedBy;
      before.names.push(...clause.names);
      before.matches.push(...clause.matches);
    } else {
      result.push(clause);
    }
  }
  return result;
}

/** `after`: the sign before it, or 0; null: it begins the sentence. */
function newClause(from: number, kind: CueKind | null, after: number | null): Clause {
  return {
    from,
    to: from,
    closedBy: 0,
    contrast: kind === "contrast",
    condition: kind === "condition",
    use: after === null && kind === "use",
    quoted: after === Sign.quote,
    names: [],
    subject: null,
    matches: [],
  };
}

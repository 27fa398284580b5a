import { hash } from "node:crypto";

/**
 * A query as it is counted: compatible characters are one (NFKC), so are cases, and spaces and
 * control characters are one space. "" when nothing is left.
 */
export function normalizedQuery(query: string): string {
  const folded = query.toWellFormed().normalize("NFKC").toLowerCase();
  return folded.replace(/[\s\p{Cc}]+/gu, " ").trim();
}

/**
 * What stands for a query in facts, by its normalized form: 96 bits of its SHA-256. Facts have no
 * texts, so that one that the record removes is nowhere.
 */
export function queryKey(normalized: string): string {
  return hash("sha256", normalized, "base64url").slice(0, 16);
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

function wordsOf(text: string): ReadonlySet<string> {
  const segments = [...segmenter.segment(normalizedQuery(text))];
  return new Set(segments.filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment));
}

/** Words that a query has in addition to prompts, and words of prompts that it lacks. */
export interface QueryWords {
  /** In none of the prompts; in the order of the query. */
  readonly added: readonly string[];
  /** In all of the prompts; in the order of the first. */
  readonly dropped: readonly string[];
}

/** Compares the words of a query with those of the prompts whose answers searched for it. */
export function queryWords(query: string, prompts: readonly string[]): QueryWords {
  const own = wordsOf(query);
  const [first = new Set<string>(), ...others] = prompts.map(wordsOf);
  const all = [first, ...others];
  return {
    added: [...own].filter((word) => !all.some((words) => words.has(word))),
    dropped: [...first].filter((word) => all.every((words) => words.has(word)) && !own.has(word)),
  };
}

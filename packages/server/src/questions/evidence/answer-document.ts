import type { EvidenceAnswer, RecordedAnswerResponse } from "@sightline/contract";
import type { RecordedAnswer } from "../../answers/answer-store.ts";
import {
  type EvidenceLocator,
  type LocatedCitation,
  sentencesOf,
  statementAt,
  statementsOf,
} from "../../extraction/index.ts";
import type { SnapshotEntity } from "../../facts/snapshot.ts";

/** How answers are read: the entities of the facts, and what finds them. */
export interface EvidenceRules {
  /** In the order of the locator's entities. */
  readonly entityIds: readonly string[];
  readonly locate: EvidenceLocator;
}

/**
 * What is shown of one answer's mentions, of their cues, of its citations with their owners, and of
 * its sentences with the citations behind them: a hostile answer has 300,000 mentions, which would
 * take 40 MB.
 */
const shownMax = 2_000;

type Cue = ReturnType<EvidenceLocator>["mentions"][number]["cues"][number];

/** An answer of a list. */
export function listedAnswer(answer: RecordedAnswer, rules: EvidenceRules): EvidenceAnswer {
  const { id, promptId, provider, region, model, surface, text } = answer;
  const { vendor, requestedRegion, searchQueries, cost } = answer;
  const isCounted = answer.outcome === "answered";
  const evidence = rules.locate(answer);
  const located = isCounted ? evidence.mentions : [];
  const shown = shownCitations(evidence.citations);
  const sentences = sentencesOf(text);
  const spanned = answer.citations.slice(0, shown.length);
  const statements = statementsOf(sentences, spanned, shownMax);
  const saidBy = ({ flag, start, end }: Cue) => {
    const { citations, ...sentence } = statementAt(sentences, statements, { start, end });
    const range: [number, number] = [sentence.start, sentence.end];
    return { flag, start, end, sentence: range, citations: [...citations] };
  };
  let cuesLeft = shownMax;
  const mentions = located.slice(0, shownMax).map(({ entity, name, start, end, rank, cues }) => {
    const shownCues = cues.slice(0, cuesLeft);
    cuesLeft -= shownCues.length;
    const entityId = rules.entityIds[entity] ?? "";
    return { entityId, name, start, end, rank, cues: shownCues.map(saidBy) };
  });
  const citations = shown.map((citation, index) => ({
    ...documentOf(citation, isCounted, rules),
    spans:
      answer.citations[index]?.spans?.map(([start, end]): [number, number] => [start, end]) ?? [],
  }));
  const ranked = new Map(located.map(({ rank, entity }) => [rank, rules.entityIds[entity] ?? ""]));
  return {
    id,
    promptId,
    provider,
    region,
    answeredAt: new Date(answer.answeredAt).toISOString(),
    model,
    surface,
    vendor,
    requestedRegion,
    searchQueries: [...searchQueries],
    cost,
    text,
    textRemoved: answer.removedText !== undefined,
    mentionedEntityIds: isCounted ? (knownOf(answer, rules) ?? [...ranked.values()]) : [],
    mentions,
    mentionsOmitted: located.length - mentions.length,
    statements: statements.map((each) => {
      return { start: each.start, end: each.end, citations: [...each.citations] };
    }),
    citations,
    citationsOmitted: answer.citations.length - citations.length,
  };
}

/** What a removed text mentioned, of the entities of today; null: the text is there. */
function knownOf({ removedText }: RecordedAnswer, { entityIds }: EvidenceRules): string[] | null {
  return removedText?.mentioned.filter((id) => entityIds.includes(id)) ?? null;
}

/** An answer with all that the record has of it. */
export function wholeAnswer(answer: RecordedAnswer, rules: EvidenceRules): RecordedAnswerResponse {
  const { citations, citationsOmitted, ...listed } = listedAnswer(answer, rules);
  return {
    ...listed,
    citations: citations.map((citation, index) => {
      const { title = null, cited = false } = answer.citations[index] ?? {};
      return { ...citation, title, cited };
    }),
    citationsOmitted,
    outcome: answer.outcome,
    sample: answer.sample,
    metadata: answer.metadata,
  };
}

/** The first citations, as many as may be shown with their owners. */
function shownCitations(citations: readonly LocatedCitation[]): readonly LocatedCitation[] {
  let shown = 0;
  for (const [index, { owners }] of citations.entries()) {
    shown += 1 + owners.length;
    if (shown > shownMax) return citations.slice(0, index);
  }
  return citations;
}

function documentOf(
  { url, canonicalUrl, domain, owners, verdict }: LocatedCitation,
  isCounted: boolean,
  { entityIds }: EvidenceRules,
): Omit<EvidenceAnswer["citations"][number], "spans"> {
  const named = owners.map(({ entity, rule }) => ({ entityId: entityIds[entity] ?? "", rule }));
  const reason = verdict === "counted" ? (isCounted ? null : "not_answered") : verdict;
  return {
    url,
    canonicalUrl,
    domain,
    entityIds: [...new Set(named.map(({ entityId }) => entityId))],
    owners: named,
    counted: reason === null,
    reason,
  };
}

/** Accounts whose compiled rules stay in the thread. */
const keysMax = 16;
/**
 * The most characters of names whose compiled rules stay: about 100 MB. The last one stays, however
 * large.
 */
export const keptCharactersMax = 2_000_000;

/** A name has at least so many: it is an object, too. */
const nameCharactersMin = 16;

/** How much the compiled rules of entities take, in characters of names and domains. */
export function charactersOf(entities: readonly SnapshotEntity[]): number {
  let characters = 0;
  for (const { names, domains, except = [] } of entities) {
    for (const text of except) characters += Math.max(text.length, nameCharactersMin);
    for (const { text } of names) characters += Math.max(text.length, nameCharactersMin);
    for (const domain of domains) characters += Math.max(domain.length, nameCharactersMin);
  }
  return characters;
}

interface Kept<Value> {
  readonly value: Value;
  readonly characters: number;
}

/** Values by key, of which the most recently used stay. */
export class RecentKeys<Value> {
  readonly #kept = new Map<string, Kept<Value>>();
  #characters = 0;

  /** The value of a key, which is used now. */
  get(key: string): Value | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept.value;
  }

  /** Keeps what is made of so many characters. */
  set(key: string, value: Value, characters: number): void {
    this.#evict(key);
    this.#kept.set(key, { value, characters });
    this.#characters += characters;
    for (const oldest of this.#kept.keys()) {
      const isWithin = this.#kept.size <= keysMax && this.#characters <= keptCharactersMax;
      if (isWithin || oldest === key) return;
      this.#evict(oldest);
    }
  }

  #evict(key: string): void {
    this.#characters -= this.#kept.get(key)?.characters ?? 0;
    this.#kept.delete(key);
  }
}

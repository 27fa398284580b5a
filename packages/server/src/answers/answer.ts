import { hash } from "node:crypto";
import type { Provider } from "@sightline/contract";
import { uuidV5 } from "../platform/uuid.ts";

/**
 * The outcome of asking a prompt: only `answered` counts, in numerators and denominators.
 * `refused`: the provider replied that it does not answer this.
 */
export const outcomes = ["answered", "absent", "failed", "refused"] as const;
/** One of the closed list of outcomes. */
export type Outcome = (typeof outcomes)[number];

/** Where an answer was collected: a provider's API, or its web page. */
export const surfaces = ["api", "web"] as const;
/** One of the closed list of surfaces. */
export type Surface = (typeof surfaces)[number];

/** A part of an answer's text, in UTF-16 code units; half-open. */
export type TextSpan = readonly [start: number, end: number];

/** A page that an answer cites or retrieved. */
export interface AnswerCitation {
  /** As the provider gave it. */
  readonly url: string;
  readonly title: string | null;
  /** False: retrieved by the provider, not cited; kept and not counted. */
  readonly cited: boolean;
  /** The parts of the text that it stands behind, ordered and disjoint. Absent: not known. */
  readonly spans?: readonly TextSpan[];
}

/** What the vendor asked for an answer. */
export interface AnswerCost {
  /** In whole units of the currency, such as dollars; not below 0. */
  readonly amount: number;
  /** ISO 4217, in capitals. */
  readonly currency: string;
  /** Whether it was worked out from a price list; false: the vendor said it. */
  readonly estimated: boolean;
}

/** How an answer was collected. Kept and shown; no metric reads it. */
export interface AnswerCollection {
  /** What the provider searched for, in its order; empty: nothing, or it is not known. */
  readonly searchQueries: readonly string[];
  /** Null: not known. */
  readonly cost: AnswerCost | null;
  /** Through whom the provider was asked; null: not known. */
  readonly vendor: string | null;
  /** Two upper-case letters: the region that was asked for; null: none was, or not known. */
  readonly requestedRegion: string | null;
}

/** Of an answer of which nothing of the kind is known. */
export const unknownCollection: AnswerCollection = {
  searchQueries: [],
  cost: null,
  vendor: null,
  requestedRegion: null,
};

/** What stays of the text of an answer that was removed (docs/decisions/removal.md). */
export interface RemovedText {
  /** The ids of the entities that it mentioned by the rules of then, in order of first mention. */
  readonly mentioned: readonly string[];
  /** Of the answer as it was recorded, hexadecimal: the same answer again is a duplicate. */
  readonly contentHash: string;
}

/** What one provider answered to one prompt at one instant, in one region or none. */
export interface Answer extends AnswerCollection {
  readonly id: string;
  readonly promptId: string;
  readonly provider: Provider;
  /** Two upper-case letters: the region that it is of; null: no region. */
  readonly region: string | null;
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly answeredAt: number;
  readonly outcome: Outcome;
  readonly text: string;
  readonly citations: readonly AnswerCitation[];
  readonly model: string | null;
  readonly surface: Surface | null;
  /** Distinguishes several answers to the same prompt at the same instant, from 0. */
  readonly sample: number;
  /** Stored, but not interpreted. */
  readonly metadata: Readonly<Record<string, unknown>> | null;
  /** Absent: the text is there. */
  readonly removedText?: RemovedText;
}

/** What identifies an answer: which prompt was answered, where and when. */
type AnswerIdentity = Pick<Answer, "promptId" | "provider" | "region" | "answeredAt" | "sample">;

/**
 * The id of an answer without one: a UUIDv5 in the account's namespace of prompt, provider, region
 * (empty for none), instant and sample, joined by line feeds. Importing the same line again
 * therefore gives the same id.
 */
export function derivedAnswerId(
  accountId: string,
  { promptId, provider, region, answeredAt, sample }: AnswerIdentity,
): string {
  const instant = new Date(answeredAt).toISOString();
  return uuidV5(accountId, [promptId, provider, region ?? "", instant, sample].join("\n"));
}

/**
 * SHA-256 of an answer's content, without its id: equal exactly for equal content. Of an answer
 * whose text was removed, that of its content before.
 */
export function contentHash(answer: Answer): Buffer {
  const { removedText } = answer;
  return removedText === undefined ? hashOf(answer) : Buffer.from(removedText.contentHash, "hex");
}

/** SHA-256 of all that stays of an answer whose text was removed. */
export function keptHash(answer: Answer, { mentioned, contentHash }: RemovedText): Buffer {
  return hash(
    "sha256",
    JSON.stringify([hashOf(answer).toString("hex"), mentioned, contentHash]),
    "buffer",
  );
}

/** What is kept of an answer without its text, and without what quotes or locates parts of it. */
export function withoutText(answer: Answer, removedText: RemovedText): Answer {
  const citations = answer.citations.map(({ url, title, cited }) => {
    return { url, title: title === null ? null : "", cited };
  });
  return { ...answer, text: "", citations, searchQueries: [], metadata: null, removedText };
}

function hashOf(answer: Answer): Buffer {
  const content = [
    answer.promptId,
    answer.provider,
    answer.region,
    answer.answeredAt,
    answer.outcome,
    answer.text,
    answer.citations.map(hashedCitation),
    answer.model,
    answer.surface,
    answer.sample,
    inKeyOrder(answer.metadata),
    ...collectionOf(answer),
  ];
  return hash("sha256", JSON.stringify(content), "buffer");
}

/** Without spans, what was hashed before citations had any: the same answer stays a duplicate. */
function hashedCitation({ url, title, cited, spans }: AnswerCitation): readonly unknown[] {
  return spans === undefined ? [url, title, cited] : [url, title, cited, spans];
}

/** Nothing when nothing is known: the hash of such an answer is what it was before these fields. */
function collectionOf({
  searchQueries,
  cost,
  vendor,
  requestedRegion,
}: AnswerCollection): readonly unknown[] {
  const isKnown = cost !== null || vendor !== null || requestedRegion !== null;
  if (!isKnown && searchQueries.length === 0) return [];
  const price = cost && [cost.amount, cost.currency, cost.estimated];
  return [searchQueries, price, vendor, requestedRegion];
}

/**
 * The same value with each object replaced by the list of its keys and values in key order. The
 * list is wrapped in an object, so that it differs from an array with the same items.
 */
function inKeyOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inKeyOrder);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, inKeyOrder(item)] as const);
  return { entries: entries.toSorted(([a], [b]) => (a < b ? -1 : 1)) };
}

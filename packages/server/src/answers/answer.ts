import type { Provider } from "@sightline/contract";

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
  ...{ searchQueries: [], cost: null, vendor: null, requestedRegion: null },
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

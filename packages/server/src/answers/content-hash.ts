import { hash } from "node:crypto";
import type { Answer, AnswerCitation, AnswerCollection, RemovedText } from "./answer.ts";

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

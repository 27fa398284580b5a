import { hash } from "node:crypto";
import type { Answer } from "./answer.ts";

/** SHA-256 of an answer's content, without its id: equal exactly for equal content. */
export function contentHash(answer: Answer): Buffer {
  const content = [
    answer.promptId,
    answer.provider,
    answer.region,
    answer.answeredAt,
    answer.outcome,
    answer.text,
    answer.citations.map(({ url, title, cited }) => [url, title, cited]),
    answer.model,
    answer.surface,
    answer.sample,
    inKeyOrder(answer.metadata),
  ];
  return hash("sha256", JSON.stringify(content), "buffer");
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

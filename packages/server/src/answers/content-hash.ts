import { hash } from "node:crypto";
import type { Answer } from "./answer.ts";

/** SHA-256 of all that an answer says, its id left out: equal exactly for equal content. */
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
 * The same value with every object as the list of its keys in order, which says nothing, and their
 * values. The list goes into an object of its own, or it would look like an array that says so.
 */
function inKeyOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inKeyOrder);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, inKeyOrder(item)] as const);
  return { entries: entries.toSorted(([a], [b]) => (a < b ? -1 : 1)) };
}

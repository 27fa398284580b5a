import { uuidV5 } from "../platform/uuid.ts";
import type { Answer } from "./answer.ts";

/** What identifies an answer: which prompt was answered, where and when. */
export type AnswerIdentity = Pick<
  Answer,
  "promptId" | "provider" | "region" | "answeredAt" | "sample"
>;

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

import { uuidV5 } from "../platform/uuid.ts";
import type { Answer } from "./answer.ts";

/**
 * The id of an answer that brings none: a UUIDv5 in the account's namespace of prompt, provider,
 * region (empty for none), instant and sample, apart by line feeds. Importing the same line again
 * therefore gives the same id.
 */
export function derivedAnswerId(accountId: string, answer: Omit<Answer, "id">): string {
  const { promptId, provider, region, answeredAt, sample } = answer;
  const instant = new Date(answeredAt).toISOString();
  return uuidV5(accountId, [promptId, provider, region ?? "", instant, sample].join("\n"));
}

import type { EvidenceAnswer } from "@sightline/client";
import type { Fields } from "./records.ts";

/** The columns of answers' records. */
export const answerFields = [
  ...["id", "answeredAt", "provider", "region", "promptId", "model", "surface"],
  ...["names", "sources", "text", "textRemoved"],
] as const;

/** An answer's record; names that matched and counted URLs are separated by spaces and commas. */
export function answerRecord(answer: EvidenceAnswer): Fields {
  const { id, answeredAt, provider, region, promptId, model, surface, text } = answer;
  const names = new Set(answer.mentions.map(({ name }) => name));
  const counted = answer.citations.filter(({ counted: counts }) => counts);
  return {
    id,
    answeredAt,
    provider,
    region,
    promptId,
    model,
    surface,
    names: [...names].join(", "),
    sources: counted.map(({ canonicalUrl }) => canonicalUrl).join(" "),
    text,
    textRemoved: answer.textRemoved,
  };
}

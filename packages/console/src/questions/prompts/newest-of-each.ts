import type { EvidenceAnswer } from "@sightline/client";

/** Of answers, the newest first, the first of each provider and model; by provider, then model. */
export function newestOfEach<Answer extends Pick<EvidenceAnswer, "provider" | "model">>(
  answers: readonly Answer[],
): readonly Answer[] {
  const found = new Map<string, Answer>();
  for (const answer of answers) {
    const key = JSON.stringify([answer.provider, answer.model]);
    if (!found.has(key)) found.set(key, answer);
  }
  return [...found].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, each]) => each);
}

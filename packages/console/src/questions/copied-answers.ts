import type { EvidenceQuestion } from "@sightline/client";

/** The roles that the command spells otherwise. */
const roleWords: Readonly<Partial<Record<EvidenceQuestion["role"], string>>> = {
  notVisible: "not-visible",
  mentionedOnly: "mentioned-only",
  citedOnly: "cited-only",
};

/** What copies a list of answers. */
export function copiedAnswers(asked: EvidenceQuestion) {
  const { role, entityId, domain, url, limit } = asked;
  const option = (name: string, value: string | undefined): readonly string[] =>
    value === undefined ? [] : [name, value];
  return {
    path: "/v1/evidence",
    call: "evidence",
    body: asked,
    command: [
      ...(["answers", "--role", roleWords[role] ?? role] as const),
      ...option("--entity", entityId),
      ...option("--source-domain", domain),
      ...option("--source-url", url),
      ...option("--limit", limit?.toString()),
    ],
  } as const;
}

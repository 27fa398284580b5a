import type { EvidenceAnswer, EvidenceQuestion } from "@sightline/client";
import { sent } from "../data/filters.ts";
import type { CitingQuestion } from "./source-questions.ts";
import type { GrowingList } from "./use-growing.ts";

/** An answer in a list: who was asked what, and when. */
export interface ListedAnswer {
  readonly id: string;
  readonly promptId: string;
  readonly provider: string;
  readonly region: string | null;
  readonly answeredAt: string;
}

/** Answers that cite a source, found among those of a call. */
export interface CitingPart {
  readonly answers: readonly ListedAnswer[];
  readonly cursor: string | null;
}

/** The answers behind a number of a source, newest first. */
export function citingAnswers(question: CitingQuestion): GrowingList<CitingPart, string> {
  const { count, ...asked } = question;
  return {
    // Without the number, which comes later than the question that it is of.
    key: ["citing", asked],
    first: "",
    fetch: async (client, cursor, signal) => {
      const after = cursor === "" ? {} : { cursor };
      const page = await client.evidence({ ...sent(evidenceOf(question)), ...after }, { signal });
      const answers = page.answers.filter((each) => isMeant(each, question)).map(listed);
      return { answers, cursor: page.nextCursor };
    },
    next: ({ cursor }, parts) => {
      const found = parts.reduce((sum, { answers }) => sum + answers.length, 0);
      return found < count ? cursor : null;
    },
  };
}

const listed = ({ id, promptId, provider, region, answeredAt }: EvidenceAnswer): ListedAnswer => ({
  id,
  promptId,
  provider,
  region,
  answeredAt,
});

/**
 * The answers that cite the source. No role says that any competitor is visible, so where that
 * decides, the page looks through those with or without the brand.
 */
export function evidenceOf(question: Omit<CitingQuestion, "count">): EvidenceQuestion {
  const { source, groupBy, side, brandId, filters } = question;
  const cited = groupBy === "domain" ? { domain: source } : { url: source };
  if (side === "all") return { role: "any", ...cited, limit: 20, filters };
  const role = side === "withoutBrand" ? "notVisible" : "visible";
  return { role, entityId: brandId, ...cited, limit: 100, filters };
}

function isMeant({ mentionedEntityIds, citations }: EvidenceAnswer, question: CitingQuestion) {
  const { side, competitorIds } = question;
  if (side === "all") return true;
  const visible = new Set([
    ...mentionedEntityIds,
    ...citations.flatMap(({ counted, entityIds }) => (counted ? entityIds : [])),
  ]);
  return competitorIds.some((id) => visible.has(id)) === (side === "withoutBrand");
}

import type { EvidenceAnswer, EvidenceQuestion, Sightline } from "@sightline/client";
import type { CitingQuestion } from "./sources.ts";
import type { GrowingList } from "./use-growing.ts";

/** An answer in a list: who was asked what, and when. */
export interface ListedAnswer {
  readonly id: string;
  readonly promptId: string;
  readonly provider: string;
  readonly region: string | null;
  readonly answeredAt: string;
}

/** Answers that cite a source, found among those of some calls. */
export interface CitingPart {
  readonly answers: readonly ListedAnswer[];
  readonly cursor: string | null;
}

/** Answers that one press brings, and the calls that it may take. */
const partAnswers = 10;
const callsMax = 6;

/**
 * The answers behind a number of a source, newest first. The service lists answers by entity, not
 * by source, so those of the entity are looked through until as many as the number says are found.
 */
export function citingAnswers(question: CitingQuestion): GrowingList<CitingPart, string> {
  return {
    key: ["citing", question],
    first: "",
    fetch: (client, cursor, signal) => search(client, { question, cursor, signal }),
    next: ({ cursor }, parts) => {
      const found = parts.reduce((sum, { answers }) => sum + answers.length, 0);
      return found < question.count ? cursor : null;
    },
  };
}

interface Search {
  readonly question: CitingQuestion;
  readonly cursor: string;
  readonly signal: AbortSignal;
}

async function search(client: Sightline, { question, cursor, signal }: Search) {
  const answers: ListedAnswer[] = [];
  let at: string | null = cursor;
  for (let calls = 0; calls < callsMax && at !== null; calls += 1) {
    const after = at === "" ? {} : { cursor: at };
    const page = await client.evidence({ ...evidenceOf(question), ...after }, { signal });
    answers.push(...page.answers.filter((each) => isMeant(each, question)).map(listed));
    at = page.nextCursor;
    if (answers.length >= Math.min(partAnswers, question.count)) break;
  }
  return { answers, cursor: at };
}

const listed = ({ id, promptId, provider, region, answeredAt }: EvidenceAnswer): ListedAnswer => ({
  ...{ id, promptId, provider, region, answeredAt },
});

/** The smallest list of the service that has them all. */
function evidenceOf({ side, brandId, ownerId, filters }: CitingQuestion): EvidenceQuestion {
  const limit = 100;
  if (side === "withoutBrand") return { role: "notVisible", entityId: brandId, filters, limit };
  if (side === "withoutCompetitor") return { role: "visible", entityId: brandId, filters, limit };
  if (ownerId !== null) return { role: "cited", entityId: ownerId, filters, limit };
  return { role: "any", filters, limit };
}

function isMeant({ mentions, citations }: EvidenceAnswer, question: CitingQuestion): boolean {
  const { source, groupBy, side, competitorIds } = question;
  const counted = citations.filter((each) => each.counted);
  const field = groupBy === "domain" ? "domain" : "canonicalUrl";
  if (!counted.some((each) => each[field] === source)) return false;
  if (side === "all") return true;
  const visible = new Set([
    ...mentions.map(({ entityId }) => entityId),
    ...counted.flatMap(({ entityIds }) => entityIds),
  ]);
  return competitorIds.some((id) => visible.has(id)) === (side === "withoutBrand");
}

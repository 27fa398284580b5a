import type { Answer, AnswerCitation, AnswerCost } from "../answers/answer.ts";
import {
  citationsMax,
  searchQueriesMax,
  searchQueryCharactersMax,
  shortCharactersMax,
  spansMax,
  textCharactersMax,
  urlCharactersMax,
} from "../answers/intake/answer-schema.ts";
import type { CollectedAnswer } from "./adapter.ts";
import type { NewJob } from "./store/collection-store.ts";

/** What came of a job: an answer, or why there is none. */
export type JobResult =
  | {
      readonly kind: "answered";
      readonly answer: CollectedAnswer;
      readonly cost: AnswerCost | null;
    }
  | { readonly kind: "failed"; readonly reason: string; readonly cost: AnswerCost | null };

/** Whose sweep a job is of. */
export interface JobOfSweep extends NewJob {
  readonly sweepId: string;
  readonly slot: number;
}

/** What a job does not know of its answer. */
export interface WhereAnswered {
  /** When the last reply came, or the job ended, in milliseconds since 1970. */
  readonly at: number;
  /** In which region it was asked in effect; see Adapter. */
  readonly region: string | null;
}

/**
 * A job's answer as it is recorded, within the bounds of an imported one. What is beyond them is a
 * failure, and never half of an answer.
 */
export function answerOf(
  job: JobOfSweep,
  result: JobResult,
  { at, region }: WhereAnswered,
): Answer {
  const fault = result.kind === "answered" ? faultOf(result.answer) : result.reason;
  const { sweepId, provider, surface, sample, vendor } = job;
  const sweep = { sweepId, slot: new Date(job.slot).toISOString(), ...placeOf(job) };
  const common = {
    ...{ id: job.id, promptId: job.promptId, provider, surface, sample, vendor },
    ...{ region, requestedRegion: job.region, answeredAt: at, cost: result.cost },
  };
  if (result.kind === "failed" || fault !== null) {
    const nothing = { text: "", citations: [], searchQueries: [], model: null };
    const metadata = { ...sweep, reason: (fault ?? "").toWellFormed() };
    return { ...common, ...nothing, outcome: "failed", metadata };
  }
  const { outcome, text, model, searchQueries, citations, warnings } = result.answer;
  return {
    ...common,
    outcome,
    text: text.toWellFormed(),
    citations: keptCitations(citations),
    model: model === null ? null : model.toWellFormed().slice(0, shortCharactersMax),
    searchQueries: searchQueries
      .slice(0, searchQueriesMax)
      .map((query) => query.toWellFormed().slice(0, searchQueryCharactersMax)),
    metadata: { ...sweep, ...(warnings.length === 0 ? {} : { warnings }) },
  };
}

/** The region of an answer is its country; what of it was asked for is told beside it. */
function placeOf({ place }: JobOfSweep): Readonly<Record<string, unknown>> {
  if (place === undefined) return {};
  const { state, city } = place;
  return { ...(state === null ? {} : { state }), ...(city === null ? {} : { city }) };
}

/** Spans beyond the bound of an imported answer are left out: nothing is counted by them. */
function keptCitations(citations: CollectedAnswer["citations"]): readonly AnswerCitation[] {
  let spansLeft = spansMax;
  return citations.map(({ url, title, cited, spans }) => {
    const kept = spans.slice(0, spansLeft).map(({ start, end }) => [start, end] as const);
    spansLeft -= kept.length;
    return {
      url: url.toWellFormed(),
      title: title === null ? null : title.toWellFormed().slice(0, urlCharactersMax),
      cited,
      ...(kept.length === 0 ? {} : { spans: kept }),
    };
  });
}

/** Why an answer cannot be recorded; null: it can. */
function faultOf({ outcome, text, citations }: CollectedAnswer): string | null {
  if (outcome === "answered" && !/\p{L}/u.test(text)) return "The answer has no text.";
  if (text.length > textCharactersMax) return "The answer's text is too long.";
  if (citations.length > citationsMax) return "The answer has too many citations.";
  const isTooLong = citations.some(({ url }) => url.length > urlCharactersMax);
  return isTooLong ? "A URL that the answer cites is too long." : null;
}

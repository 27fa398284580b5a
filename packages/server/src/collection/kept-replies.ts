import { promisify } from "node:util";
import { constants, zstdCompress, zstdDecompress } from "node:zlib";
import type { Vendor } from "@sightline/contract";
import type { Answer, AnswerCitation, AnswerCost } from "../answers/answer.ts";
import type { AnswerStore, RawReply } from "../answers/answer-store.ts";
import {
  citationsMax,
  searchQueriesMax,
  searchQueryCharactersMax,
  shortCharactersMax,
  spansMax,
  textCharactersMax,
  urlCharactersMax,
} from "../answers/intake/answer-schema.ts";
import type { Adapter, CollectedAnswer, Exchange, VendorQuestion } from "./adapter.ts";
import { replyBytesMax } from "./send.ts";
import type { EndedJob, LeasedJob, NewJob, PartToPublish } from "./store/collection-store.ts";

/** An exchange as it is kept beside the record. */
export interface KeptExchange extends Exchange {
  /** Which attempt of the job made it, from 0: what earlier ones cost is settled. */
  readonly attempt: number;
}

/** Some replies of the longest kind. */
const keptBytesMax = 8 * replyBytesMax;
const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** The exchanges of a job as they are kept: zstd of JSON. */
export function packed(exchanges: readonly KeptExchange[]): Promise<Uint8Array> {
  const options = { params: { [constants.ZSTD_c_compressionLevel]: 6 } };
  return compress(Buffer.from(JSON.stringify(exchanges)), options);
}

/**
 * What was kept; null: it is damaged, for good.
 * @throws what may pass, such as a lack of memory: an answer that was paid for is not to end as
 * failed by it.
 */
export async function unpacked(body: Uint8Array): Promise<readonly KeptExchange[] | null> {
  try {
    const bytes = await decompress(body, { maxOutputLength: keptBytesMax });
    return JSON.parse(bytes.toString("utf8")) as readonly KeptExchange[];
  } catch (error) {
    if (isDamage(error)) return null;
    throw error;
  }
}

/** Cut off, or longer than what is ever kept. */
const cutOrTooLong = ["Z_BUF_ERROR", "ERR_BUFFER_TOO_LARGE"];

/** Whether the bytes are at fault that were unpacked, and not the machine. */
export function isDamage(error: unknown): boolean {
  if (error instanceof SyntaxError) return true;
  const { code } = error as { readonly code?: unknown };
  if (typeof code !== "string" || code === "ZSTD_error_memory_allocation") return false;
  return code.startsWith("ZSTD_error_") || cutOrTooLong.includes(code);
}

/** How many of the exchanges are of requests that a vendor bills. */
export function paidOf(exchanges: readonly Exchange[]): number {
  return exchanges.filter(({ request }) => request.isPaid).length;
}

/** Whether the reply to the last paid request that a job sent is among those that are kept. */
export function isReplyKept(
  exchanges: readonly KeptExchange[],
  { sent, replied, attempts }: Pick<LeasedJob, "sent" | "replied" | "attempts">,
): boolean {
  const last = exchanges.filter(({ request }) => request.isPaid)[sent - 1];
  if (last === undefined) return false;
  // A failure stays until the next reply is kept: where none is noted, it may be of a try before.
  return replied === sent || last.attempt === attempts;
}

/** The exchanges up to the paid one of this number, with what followed it unpaid. */
export function firstPaid<Kept extends Exchange>(
  exchanges: readonly Kept[],
  paid: number,
): readonly Kept[] {
  let seen = 0;
  const end = exchanges.findIndex(({ request }) => request.isPaid && ++seen > paid);
  return end === -1 ? exchanges : exchanges.slice(0, end);
}

/** What a job that has ended gave. */
export interface ReadJobResult {
  readonly answer: Answer;
  /** As its vendor's replies have it; null: it failed. */
  readonly collected: CollectedAnswer | null;
}

/** Reads jobs that have ended, in any order. */
export type ReadJobs = (
  part: PartToPublish,
  jobs: readonly EndedJob[],
) => AsyncIterable<ReadJobResult>;

/** What jobs are read with. */
interface ReadJobTools {
  readonly answers: Pick<AnswerStore, "rawsOf">;
  readonly adapterOf: (vendor: Vendor) => Adapter;
}

/** Reads jobs by the replies that are kept, many in one look-up. */
export function jobReader({ answers, adapterOf }: ReadJobTools): ReadJobs {
  return async function* (part, jobs) {
    const { accountId, sweepId, slot } = part;
    let left = jobs;
    while (left.length > 0) {
      const wanted = left.filter(({ state }) => state !== "failed").map(({ id }) => id);
      const { replies, unread } = await answers.rawsOf(accountId, wanted);
      const raws = new Map(replies.map((reply) => [reply.answerId, reply]));
      const later = new Set(unread);
      for (const job of left) {
        if (later.has(job.id)) continue;
        const { id, provider, surface, region, model } = job;
        // The prompt's text is in what was sent, and no reply is read by it.
        const question = { id, prompt: "", provider, surface, region, model };
        const asked = { adapter: adapterOf(job.vendor), question };
        const { result, at } = await resultOf(asked, raws.get(id) ?? null, job);
        const where = { at: at ?? job.endedAt, region: asked.adapter.regionOf(question) };
        const answer = answerOf({ ...job, sweepId, slot }, result, where);
        yield { answer, collected: result.kind === "answered" ? result.answer : null };
      }
      left = left.filter(({ id }) => later.has(id));
    }
  };
}

interface ReadResult {
  readonly result: JobResult;
  /** When the last reply came; null: there is none. */
  readonly at: number | null;
}

async function resultOf(
  { adapter, question }: { readonly adapter: Adapter; readonly question: VendorQuestion },
  raw: RawReply | null,
  job: EndedJob,
): Promise<ReadResult> {
  const failed = (reason: string): ReadResult => {
    return { result: { kind: "failed", reason, cost: costOf(job, true) }, at: null };
  };
  if (job.state === "failed") return failed(job.reason ?? "It failed.");
  if (raw === null) return failed("Its reply is not kept any more.");
  // Damaged; without an end to this, the part's other answers would never count.
  const exchanges = await unpacked(raw.body);
  if (exchanges === null) return failed("Its reply, as it is kept, cannot be read.");
  const step = adapter.step(question, exchanges);
  if (step.kind === "failed") return failed(step.failure.reason);
  if (step.kind !== "answered") return failed("Its reply is not whole.");
  const { answer } = step;
  const cost = costOf(job, answer.usage.cost === null);
  return { result: { kind: "answered", answer, cost }, at: exchanges.at(-1)?.at ?? null };
}

/** With all attempts, as the ledger has it. */
function costOf({ spentMicros }: EndedJob, estimated: boolean): AnswerCost | null {
  if (spentMicros === 0) return null;
  return { amount: spentMicros / 1_000_000, currency: "USD", estimated };
}

/** What came of a job: an answer, or why there is none. */
type JobResult =
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
interface WhereAnswered {
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
    id: job.id,
    promptId: job.promptId,
    provider,
    surface,
    sample,
    vendor,
    region,
    requestedRegion: job.region,
    answeredAt: at,
    cost: result.cost,
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

/** The region of an answer is its country; what of it was asked for is a field of its own. */
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

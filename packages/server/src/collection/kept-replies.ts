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

/** An exchange as it is stored with the answers. */
export interface KeptExchange extends Exchange {
  /** The attempt of the job that made it, from 0: earlier attempts are settled. */
  readonly attempt: number;
}

/** A few replies of the longest kind. */
const keptBytesMax = 8 * replyBytesMax;
const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Encodes the exchanges of a job for storage: JSON, compressed with zstd. */
export function packed(exchanges: readonly KeptExchange[]): Promise<Uint8Array> {
  const options = { params: { [constants.ZSTD_c_compressionLevel]: 6 } };
  return compress(Buffer.from(JSON.stringify(exchanges)), options);
}

/**
 * Decodes stored exchanges; null: they are damaged.
 * @throws transient errors, such as a lack of memory: an answer that was paid for must not fail
 * because of them.
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

/** Truncated, or longer than what is ever stored. */
const cutOrTooLong = ["Z_BUF_ERROR", "ERR_BUFFER_TOO_LARGE"];

/** Whether the stored bytes are at fault, and not the machine. */
export function isDamage(error: unknown): boolean {
  if (error instanceof SyntaxError) return true;
  const { code } = error as { readonly code?: unknown };
  if (typeof code !== "string" || code === "ZSTD_error_memory_allocation") return false;
  return code.startsWith("ZSTD_error_") || cutOrTooLong.includes(code);
}

/** How many of the exchanges have a paid request. */
export function paidOf(exchanges: readonly Exchange[]): number {
  return exchanges.filter(({ request }) => request.isPaid).length;
}

/** Whether the reply to the job's last paid request is stored. */
export function isReplyKept(
  exchanges: readonly KeptExchange[],
  { sent, replied, attempts }: Pick<LeasedJob, "sent" | "replied" | "attempts">,
): boolean {
  const last = exchanges.filter(({ request }) => request.isPaid)[sent - 1];
  if (last === undefined) return false;
  // A failure stays until the next reply is stored: unless a reply is recorded, it may be of an
  // earlier try.
  return replied === sent || last.attempt === attempts;
}

/** The exchanges up to the paid one with this number, and the unpaid ones that follow it. */
export function firstPaid<Kept extends Exchange>(
  exchanges: readonly Kept[],
  paid: number,
): readonly Kept[] {
  let seen = 0;
  const end = exchanges.findIndex(({ request }) => request.isPaid && ++seen > paid);
  return end === -1 ? exchanges : exchanges.slice(0, end);
}

/** The answer of an ended job. */
export interface ReadJobResult {
  readonly answer: Answer;
  /** As parsed from the vendor's replies; null: the job failed. */
  readonly collected: CollectedAnswer | null;
}

/** Reads the answers of ended jobs, in any order. */
export type ReadJobs = (
  part: PartToPublish,
  jobs: readonly EndedJob[],
) => AsyncIterable<ReadJobResult>;

/** Dependencies of reading jobs. */
interface ReadJobTools {
  readonly answers: Pick<AnswerStore, "rawsOf">;
  readonly adapterOf: (vendor: Vendor) => Adapter;
}

/** Reads jobs from their stored replies, many in one query. */
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
        // The prompt's text is in the request, and no reply is read by it.
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
  /** When the last reply arrived, in milliseconds since 1970; null: there is none. */
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
  // Damaged: otherwise the part's other answers would never be published.
  const exchanges = await unpacked(raw.body);
  if (exchanges === null) return failed("Its reply, as it is kept, cannot be read.");
  const step = adapter.step(question, exchanges);
  if (step.kind === "failed") return failed(step.failure.reason);
  if (step.kind !== "answered") return failed("Its reply is not whole.");
  const { answer } = step;
  const cost = costOf(job, answer.usage.cost === null);
  return { result: { kind: "answered", answer, cost }, at: exchanges.at(-1)?.at ?? null };
}

/** The cost of all attempts, as in the ledger; null: nothing. */
function costOf({ spentMicros }: EndedJob, estimated: boolean): AnswerCost | null {
  if (spentMicros === 0) return null;
  return { amount: spentMicros / 1_000_000, currency: "USD", estimated };
}

/** The result of a job: an answer, or why there is none. */
type JobResult =
  | {
      readonly kind: "answered";
      readonly answer: CollectedAnswer;
      readonly cost: AnswerCost | null;
    }
  | { readonly kind: "failed"; readonly reason: string; readonly cost: AnswerCost | null };

/** A job with its sweep. */
export interface JobOfSweep extends NewJob {
  readonly sweepId: string;
  readonly slot: number;
}

/** When and where a job was answered. */
interface WhereAnswered {
  /** When the last reply arrived, or the job ended; in milliseconds since 1970. */
  readonly at: number;
  /** The effective region; see `Adapter.regionOf`. */
  readonly region: string | null;
}

/**
 * A job's answer for the record, within the bounds of an imported one. An answer that exceeds them
 * becomes a failure and is never truncated.
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

/** The requested state and city; the region of an answer is its country alone. */
function placeOf({ place }: JobOfSweep): Readonly<Record<string, unknown>> {
  if (place === undefined) return {};
  const { state, city } = place;
  return { ...(state === null ? {} : { state }), ...(city === null ? {} : { city }) };
}

/** Spans above the bound of an imported answer are dropped: no metric counts them. */
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

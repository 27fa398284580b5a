import type { Vendor } from "@sightline/contract";
import type { Answer, AnswerCost } from "../answers/answer.ts";
import type { AnswerStore } from "../answers/answer-store.ts";
import type { RawReply } from "../answers/raw-reply.ts";
import type { Adapter, AskedQuestion, CollectedAnswer } from "./adapter.ts";
import { answerOf, type JobResult } from "./answer-of-job.ts";
import { unpacked } from "./kept-exchanges.ts";
import type { EndedJob, PartToPublish } from "./store/collection-store.ts";

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
export interface ReadJobTools {
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
  { adapter, question }: { readonly adapter: Adapter; readonly question: AskedQuestion },
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

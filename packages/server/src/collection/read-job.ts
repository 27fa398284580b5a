import type { Vendor } from "@sightline/contract";
import type { Answer, AnswerCost } from "../answers/answer.ts";
import type { AnswerStore } from "../answers/answer-store.ts";
import type { EndedJob, PartToPublish } from "../control/collection-store.ts";
import type { Adapter, CollectedAnswer } from "./adapter.ts";
import { answerOf, type JobResult } from "./answer-of-job.ts";
import { unpacked } from "./kept-exchanges.ts";

/** What a job that has ended gave. */
export interface ReadJobResult {
  readonly answer: Answer;
  /** As its vendor's replies have it; null: it failed. */
  readonly collected: CollectedAnswer | null;
}

/** Gives the answer of a job that has ended. */
export type ReadJob = (part: PartToPublish, job: EndedJob) => Promise<ReadJobResult>;

/** What jobs are read with. */
export interface ReadJobTools {
  readonly answers: Pick<AnswerStore, "raw">;
  readonly adapterOf: (vendor: Vendor) => Adapter;
}

/** Reads jobs by the replies that are kept. */
export function jobReader(tools: ReadJobTools): ReadJob {
  return async (part, job) => {
    const { sweepId, slot } = part;
    const { result, at } = await resultOf(tools, part.accountId, job);
    const answer = answerOf({ ...job, sweepId, slot }, result, at ?? job.endedAt);
    return { answer, collected: result.kind === "answered" ? result.answer : null };
  };
}

interface ReadResult {
  readonly result: JobResult;
  /** When the last reply came; null: there is none. */
  readonly at: number | null;
}

async function resultOf(
  { answers, adapterOf }: ReadJobTools,
  accountId: string,
  job: EndedJob,
): Promise<ReadResult> {
  const failed = (reason: string): ReadResult => {
    return { result: { kind: "failed", reason, cost: costOf(job, true) }, at: null };
  };
  if (job.state === "failed") return failed(job.reason ?? "It failed.");
  const raw = await answers.raw(accountId, job.id);
  if (raw === null) return failed("Its reply is not kept any more.");
  // Damaged; without an end to this, the part's other answers would never count.
  const exchanges = await unpacked(raw.body).catch(() => null);
  if (exchanges === null) return failed("Its reply, as it is kept, cannot be read.");
  const { id, provider, surface, region, model } = job;
  // The prompt's text is in what was sent, and no reply is read by it.
  const question = { id, prompt: "", provider, surface, region, model };
  const step = adapterOf(job.vendor).step(question, exchanges);
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

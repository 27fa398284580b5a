import type { Vendor } from "@sightline/contract";
import type { Answer } from "../answers/answer.ts";
import type { RawReply } from "../answers/raw-reply.ts";
import type { Adapter } from "./adapter.ts";
import { answerOf, type JobOfSweep } from "./answer-of-job.ts";
import { unpacked } from "./kept-exchanges.ts";

/**
 * An answer as today's adapter reads its raw reply; the same answer when that says nothing else.
 * Null: it cannot be read, or did not come by collection.
 */
export async function rereadAnswer(
  adapters: readonly Adapter[],
  answer: Answer,
  raw: RawReply,
): Promise<Answer | null> {
  const adapter = adapters.find(({ vendor }) => vendor === raw.vendor);
  const job = jobOf(answer, raw.vendor);
  if (adapter === undefined || job === null) return null;
  const exchanges = await unpacked(raw.body);
  const last = exchanges?.at(-1);
  if (exchanges === null || last === undefined) return null;
  const { id, provider, surface, region } = job;
  const question = { id, prompt: "", provider, surface, region, model: null };
  const step = adapter.step(question, exchanges);
  const where = { at: last.at, region: adapter.regionOf(question) };
  const { cost } = answer;
  switch (step.kind) {
    case "answered":
      return answerOf(job, { kind: "answered", answer: step.answer, cost }, where);
    case "failed": {
      if (answer.outcome === "failed") return answer;
      return answerOf(job, { kind: "failed", reason: step.failure.reason, cost }, where);
    }
    default: // it was cut off, or given up before it was whole
      return answer;
  }
}

/** The job that an answer came of; null: it did not come by collection. */
function jobOf(answer: Answer, vendor: Vendor): JobOfSweep | null {
  const { id, promptId, provider, surface, requestedRegion, sample, metadata } = answer;
  const { sweepId, slot } = metadata ?? {};
  if (typeof sweepId !== "string" || typeof slot !== "string" || surface === null) return null;
  const asked = { id, promptId, provider, surface, vendor, region: requestedRegion, sample };
  return { ...asked, sweepId, slot: Date.parse(slot), model: null, reserveMicros: 0 };
}

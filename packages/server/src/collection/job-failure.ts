import type { Failure } from "./adapter.ts";
import type { JobOutcome, LeasedJob } from "./store/collection-store.ts";

/** Attempts of a job: a vendor that fails five times in succession answers no sixth. */
export const attemptsMax = 5;
/** Tries of an unpaid request after the first: at the delays below, over some two minutes. */
export const triesMax = 6;
/** How long a vendor may work on a task that it has begun: most take a minute. */
export const generationMsMax = 15 * 60_000;

const firstDelayMs = 2_000;
const delayMsMax = 5 * 60_000;
const dayMs = 86_400_000;

/**
 * How long to wait after a failure: twice as long each time, and up to half of it more, so that
 * what failed together does not come back together.
 * @param tries that failed, from 1. @param random from 0 to below 1.
 */
export function retryDelayMs(tries: number, random: number): number {
  return Math.min(delayMsMax, firstDelayMs * 2 ** (tries - 1)) * (1 + random / 2);
}

/** When a failure is judged. */
export interface JudgedAt {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** What the vendor's circuit allows; 0: immediately. */
  readonly notBefore: number;
  /** From 0 to below 1. */
  readonly random: number;
}

type Ended = Pick<Extract<JobOutcome, { state: "failed" }>, "state" | "reason">;
type PutBack = Pick<Extract<JobOutcome, { state: "queued" }>, "state" | "reason" | "nextAt">;

/** Whether a job that failed is asked again, and when. */
export function failureOutcome(
  { class: failureClass, reason, afterMs }: Failure,
  { attempts, deadline }: Pick<LeasedJob, "attempts" | "deadline">,
  { now, notBefore, random }: JudgedAt,
): Ended | PutBack {
  const failed = { state: "failed", reason } as const;
  const isFinal = failureClass === "give-up" || failureClass === "stop-part";
  if (isFinal || attempts + 1 >= attemptsMax) return failed;
  const delayMs = Math.max(retryDelayMs(attempts + 1, random), afterMs ?? 0);
  const nextDay = failureClass === "stop-account" ? (Math.floor(now / dayMs) + 1) * dayMs : 0;
  const nextAt = Math.ceil(Math.max(now + delayMs, notBefore, nextDay));
  return nextAt < deadline ? { state: "queued", nextAt, reason } : failed;
}

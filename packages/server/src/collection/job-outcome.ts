import type { Adapter, Failure, Step, Usage, VendorQuestion, VendorReply } from "./adapter.ts";
import type { KeptExchange } from "./kept-replies.ts";
import type { Cost, PricedQuestion } from "./prices.ts";
import type { ActiveVendor, JobPrices, RunTools } from "./run-tools.ts";
import type { JobOutcome, LeasedJob, RequestCost } from "./store/collection-store.ts";
import { recordOutcome, releaseJob } from "./store/job-progress.ts";
import { failQueued } from "./store/sweep-store.ts";
import { noUsage } from "./vendors/collected-answer.ts";

/** Attempts of a job: a vendor that fails five times in succession does not answer a sixth. */
export const attemptsMax = 5;
/** Retries of an unpaid request, with the delays below: over some two minutes. */
export const triesMax = 6;
/** How long a vendor may work on a started task: most take a minute. */
export const generationMsMax = 15 * 60_000;

const firstDelayMs = 2_000;
const delayMsMax = 5 * 60_000;
const dayMs = 86_400_000;

/**
 * The delay after a failure, in milliseconds: exponential, plus up to half of it at random, so that
 * concurrent failures are not retried together.
 * @param tries that failed, from 1. @param random from 0 to below 1.
 */
export function retryDelayMs(tries: number, random: number): number {
  return Math.min(delayMsMax, firstDelayMs * 2 ** (tries - 1)) * (1 + random / 2);
}

/** The circumstances of a failure. */
interface JudgedAt {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** When the vendor's circuit allows the next request; 0: immediately. */
  readonly notBefore: number;
  /** From 0 to below 1. */
  readonly random: number;
}

type Ended = Pick<Extract<JobOutcome, { state: "failed" }>, "state" | "reason">;
type PutBack = Pick<Extract<JobOutcome, { state: "queued" }>, "state" | "reason" | "nextAt">;

/** Whether and when a failed job is retried. */
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

/** Whether a vendor accepted the request and may bill it. */
export function isSuccess({ status }: VendorReply): boolean {
  return status >= 200 && status < 300;
}

/** Whether a failure is the vendor's, and says nothing about the polled task. */
export function isOfVendor(failure: Failure): boolean {
  return failure.class === "wait" || failure.class === "stop-vendor";
}

/** Whether a failure is the question's: the vendor works. */
export function isOfJob({ class: failureClass }: Failure): boolean {
  return failureClass === "give-up" || failureClass === "stop-part";
}

/** Whether the next request is unpaid, such as polling a task. */
export function isOfTask(step: Step): boolean {
  return step.kind === "pending" || (step.kind === "send" && !step.request.isPaid);
}

/** The result of a reply in the counts. */
export function resultOf(step: Step): "replied" | "failed" | "limited" {
  if (step.kind !== "failed") return "replied";
  return step.failure.class === "wait" ? "limited" : "failed";
}

/** The usage and the model of replies, as far as they report them. */
interface Used {
  readonly usage: Usage;
  readonly model?: string | null | undefined;
}

/** The cost of replies, in millionths of a dollar. */
interface JobCost {
  readonly micros: number;
  /** Whether the cost is assumed: from expected usage, or from another model's price. */
  readonly isAssumed: boolean;
}

/** A reply without usage: the step after it reports the usage of those before it. */
const nothingUsed: KeptExchange = {
  request: { method: "POST", host: "", path: "", isPaid: true },
  reply: { status: 503, headers: {}, body: "" },
  at: 0,
  attempt: 0,
};

/** Computes what the exchanges of a job cost, in millionths of a dollar. */
export class JobCosts {
  readonly #prices: JobPrices;
  readonly #adapter: Adapter;
  readonly #job: LeasedJob;
  readonly #question: VendorQuestion;

  constructor(
    { prices, adapter }: { readonly prices: JobPrices; readonly adapter: Adapter },
    job: LeasedJob,
    question: VendorQuestion,
  ) {
    this.#prices = prices;
    this.#adapter = adapter;
    this.#job = job;
    this.#question = question;
  }

  /**
   * The cost since the last outcome: exchanges of earlier attempts have been settled. Replies that
   * do not report their usage cost what a question is expected to.
   */
  sinceSettled(used: Used, exchanges: readonly KeptExchange[]): JobCost {
    const at = exchanges.at(-1)?.at ?? 0;
    const settled = exchanges.filter(({ attempt }) => attempt < this.#job.attempts);
    const all = this.#costOf(used, at);
    const earlier =
      settled.length === 0
        ? 0
        : this.#costOf({ usage: this.usedBy(settled), model: used.model }, at).amountMicros;
    const listed = Math.max(0, all.amountMicros - earlier);
    const isBilled = exchanges.some(({ attempt, request, reply }) => {
      return attempt === this.#job.attempts && request.isPaid && isSuccess(reply);
    });
    if (used.usage.isReported || used.usage.cost !== null || !isBilled) {
      return { micros: listed, isAssumed: all.isAssumed && listed > 0 };
    }
    const expected = this.#prices.expectedMicrosOf(this.#asked(used, at));
    return { micros: Math.max(listed, expected), isAssumed: true };
  }

  /** What the next paid request of this attempt reserves, and its expected cost. */
  ofNext(exchanges: readonly KeptExchange[], now: number): RequestCost {
    const isFirst = exchanges.every(({ request }) => !request.isPaid);
    const asked = this.#asked({ model: null }, now);
    const expectedMicros = this.#prices.expectedMicrosOf(asked);
    if (isFirst) return { usedMicros: 0, reserveMicros: this.#job.reserveMicros, expectedMicros };
    const usage = this.usedBy(exchanges);
    return {
      usedMicros: this.sinceSettled({ usage }, exchanges).micros,
      reserveMicros: this.#prices.reserveMicrosOf(asked, usage),
      expectedMicros,
    };
  }

  /** The usage of exchanges, whatever follows them. */
  usedBy(exchanges: readonly KeptExchange[]): Usage {
    const step = this.#adapter.step(this.#question, [...exchanges, nothingUsed]);
    return step.kind === "failed" ? step.usage : noUsage;
  }

  /**
   * Whether the last reply that may have been billed reports its usage. One that is not understood
   * may not, and its vendor may have billed it.
   * @param usage that of all these exchanges, from the step after them: many adapters read only the
   * last reply, so none can be appended to ask for it.
   */
  isReported(usage: Usage, exchanges: readonly KeptExchange[]): boolean {
    const last = exchanges.findLastIndex(
      ({ request, reply }) => request.isPaid && isSuccess(reply),
    );
    if (last === -1) return true;
    if (!usage.isReported) return false;
    return JSON.stringify(this.usedBy(exchanges.slice(0, last))) !== JSON.stringify(usage);
  }

  #costOf(used: Used, at: number): Cost {
    return this.#prices.costOf(used.usage, this.#asked(used, at));
  }

  #asked({ model = null }: Pick<Used, "model">, at: number): PricedQuestion {
    const { vendor, provider, model: wanted } = this.#job;
    return { vendor, provider, model: model ?? wanted, at };
  }
}

/** The settlement of a failure. */
interface SettledFailure {
  readonly cost: JobCost;
  /** Whether the replies report all that the vendor may have billed. */
  readonly isReported: boolean;
  /** How many paid exchanges are kept for a retry. */
  readonly kept: number;
}

/**
 * Records the outcome of a run in control. Each method returns false: there is nothing left to do.
 */
export class JobOutcomes {
  readonly #tools: RunTools;
  readonly #job: LeasedJob;
  readonly #vendor: ActiveVendor;

  constructor(tools: RunTools, job: LeasedJob, vendor: ActiveVendor) {
    this.#tools = tools;
    this.#job = job;
    this.#vendor = vendor;
  }

  async done(cost: JobCost): Promise<false> {
    await this.#record({ state: "done", ...settledOf(cost) });
    return false;
  }

  /** Puts the job back or fails it, by the class of the failure and the attempts that are left. */
  async failed(
    failure: Failure,
    { cost, isReported, kept }: SettledFailure,
    keep: () => Promise<void>,
  ): Promise<false> {
    const { circuit, concurrency } = this.#vendor;
    if (failure.class === "wait") concurrency.limited();
    const notBefore = circuit.failed(failure);
    const { control, clock, random } = this.#tools;
    const at = { now: clock.now(), notBefore, random: random() };
    const outcome = failureOutcome(failure, this.#job, at);
    if (outcome.state === "queued") {
      await this.#record({ ...outcome, ...settledOf(cost), kept });
      return false;
    }
    await keep();
    await this.#record({ ...outcome, ...(isReported ? settledOf(cost) : { spentMicros: null }) });
    // The vendor would reply the same to each of the others.
    if (failure.class === "stop-part")
      await failQueued(control, this.#job, failure.reason, clock.now());
    return false;
  }

  /** Fails a job without a running request. If it sent one, its cost stays unsettled. */
  async refused(reason: string): Promise<false> {
    const spentMicros = this.#job.sent === 0 ? 0 : null;
    await this.#record({ state: "failed", reason, spentMicros });
    return false;
  }

  /** Fails a job whose vendor may have billed more than is known. */
  async cutOff(reason: string): Promise<false> {
    await this.#record({ state: "failed", reason, spentMicros: null });
    return false;
  }

  /** Releases the job to other workers. */
  async released(): Promise<false> {
    await releaseJob(this.#tools.control, this.#job, this.#tools.clock.now());
    return false;
  }

  async #record(outcome: JobOutcome): Promise<void> {
    const { control, clock, counts } = this.#tools;
    if (!(await recordOutcome(control, this.#job, outcome, clock.now()))) return;
    const { provider, vendor } = this.#job;
    counts.job({ provider, result: outcome.state === "queued" ? "retried" : outcome.state });
    counts.spent(vendor, outcome.spentMicros ?? 0);
  }
}

function settledOf({ micros, isAssumed }: JobCost) {
  return { spentMicros: micros, assumedMicros: isAssumed ? micros : 0 };
}

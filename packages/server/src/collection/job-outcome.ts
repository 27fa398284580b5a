import type { Adapter, Failure, Step, Usage, VendorQuestion, VendorReply } from "./adapter.ts";
import type { KeptExchange } from "./kept-replies.ts";
import type { Cost, PricedQuestion } from "./prices.ts";
import type { ActiveVendor, JobPrices, RunTools } from "./run-tools.ts";
import type { JobOutcome, LeasedJob, RequestCost } from "./store/collection-store.ts";
import { recordOutcome, releaseJob } from "./store/job-progress.ts";
import { failQueued } from "./store/sweep-store.ts";
import { noUsage } from "./vendors/collected-answer.ts";

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
interface JudgedAt {
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

/** Whether a vendor took the request, and may bill it. */
export function isSuccess({ status }: VendorReply): boolean {
  return status >= 200 && status < 300;
}

/** Whether a failure says nothing about the task that was looked at. */
export function isOfVendor(failure: Failure): boolean {
  return failure.class === "wait" || failure.class === "stop-vendor";
}

/** Whether a failure is of what was asked: the vendor works. */
export function isOfJob({ class: failureClass }: Failure): boolean {
  return failureClass === "give-up" || failureClass === "stop-part";
}

/** Whether an unpaid request is next, such as a look at a task that the vendor works on. */
export function isOfTask(step: Step): boolean {
  return step.kind === "pending" || (step.kind === "send" && !step.request.isPaid);
}

/** How a reply is counted. */
export function resultOf(step: Step): "replied" | "failed" | "limited" {
  if (step.kind !== "failed") return "replied";
  return step.failure.class === "wait" ? "limited" : "failed";
}

/** What replies used, and of which model, as far as they tell. */
interface Used {
  readonly usage: Usage;
  readonly model?: string | null | undefined;
}

/** What replies cost, in millionths of a dollar. */
interface JobCost {
  readonly micros: number;
  /** Whether nobody told: the usage is an expected one, or the price that of another model. */
  readonly isAssumed: boolean;
}

/** A reply that nothing was used for: the step after it tells what those before it used. */
const nothingUsed: KeptExchange = {
  request: { method: "POST", host: "", path: "", isPaid: true },
  reply: { status: 503, headers: {}, body: "" },
  at: 0,
  attempt: 0,
};

/** What the exchanges of a job cost, in millionths of a dollar. */
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
   * What was used since the last outcome: exchanges of earlier attempts were settled by theirs.
   * Replies that do not say what they used cost what a question is expected to.
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

  /** What the next paid request of this attempt reserves and is expected to cost. */
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

  /** What exchanges used, whatever comes after them. */
  usedBy(exchanges: readonly KeptExchange[]): Usage {
    const step = this.#adapter.step(this.#question, [...exchanges, nothingUsed]);
    return step.kind === "failed" ? step.usage : noUsage;
  }

  /**
   * Whether the last reply that may have been billed says what it used: one that is not understood
   * may not, and its vendor may have billed it all the same.
   * @param usage of all these exchanges, as the step after them says it: many adapters read only
   * the last one, so that none could be put behind it to ask for it.
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

/** What is settled with a failure. */
interface SettledFailure {
  readonly cost: JobCost;
  /** Whether the replies say all that the vendor may have billed. */
  readonly isReported: boolean;
  /** How many paid exchanges are kept, when it is asked again. */
  readonly kept: number;
}

/**
 * The ends of a run of a job, each noted in control. They return false, as what there is left to
 * do.
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

  /** Puts the job back, or fails it, as the failure asks for and attempts are left. */
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
    // Each of the others would be told the same.
    if (failure.class === "stop-part")
      await failQueued(control, this.#job, failure.reason, clock.now());
    return false;
  }

  /** Fails a job of which nothing is under way, and nothing to be settled unless it was asked. */
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

  /** Gives the job to another worker. */
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

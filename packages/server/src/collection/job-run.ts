import type {
  CollectedAnswer,
  Step,
  VendorQuestion,
  VendorReply,
  VendorRequest,
} from "./adapter.ts";
import {
  generationMsMax,
  isOfJob,
  isOfTask,
  isOfVendor,
  isSuccess,
  JobCosts,
  JobOutcomes,
  resultOf,
  retryDelayMs,
  triesMax,
} from "./job-outcome.ts";
import {
  firstPaid,
  isReplyKept,
  type KeptExchange,
  packed,
  paidOf,
  unpacked,
} from "./kept-replies.ts";
import { type ActiveVendor, questionOf, type RunTools, WaitEndedError } from "./run-tools.ts";
import type { LeasedJob } from "./store/collection-store.ts";
import { recordReply, reserveRequest } from "./store/job-progress.ts";

/** The prompt was retired or paused; what was paid for is read all the same. */
const notAsked = "The prompt is no longer asked.";
/** A request may have been billed, and its reply is not here. */
const cutOff = "It was cut off while it was asked.";

/** What a run is of. */
export interface RunOf {
  readonly job: LeasedJob;
  readonly vendor: ActiveVendor;
  /** Aborts when no further request is to be sent. */
  readonly leaving: AbortSignal;
  /** Aborts when the request under way is to be cut off. */
  readonly signal: AbortSignal;
}

/**
 * Runs a leased job until it outcomes, is put back, or is left because another worker has it.
 * @throws what control or the record throws: the lease then outcomes, and another run goes on.
 */
export async function runJob(tools: RunTools, run: RunOf): Promise<void> {
  const { job, vendor } = run;
  const account = await tools.account(job.accountId);
  const text = account?.promptText(job.promptId) ?? "";
  const outcomes = new JobOutcomes(tools, job, vendor);
  const isAsked = account !== null && (text !== "" || job.sent > 0);
  if (isAsked) await new JobRun(tools, run, { outcomes, text }).run();
  else await outcomes.refused(notAsked);
}

interface RunWith {
  readonly outcomes: JobOutcomes;
  /** Empty: it is not to be asked any more. */
  readonly text: string;
}

/**
 * A run of a job. What it knows is the exchanges that are kept, so that any worker goes on from
 * where the last one died; a paid request is noted before it is sent, and never sent twice unless
 * its reply was no answer.
 */
class JobRun {
  readonly #tools: RunTools;
  readonly #run: RunOf;
  readonly #outcomes: JobOutcomes;
  readonly #question: VendorQuestion;
  readonly #costs: JobCosts;
  #exchanges: readonly KeptExchange[] = [];
  #read: { readonly exchanges: readonly KeptExchange[]; readonly step: Step } | null = null;
  /** Tries in succession of an unpaid request that was not replied to. */
  #tries = 0;
  /** Since when the vendor is known to work on the task; null: it is not. */
  #generatesSinceMs: number | null = null;

  constructor(tools: RunTools, run: RunOf, { outcomes, text }: RunWith) {
    const { adapter } = run.vendor;
    this.#tools = tools;
    this.#run = run;
    this.#outcomes = outcomes;
    this.#question = questionOf(run.job, text);
    this.#costs = new JobCosts({ prices: tools.prices, adapter }, run.job, this.#question);
  }

  async run(): Promise<void> {
    let goesOn = await this.#begin();
    while (goesOn) goesOn = await this.#do(this.#step());
  }

  /** Takes up the exchanges that are kept. @returns whether there is something to do. */
  async #begin(): Promise<boolean> {
    const { job, vendor } = this.#run;
    if (job.sent === 0) {
      const refusal = vendor.adapter.refusal(this.#question);
      return refusal === null ? true : this.#outcomes.refused(refusal);
    }
    const raw = await this.#tools.answers.raw(job.accountId, job.id);
    // One that is damaged is as good as none.
    const kept = raw === null ? [] : ((await unpacked(raw.body)) ?? []);
    if (!isReplyKept(kept, job)) return this.#outcomes.cutOff(cutOff);
    // The last one was settled as a failure that is retried, and stays until the next is kept.
    this.#exchanges = firstPaid(kept, job.sent);
    if (this.#exchanges.length < kept.length) await this.#keep();
    return true;
  }

  /** What comes after the exchanges. A reply has up to 10 MB, which are read once. */
  #step(): Step {
    const exchanges = this.#exchanges;
    if (this.#read?.exchanges !== exchanges) {
      const step = this.#run.vendor.adapter.step(this.#question, exchanges);
      this.#read = { exchanges, step };
    }
    return this.#read.step;
  }

  /** @returns whether there is more to do. */
  #do(step: Step): Promise<boolean> {
    switch (step.kind) {
      case "send":
        if (this.#run.leaving.aborted) return this.#outcomes.released();
        return step.request.isPaid ? this.#sendPaid(step.request) : this.#sendUnpaid(step.request);
      case "pending":
        this.#exchanges = this.#exchanges.slice(0, -1);
        if (step.isQueued || this.#generatesInTime()) return this.#pause(step.afterMs);
        return this.#outcomes.cutOff("The vendor's task did not end in time.");
      case "answered":
        return this.#answered(step.answer);
      case "failed":
        return this.#failed(step, this.#keptAfterFailure());
    }
  }

  #answered(answer: CollectedAnswer): Promise<false> {
    const cost = this.#costs.sinceSettled(answer, this.#exchanges);
    if (!answer.usage.isReported) this.#tools.counts.untold(this.#run.job.vendor);
    return this.#outcomes.done(cost);
  }

  /** Time in the vendor's queue does not count. */
  #generatesInTime(): boolean {
    const now = this.#tools.clock.elapsed();
    this.#generatesSinceMs ??= now;
    return now - this.#generatesSinceMs < generationMsMax;
  }

  /** A task that failed is begun again; otherwise the request that failed is sent again. */
  #keptAfterFailure(): number {
    const isTask = this.#exchanges.at(-1)?.request.isPaid === false;
    return isTask ? 0 : paidOf(this.#exchanges.slice(0, -1));
  }

  async #sendPaid(request: VendorRequest): Promise<boolean> {
    const { control, clock } = this.#tools;
    const { job, vendor } = this.#run;
    // Read for each request: a question may go on for minutes, and its caps be others by then.
    const account = await this.#tools.account(job.accountId);
    if (account === null || this.#question.prompt === "") return this.#outcomes.refused(notAsked);
    const cost = this.#costs.ofNext(this.#exchanges, clock.now());
    const call = { caps: account.caps, cost, now: clock.now() };
    if ((await reserveRequest(control, job, call)) !== "reserved") return false;
    const sent = await this.#send(request);
    if (sent.kind === "reply") return this.#repliedPaid(sent.reply);
    const failure = { class: "retry", reason: sent.reason, afterMs: null } as const;
    if (sent.kind === "unknown") {
      vendor.circuit.failed(failure);
      return this.#outcomes.cutOff(`${cutOff} ${sent.reason}`);
    }
    const usage = this.#costs.usedBy(this.#exchanges);
    return this.#failed({ failure, usage }, paidOf(this.#exchanges));
  }

  async #send(request: VendorRequest) {
    const { send, clock, counts } = this.#tools;
    const { job, vendor, signal } = this.#run;
    const startedMs = clock.elapsed();
    const sent = await send(vendor.adapter, request, signal);
    const ms = clock.elapsed() - startedMs;
    if (sent.kind === "reply") {
      this.#exchanges = [...this.#exchanges, this.#exchangeOf(request, sent.reply)];
      const step = this.#step();
      counts.request({ vendor: job.vendor, result: resultOf(step), ms });
      // What a vendor says about one question may quote it, and health is shown to every account.
      const isOfQuestion = step.kind === "failed" && isOfJob(step.failure);
      if (step.kind === "failed" && !isOfQuestion) {
        counts.error(job.vendor, clock.now(), step.failure.reason);
      }
      if (step.kind !== "failed" || isOfQuestion) this.#succeeded();
    } else {
      const result = sent.kind === "unknown" ? "cut-off" : sent.kind;
      counts.request({ vendor: job.vendor, result, ms });
      counts.error(job.vendor, clock.now(), sent.reason);
    }
    return sent;
  }

  #succeeded(): void {
    const { circuit, concurrency } = this.#run.vendor;
    circuit.succeeded();
    concurrency.succeeded();
  }

  #exchangeOf(request: VendorRequest, reply: VendorReply): KeptExchange {
    const { method, host, path, body, isPaid } = request;
    return {
      request: { method, host, path, ...(body === undefined ? {} : { body }), isPaid },
      reply,
      at: this.#tools.clock.now(),
      attempt: this.#run.job.attempts,
    };
  }

  /** Keeps a reply before anything is done with it, unless it is an error, which is not billed. */
  async #repliedPaid(reply: VendorReply): Promise<boolean> {
    const step = this.#step();
    if (step.kind === "failed" && !isSuccess(reply)) {
      return this.#failed(step, paidOf(this.#exchanges.slice(0, -1)));
    }
    await this.#keep();
    const state = isOfTask(step) ? "submitted" : "leased";
    return recordReply(this.#tools.control, this.#run.job, state);
  }

  /** What it replies is kept with the last of its kind: to look again costs nothing. */
  async #sendUnpaid(request: VendorRequest): Promise<boolean> {
    const before = this.#exchanges;
    const sent = await this.#send(request);
    if (sent.kind !== "reply") return this.#again(request, sent.reason);
    const step = this.#step();
    const failure = step.kind === "failed" ? step.failure : null;
    if (failure !== null && (!isSuccess(sent.reply) || isOfVendor(failure))) {
      this.#exchanges = before;
      this.#run.vendor.circuit.failed(failure);
      return this.#again(request, failure.reason, failure.afterMs);
    }
    this.#tries = 0;
    if (!isOfTask(step)) await this.#keep();
    return true;
  }

  /**
   * Has an unpaid request be sent again: it costs nothing, and what was paid for is worth the wait.
   * What is never replied to is told the adapter as status 0: an answer may not depend on it.
   */
  async #again(request: VendorRequest, reason: string, afterMs: number | null = null) {
    this.#tries++;
    if (this.#tries > triesMax) {
      const reply = { status: 0, headers: {}, body: JSON.stringify({ error: reason }) };
      this.#exchanges = [...this.#exchanges, this.#exchangeOf(request, reply)];
      return true;
    }
    return this.#pause(Math.max(afterMs ?? 0, retryDelayMs(this.#tries, this.#tools.random())));
  }

  /** @returns false: the job was given up or left meanwhile. */
  async #pause(ms: number): Promise<boolean> {
    const { timers, clock } = this.#tools;
    const leftMs = this.#run.job.deadline - clock.now();
    if (leftMs <= 0) return this.#outcomes.cutOff("There was no answer before the deadline.");
    try {
      await this.#run.vendor.concurrency.whileWaiting(() => timers.wait(Math.min(ms, leftMs)));
      return true;
    } catch (error) {
      if (!(error instanceof WaitEndedError)) throw error;
      return this.#outcomes.released();
    }
  }

  #failed(
    { failure, usage }: Pick<Extract<Step, { kind: "failed" }>, "failure" | "usage">,
    kept: number,
  ): Promise<false> {
    const cost = this.#costs.sinceSettled({ usage }, this.#exchanges);
    const isReported = this.#costs.isReported(usage, this.#exchanges);
    return this.#outcomes.failed(failure, { cost, isReported, kept }, () => this.#keep());
  }

  async #keep(): Promise<void> {
    const last = this.#exchanges.at(-1);
    if (last === undefined) return;
    const { accountId, id: answerId, vendor } = this.#run.job;
    // Nothing is to be written of an account that was erased.
    if ((await this.#tools.account(accountId)) === null) throw new Error("it was deleted");
    const body = await packed(this.#exchanges);
    await this.#tools.answers.keepRaw(accountId, { answerId, vendor, at: last.at, body });
  }
}

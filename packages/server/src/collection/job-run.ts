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

/** The prompt was retired or paused; replies that were paid for are read all the same. */
const notAsked = "The prompt is no longer asked.";
/** A request may have been billed, and its reply was lost. */
const cutOff = "It was cut off while it was asked.";

/** A job to run. */
export interface RunOf {
  readonly job: LeasedJob;
  readonly vendor: ActiveVendor;
  /** Aborts when no further request may be sent. */
  readonly leaving: AbortSignal;
  /** Aborts the running request. */
  readonly signal: AbortSignal;
}

/**
 * Runs a leased job until it ends, is put back, or turns out to be another worker's.
 * @throws errors of control or the record: the lease then expires, and another run continues.
 */
export async function runJob(tools: RunTools, run: RunOf): Promise<void> {
  const { job, vendor } = run;
  const account = await tools.account(job.accountId);
  const text = (await account?.textOf(job)) ?? "";
  const outcomes = new JobOutcomes(tools, job, vendor);
  const isAsked = account !== null && (text !== "" || job.sent > 0);
  if (isAsked) await new JobRun(tools, run, { outcomes, text }).run();
  else await outcomes.refused(notAsked);
}

interface RunWith {
  readonly outcomes: JobOutcomes;
  /** The prompt; empty: it must not be asked any more. */
  readonly text: string;
}

/**
 * A run of a job. Its only state is the stored exchanges, so any worker continues where the last
 * one stopped. A paid request is recorded before it is sent, and never sent again unless its reply
 * was an error.
 */
class JobRun {
  readonly #tools: RunTools;
  readonly #run: RunOf;
  readonly #outcomes: JobOutcomes;
  readonly #question: VendorQuestion;
  readonly #costs: JobCosts;
  #exchanges: readonly KeptExchange[] = [];
  #read: { readonly exchanges: readonly KeptExchange[]; readonly step: Step } | null = null;
  /** Consecutive tries of an unpaid request without a reply. */
  #tries = 0;
  /** When the vendor was first seen working on the task; null: not yet. */
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

  /** Loads the stored exchanges. @returns whether there is something to do. */
  async #begin(): Promise<boolean> {
    const { job, vendor } = this.#run;
    if (job.sent === 0) {
      const refusal = vendor.adapter.refusal(this.#question);
      return refusal === null ? true : this.#outcomes.refused(refusal);
    }
    const raw = await this.#tools.answers.raw(job.accountId, job.id);
    // A damaged reply counts as none.
    const kept = raw === null ? [] : ((await unpacked(raw.body)) ?? []);
    if (!isReplyKept(kept, job)) return this.#outcomes.cutOff(cutOff);
    // The last one was settled as a retried failure, and stays until the next one is stored.
    this.#exchanges = firstPaid(kept, job.sent);
    if (this.#exchanges.length < kept.length) await this.#keep();
    return true;
  }

  /** The step after the exchanges; cached, since a reply has up to 10 MB. */
  #step(): Step {
    const exchanges = this.#exchanges;
    if (this.#read?.exchanges !== exchanges) {
      const step = this.#run.vendor.adapter.step(this.#question, exchanges);
      this.#read = { exchanges, step };
    }
    return this.#read.step;
  }

  /** Executes a step. @returns whether there is more to do. */
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
    const { job, vendor } = this.#run;
    if (!answer.usage.isReported && vendor.isOfService) this.#tools.counts.untold(job.vendor);
    return this.#outcomes.done(cost);
  }

  /** Whether the task is within its time; time in the vendor's queue does not count. */
  #generatesInTime(): boolean {
    const now = this.#tools.clock.elapsed();
    this.#generatesSinceMs ??= now;
    return now - this.#generatesSinceMs < generationMsMax;
  }

  /**
   * How many paid exchanges a retry keeps: none of a failed task, which starts again; otherwise all
   * but the failed one.
   */
  #keptAfterFailure(): number {
    const isTask = this.#exchanges.at(-1)?.request.isPaid === false;
    return isTask ? 0 : paidOf(this.#exchanges.slice(0, -1));
  }

  async #sendPaid(request: VendorRequest): Promise<boolean> {
    const { control, clock } = this.#tools;
    const { job, vendor } = this.#run;
    // Read for each request: a question may take minutes, and its caps may change meanwhile.
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
    const sent = await send(vendor, request, signal);
    const ms = clock.elapsed() - startedMs;
    if (sent.kind === "reply") {
      this.#exchanges = [...this.#exchanges, this.#exchangeOf(request, sent.reply)];
      const step = this.#step();
      counts.request({ vendor: job.vendor, result: resultOf(step), ms }, vendor);
      // The vendor's message about a question may quote it, and health is visible to all accounts.
      const isOfQuestion = step.kind === "failed" && isOfJob(step.failure);
      if (step.kind === "failed" && !isOfQuestion && vendor.isOfService) {
        counts.error(job.vendor, clock.now(), step.failure.reason);
      }
      if (step.kind !== "failed" || isOfQuestion) this.#succeeded();
    } else {
      const result = sent.kind === "unknown" ? "cut-off" : sent.kind;
      counts.request({ vendor: job.vendor, result, ms }, vendor);
      if (vendor.isOfService) counts.error(job.vendor, clock.now(), sent.reason);
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
    const { kept = (all: unknown) => all } = this.#run.vendor.adapter;
    return {
      request: { method, host, path, ...(body === undefined ? {} : { body: kept(body) }), isPaid },
      reply,
      at: this.#tools.clock.now(),
      attempt: this.#run.job.attempts,
    };
  }

  /** Stores a reply before it is processed, unless it is an error, which is not billed. */
  async #repliedPaid(reply: VendorReply): Promise<boolean> {
    const step = this.#step();
    if (step.kind === "failed" && !isSuccess(reply)) {
      return this.#failed(step, paidOf(this.#exchanges.slice(0, -1)));
    }
    await this.#keep();
    const state = isOfTask(step) ? "submitted" : "leased";
    return recordReply(this.#tools.control, this.#run.job, state);
  }

  /** Of polled replies only the last is stored: polling again costs nothing. */
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
   * Retries an unpaid request: it costs nothing, and what was paid for is worth the wait. After the
   * last try the adapter gets status 0: an answer may not depend on the request.
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

  /** Waits. @returns false: the job was given up or released meanwhile. */
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
    const { answers, account: accountOf } = this.#tools;
    const { accountId, id: answerId, vendor } = this.#run.job;
    // Nothing may be written for a deleted account.
    const account = await accountOf(accountId);
    if (account === null) throw new Error("it was deleted");
    const body = await packed(this.#exchanges);
    await answers.keepRaw(accountId, { answerId, vendor, at: last.at, body });
    if (vendor !== "reader" || (await account.textOf(this.#run.job)) !== null) return;
    // It quotes an answer that was removed. A removal from now on finds the reply itself.
    await answers.removeRawOf(accountId, [answerId]);
  }
}

import type { Failure } from "./adapter.ts";
import type { JobCost } from "./job-costs.ts";
import { failureOutcome } from "./job-failure.ts";
import type { AskedVendor, RunTools } from "./run-tools.ts";
import type { LeasedJob } from "./store/collection-store.ts";

/** What is settled with a failure. */
export interface SettledFailure {
  readonly cost: JobCost;
  /** Whether the replies say all that the vendor may have billed. */
  readonly isTold: boolean;
  /** How many paid exchanges are kept, when it is asked again. */
  readonly kept: number;
}

type Outcome = Parameters<RunTools["control"]["noteOutcome"]>[1];

/**
 * The ends of a run of a job, each noted in control. They return false, as what there is left to
 * do.
 */
export class JobEnds {
  readonly #tools: RunTools;
  readonly #job: LeasedJob;
  readonly #vendor: AskedVendor;

  constructor(tools: RunTools, job: LeasedJob, vendor: AskedVendor) {
    this.#tools = tools;
    this.#job = job;
    this.#vendor = vendor;
  }

  async done(cost: JobCost): Promise<false> {
    await this.#note({ state: "done", ...settledOf(cost) });
    return false;
  }

  /** Puts the job back, or fails it, as the failure asks for and attempts are left. */
  async failed(
    failure: Failure,
    { cost, isTold, kept }: SettledFailure,
    keep: () => Promise<void>,
  ): Promise<false> {
    const { circuit, places } = this.#vendor;
    if (failure.class === "wait") places.limited();
    const notBefore = circuit.failed(failure);
    const { clock, random } = this.#tools;
    const at = { now: clock.now(), notBefore, random: random() };
    const outcome = failureOutcome(failure, this.#job, at);
    if (outcome.state === "queued") {
      await this.#note({ ...outcome, ...settledOf(cost), kept });
      return false;
    }
    await keep();
    await this.#note({ ...outcome, ...(isTold ? settledOf(cost) : { spentMicros: null }) });
    // Each of the others would be told the same.
    if (failure.class === "stop-part")
      await this.#tools.control.failQueued(this.#job, failure.reason);
    return false;
  }

  /** Fails a job of which nothing is under way, and nothing to be settled unless it was asked. */
  async refused(reason: string): Promise<false> {
    const spentMicros = this.#job.sent === 0 ? 0 : null;
    await this.#note({ state: "failed", reason, spentMicros });
    return false;
  }

  /** Fails a job whose vendor may have billed more than is known. */
  async cutOff(reason: string): Promise<false> {
    await this.#note({ state: "failed", reason, spentMicros: null });
    return false;
  }

  /** Gives the job to another worker. */
  async released(): Promise<false> {
    await this.#tools.control.releaseJob(this.#job, this.#tools.clock.now());
    return false;
  }

  async #note(outcome: Outcome): Promise<void> {
    const { control, counts } = this.#tools;
    if (!(await control.noteOutcome(this.#job, outcome))) return;
    const { provider, vendor } = this.#job;
    counts.job({ provider, result: outcome.state === "queued" ? "retried" : outcome.state });
    counts.spent(vendor, outcome.spentMicros ?? 0);
  }
}

function settledOf({ micros, isAssumed }: JobCost) {
  return { spentMicros: micros, assumedMicros: isAssumed ? micros : 0 };
}

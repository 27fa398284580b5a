import type { LeasedJob } from "../control/collection-store.ts";
import type { Adapter, AskedQuestion, Usage } from "./adapter.ts";
import type { KeptExchange } from "./kept-exchanges.ts";
import type { Prices } from "./prices/prices.ts";
import { noUsage } from "./providers/collected-answer.ts";
import { isSuccess } from "./reply-kinds.ts";

/** What replies used, and of which model, as far as they tell. */
export interface Used {
  readonly usage: Usage;
  readonly model?: string | null | undefined;
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
  readonly #prices: Pick<Prices, "costOf">;
  readonly #adapter: Adapter;
  readonly #job: LeasedJob;
  readonly #question: AskedQuestion;

  constructor(
    { prices, adapter }: { readonly prices: Pick<Prices, "costOf">; readonly adapter: Adapter },
    job: LeasedJob,
    question: AskedQuestion,
  ) {
    this.#prices = prices;
    this.#adapter = adapter;
    this.#job = job;
    this.#question = question;
  }

  /** What was used since the last outcome: exchanges of earlier attempts were settled by theirs. */
  sinceSettled(used: Used, exchanges: readonly KeptExchange[]): number {
    const settled = exchanges.filter(({ attempt }) => attempt < this.#job.attempts);
    const all = this.#microsOf(used);
    if (settled.length === 0) return all;
    const earlier = { usage: this.usedBy(settled), model: used.model };
    return Math.max(0, all - this.#microsOf(earlier));
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
  isTold(usage: Usage, exchanges: readonly KeptExchange[]): boolean {
    const last = exchanges.findLastIndex(
      ({ request, reply }) => request.isPaid && isSuccess(reply),
    );
    if (last === -1) return true;
    if (!usage.isTold) return false;
    return JSON.stringify(this.usedBy(exchanges.slice(0, last))) !== JSON.stringify(usage);
  }

  #microsOf({ usage, model = null }: Used): number {
    const { vendor, provider, model: wanted } = this.#job;
    const asked = { vendor, provider, model: model ?? wanted };
    return this.#prices.costOf(usage, asked).amountMicros;
  }
}

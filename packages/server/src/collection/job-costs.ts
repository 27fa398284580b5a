import type { Adapter, AskedQuestion, Usage } from "./adapter.ts";
import type { KeptExchange } from "./kept-exchanges.ts";
import type { Cost, PricedQuestion, Prices } from "./prices/prices.ts";
import { isSuccess } from "./reply-kinds.ts";
import type { LeasedJob, RequestCost } from "./store/collection-store.ts";
import { noUsage } from "./vendors/collected-answer.ts";

/** What replies used, and of which model, as far as they tell. */
export interface Used {
  readonly usage: Usage;
  readonly model?: string | null | undefined;
}

/** What replies cost, in millionths of a dollar. */
export interface JobCost {
  readonly micros: number;
  /** Whether nobody told: the usage is an expected one, or the price that of another model. */
  readonly isAssumed: boolean;
}

/** The prices that jobs are settled and reserved by. */
export type JobPrices = Pick<Prices, "costOf" | "reserveMicrosOf" | "expectedMicrosOf">;

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
  readonly #question: AskedQuestion;

  constructor(
    { prices, adapter }: { readonly prices: JobPrices; readonly adapter: Adapter },
    job: LeasedJob,
    question: AskedQuestion,
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
    if (used.usage.isTold || used.usage.cost !== null || !isBilled) {
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
  isTold(usage: Usage, exchanges: readonly KeptExchange[]): boolean {
    const last = exchanges.findLastIndex(
      ({ request, reply }) => request.isPaid && isSuccess(reply),
    );
    if (last === -1) return true;
    if (!usage.isTold) return false;
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

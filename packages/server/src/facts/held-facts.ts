import { dayMs } from "../analytics/buckets.ts";
import { heldSums, type SumsShape } from "../analytics/held-rollup.ts";
import { type Instants, indexSums, selectAnswers } from "../analytics/index-sums.ts";
import type { PlanPart, PlanUsed, TimeSeriesPlan } from "../analytics/plan.ts";
import type { IndexRefusal } from "../analytics/rollups.ts";
import type { HeldBudget } from "./held-budget.ts";
import type { HeldDaily, HeldRollup } from "./held-daily.ts";
import type { HeldIndex, PromptIndex } from "./held-index.ts";

/**
 * The most answers that a question has looked at in the index: some 10 ms of one thread. The
 * rollups have fewer rows by then.
 */
const answersMax = 500_000;

/** What a question is asked with. */
export interface Asking {
  readonly shape: SumsShape;
  /** Of the facts when the question came. */
  readonly version: number;
  readonly signal: AbortSignal;
}

/** Sums as `SeriesFacts` has them; null: the engine must be asked. `used` says what was looked at. */
export interface HeldSums {
  readonly sums: readonly Float64Array[] | null;
  readonly used: PlanUsed;
}

/** What of one account's facts is held in memory, and answers most time series. */
export class HeldFacts {
  readonly #budget: HeldBudget;
  readonly #daily: HeldDaily;
  readonly #index: PromptIndex;

  constructor(budget: HeldBudget, daily: HeldDaily, index: PromptIndex) {
    this.#budget = budget;
    this.#daily = daily;
    this.#index = index;
  }

  async sums(plan: TimeSeriesPlan, { shape, version, signal }: Asking): Promise<HeldSums> {
    const { rollup, refused } = plan.choice;
    const name = rollup ?? "appearances";
    const answered = (sums: readonly Float64Array[]): HeldSums => {
      return { sums, used: { name, refused } };
    };
    if (this.#budget.bytesMax === 0) return { sums: null, used: { name, refused } };
    const daily = rollup === "daily" ? await this.#daily.current(version, signal) : null;
    if (daily !== null && plan.rows.parts.length === 1) {
      return answered(heldSums(daily.segments, plan, shape));
    }
    const index = this.#index.current();
    if (index === null) return { sums: null, used: { name, refused: [...refused, notHeld] } };
    if (daily !== null && daily.watermark === index.watermark) {
      return answered(await dayByDay({ daily, index }, plan, { shape, signal }));
    }
    const instants = instantsOf(plan.rows.parts);
    const selection = selectAnswers(index.segments, plan.rows.conditions, instants);
    if (selection.answers > answersMax) {
      return { sums: null, used: { name, refused: [...refused, manyAnswers] } };
    }
    const sums = await indexSums(selection, { plan, instants, signal }, shape);
    return { sums, used: { name: "prompt_index", refused, answers: selection.answers } };
  }

  /** Lets go of all of it. */
  forget(): void {
    this.#daily.forget();
    this.#index.forget();
  }
}

const notHeld: IndexRefusal = { rollup: "prompt_index", reason: "not_held" };
const manyAnswers: IndexRefusal = { rollup: "prompt_index", reason: "many_answers" };

/** Whole days from the rollup, and the ends from the rows: both are of the same answers. */
async function dayByDay(
  { daily, index }: { readonly daily: HeldRollup; readonly index: HeldIndex },
  plan: TimeSeriesPlan,
  { shape, signal }: Pick<Asking, "shape" | "signal">,
): Promise<readonly Float64Array[]> {
  const sums = heldSums(daily.segments, plan, shape);
  for (const part of plan.rows.parts) {
    if (part.by === "day") continue;
    const instants = instantsOf([part]);
    const selection = selectAnswers(index.segments, plan.rows.conditions, instants);
    const ends = await indexSums(selection, { plan, instants, signal }, shape);
    for (const [measure, sum] of sums.entries()) {
      for (let place = 0; place < sum.length; place++) {
        sum[place] = (sum[place] ?? 0) + (ends[measure]?.[place] ?? 0);
      }
    }
  }
  return sums;
}

/** Parts lie one after another: all that they are of, from the first to the last. */
function instantsOf(parts: readonly PlanPart[]): Instants {
  const ms = ({ by }: PlanPart, value: number) => (by === "day" ? value * dayMs : value);
  return {
    fromMs: Math.min(...parts.map((part) => ms(part, part.from))),
    toMs: Math.max(...parts.map((part) => ms(part, part.to))),
  };
}

import { dayMs } from "../analytics/buckets.ts";
import { heldSums, type SumsShape } from "../analytics/held-rollup.ts";
import { type PromptTraits, selectPrompts, wantedPrompts } from "../analytics/index-selection.ts";
import type { Pause } from "../analytics/index-stretches.ts";
import { indexSums } from "../analytics/index-sums.ts";
import { endsWork, indexWork } from "../analytics/index-work.ts";
import { type Instants, instantsOf, nearestDays } from "../analytics/instants.ts";
import type { PlanUsed, TimeSeriesPlan } from "../analytics/plan.ts";
import type { AppearanceSegment, CitationSegment } from "../analytics/prompt-index.ts";
import type { FactsFile } from "./duckdb/facts-file.ts";
import type { HeldBudget } from "./held-budget.ts";
import { HeldDaily, type HeldRollup } from "./held-daily.ts";
import {
  answersMax,
  type FactsAccess,
  type HeldIndex,
  type IndexTools,
  manyAnswers,
  notHeld,
  PromptIndex,
} from "./held-index.ts";
import { indexedAppearances, indexedCitations } from "./indexing.ts";
import { betweenTurns } from "./turns.ts";

/** What a question is asked with. */
export interface Asking {
  readonly shape: SumsShape;
  readonly traits: PromptTraits;
  /** Of the facts when the question came. */
  readonly version: number;
  readonly signal: AbortSignal;
}

/** Sums as `SeriesFacts` has them; null: the engine must be asked. */
export interface HeldSums {
  readonly sums: readonly Float64Array[] | null;
  readonly used: PlanUsed;
}

/** What of one account's facts is held in memory. */
export interface Holders {
  readonly daily: HeldDaily;
  readonly appearances: PromptIndex<AppearanceSegment>;
  readonly citations: PromptIndex<CitationSegment>;
}

/** Holders of the facts in a file; they read when they are asked. */
export function holdersOf(file: FactsFile, tools: IndexTools): Holders {
  return {
    daily: new HeldDaily(file, tools.budget),
    appearances: new PromptIndex(indexedAppearances, tools),
    citations: new PromptIndex(indexedCitations, tools),
  };
}

/** Answers most time series from what is held in memory. */
export class HeldFacts {
  readonly #budget: HeldBudget;
  readonly #holders: Holders;

  constructor(budget: HeldBudget, holders: Holders) {
    this.#budget = budget;
    this.#holders = holders;
  }

  async sums(plan: TimeSeriesPlan, asking: Asking): Promise<HeldSums> {
    const { shape, traits, version, signal } = asking;
    const { rollup, refused } = plan.choice;
    const name = rollup ?? "appearances";
    const answered = (sums: readonly Float64Array[]): HeldSums => {
      return { sums, used: { name, refused } };
    };
    if (this.#budget.bytesMax === 0) return { sums: null, used: { name, refused } };
    const daily = rollup === "daily" ? await this.#holders.daily.current(version, signal) : null;
    if (daily !== null && plan.rows.parts.length === 1) {
      return answered(heldSums(daily.segments, plan, shape));
    }
    const index = this.#holders.appearances.current();
    const pause = betweenTurns(signal);
    if (index === null) return { sums: null, used: { name, refused: [...refused, notHeld] } };
    if (daily !== null && daily.watermark === index.watermark) {
      return answered(await dayByDay({ daily, index }, plan, { ...asking, pause }));
    }
    const instants = instantsOf(plan.rows.parts);
    const prompts = wantedPrompts(plan.rows.conditions, traits);
    const work = indexWork(selectPrompts(index.segments, prompts, instants), plan);
    if (work.answers > answersMax) {
      return { sums: null, used: { name, refused: [...refused, manyAnswers] } };
    }
    const sums = await indexSums(work, { plan, pause }, shape);
    return { sums, used: { name: "prompt_index", refused, answers: work.answers } };
  }

  /** See PromptIndex.refresh. What fails here shows when the engine is asked. */
  async refresh(facts: FactsAccess, signal: AbortSignal): Promise<void> {
    const { daily, appearances, citations } = this.#holders;
    await Promise.allSettled([
      daily.refresh(facts.version(), signal),
      appearances.refresh(facts, signal),
      citations.refresh(facts, signal),
    ]);
  }

  /** Lets go of all of it. */
  forget(): void {
    for (const holder of Object.values(this.#holders)) holder.forget();
  }
}

/** Whole days from the rollup, and the ends from the rows: both are of the same answers. */
async function dayByDay(
  { daily, index }: { readonly daily: HeldRollup; readonly index: HeldIndex<AppearanceSegment> },
  plan: TimeSeriesPlan,
  { shape, traits, pause }: Asking & { readonly pause: Pause },
): Promise<readonly Float64Array[]> {
  const prompts = wantedPrompts(plan.rows.conditions, traits);
  const { days, lacking, extra } = nearestDays(instantsOf(plan.rows.parts));
  const answersOf = (ends: readonly Instants[]) =>
    ends.flatMap((instants) => selectPrompts(index.segments, prompts, instants));
  const ends = endsWork(answersOf(lacking), answersOf(extra));
  const amounts = await indexSums(ends, { plan, pause }, shape);
  const sums = heldSums(daily.segments, ofDays(plan, days), shape);
  for (const [measure, sum] of sums.entries()) {
    const more = amounts[measure] ?? [];
    for (let place = 0; place < sum.length; place++) {
      sum[place] = (sum[place] ?? 0) + (more[place] ?? 0);
    }
  }
  return sums;
}

/** The plan, of the rollup's days alone. */
function ofDays(plan: TimeSeriesPlan, days: Instants | null): TimeSeriesPlan {
  const { parts, conditions } = plan.rows;
  const [part] = parts.filter(({ by }) => by === "day");
  if (part === undefined || days === null) return { ...plan, rows: { parts: [], conditions } };
  const [from, to] = [days.fromMs / dayMs, days.toMs / dayMs];
  return { ...plan, rows: { parts: [{ ...part, from, to }], conditions } };
}

import {
  effectivePromptsMin,
  type InsightsPlanResponse,
  type Provider,
  plannedAnswers,
  plannedChangeUnlessSaid,
  rangeBefore,
} from "@sightline/contract";
import { providerCode, providersOf } from "../facts/codes.ts";
import type { PromptSums } from "../facts/plan/insight-plans.ts";
import type { PlanUsed } from "../facts/plan/plan.ts";
import type { PlanQuestion } from "../facts/plan/question.ts";
import { emptyPart } from "./account-views.ts";
import {
  factsPart,
  type Measured,
  type Reading,
  readSide,
  readSums,
  type SummarySide,
} from "./reading.ts";
import { type PairedVariance, pairedVariance } from "./statistics/change.ts";
import { type Cluster, clusterMoments } from "./statistics/moments.ts";
import {
  assumedVariation,
  harmonicMean,
  leastChange,
  leastChangeOf,
  promptsFor,
  promptsForVariance,
  type Variation,
  variationOf,
} from "./statistics/planner.ts";
import { groupCounts } from "./summary/group-counts.ts";
import { clusterOf, scaleOf } from "./summary/summary-metrics.ts";

/** What the facts say to a plan. */
export interface PlanFacts {
  readonly before: SummarySide;
  readonly after: SummarySide;
  /** The later side's answers, grouped by provider. */
  readonly providers: readonly PromptSums[];
  /** Null: the entity is not tracked. */
  readonly entity: number | null;
  readonly used: PlanUsed;
}

/** What an answer of a provider costs, in US dollars. */
export type AnswerPrices = ReadonlyMap<Provider, number>;

/** The most bytes that a reply takes. */
export const planBytesMax = 10_000;

/** What the facts say to a plan. */
export async function readPlan(reading: Reading, question: PlanQuestion): Promise<PlanFacts> {
  const { selection, entityId } = question;
  const place = reading.view.entities.findIndex(({ id }) => id === entityId);
  const entity = place < 0 ? null : place + 1;
  const listed = entity === null ? [] : [entity];
  const of = { groupBy: null, listed, byWeek: false, withPortrayal: false };
  const earlier = { ...selection, ...rangeBefore(selection) };
  const before = await readSide(reading, earlier, of);
  const after = await readSide(reading, selection, of);
  const byProvider = { ...of, groupBy: "provider" as const, listed: [] };
  const providers = await readSums(reading, selection, byProvider);
  return { before, after, providers, entity, used: { name: "appearances", refused: [] } };
}

/** The reply to a plan, as JSON. It can be paused after some sums. */
export function* planJson(
  question: PlanQuestion,
  facts: Measured<PlanFacts>,
  prices: AnswerPrices,
): Generator<void, Buffer, void> {
  const { metric, power, answersPerPrompt } = question;
  const [first, second] = [
    yield* promptClusters(facts.before, facts, metric),
    yield* promptClusters(facts.after, facts, metric),
  ];
  const variation = variationFor(question, first, second);
  const change = question.change ?? plannedChangeUnlessSaid[scaleOf(metric)];
  const shares = providerShares(facts.providers, prices);
  const prompts = new Set(facts.after.sums.map(({ prompt }) => prompt)).size;
  const plan: Planning = {
    variation,
    paired: variation === null ? pairedVariance(first, second) : null,
    change,
    power,
    prompts,
    price: meanPrice(shares),
  };
  const options = (answersPerPrompt === null ? plannedAnswers : [answersPerPrompt]).map((each) =>
    optionOf(plan, each),
  );
  // A price is the same for all, so that the fewest requests cost least.
  const least = Math.min(...options.map(({ requests }) => requests ?? Number.POSITIVE_INFINITY));
  const reply: InsightsPlanResponse = {
    metric,
    rate: variation?.rate ?? ratioOf([...first.values(), ...second.values()]),
    withinVariance: variation?.withinVariance ?? null,
    correlation: variation?.correlation ?? null,
    drift: variation?.drift ?? null,
    assumed: variation?.isAssumed ?? false,
    change,
    power,
    prompts,
    now: nowPart(plan, second),
    windows: [rangeBefore(question.selection), question.selection].map(({ fromMs, toMs }) => {
      return { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
    }),
    prices: shares,
    options: options.map((option) => {
      return { ...option, isCheapest: variation !== null && option.requests === least };
    }),
    empty: emptyPart(facts.after.empty),
    ...factsPart(facts.measured?.own),
  };
  return Buffer.from(JSON.stringify(reply));
}

/** What each prompt adds to the value. */
function* promptClusters(
  { sums }: SummarySide,
  { entity }: PlanFacts,
  metric: PlanQuestion["metric"],
): Generator<void, ReadonlyMap<number, Cluster>, void> {
  if (entity === null) return new Map();
  const prompts = (yield* groupCounts(sums)).get(0) ?? new Map();
  return new Map(
    [...prompts].map(([prompt, counts]) => [prompt, clusterOf(metric, entity, counts)]),
  );
}

/** How rates vary, or are assumed to; null: of ranks and shares, or nothing was measured. */
function variationFor(
  { metric, rate, correlation }: PlanQuestion,
  before: ReadonlyMap<number, Cluster>,
  after: ReadonlyMap<number, Cluster>,
): Variation | null {
  if (metric === "rank" || metric === "shareOfVoice") return null;
  if (rate !== null) return assumedVariation(rate, correlation ?? undefined);
  const measured = variationOf(before, after);
  if (measured === null || correlation === null) return measured;
  return { ...assumedVariation(measured.rate, correlation), drift: measured.drift };
}

/** What the options of a plan have in common. */
interface Planning {
  readonly variation: Variation | null;
  /** Of ranks and shares. */
  readonly paired: PairedVariance | null;
  readonly change: number;
  readonly power: number;
  /** Those of today. */
  readonly prompts: number;
  /** US dollars an answer; null: not known. */
  readonly price: number | null;
}

type Option = Omit<InsightsPlanResponse["options"][number], "isCheapest">;

function optionOf(plan: Planning, answersPerPrompt: number): Option {
  const prompts = promptsOf(plan, answersPerPrompt);
  const requests = prompts === null ? null : prompts * answersPerPrompt;
  const cost = requests === null || plan.price === null ? null : requests * plan.price;
  return {
    answersPerPrompt,
    prompts,
    requests,
    cost,
    leastChange: plan.prompts < effectivePromptsMin ? null : leastOf(plan, answersPerPrompt),
  };
}

/** What today's prompts show with the answers that they have. */
function nowPart(
  plan: Planning,
  window: ReadonlyMap<number, Cluster>,
): InsightsPlanResponse["now"] {
  const answered = [...window.values()].filter(({ denominator }) => denominator > 0);
  const isFew = plan.prompts < effectivePromptsMin;
  if (plan.variation === null || answered.length === 0) {
    return { answersPerPrompt: null, leastChange: isFew ? null : leastOf(plan, 1) };
  }
  const answersPerPrompt = harmonicMean(answered);
  return { answersPerPrompt, leastChange: isFew ? null : leastOf(plan, answersPerPrompt) };
}

function promptsOf(
  { variation, paired, change, power }: Planning,
  answersPerPrompt: number,
): number | null {
  if (variation !== null) return promptsFor(variation, { answersPerPrompt, change, power });
  if (paired === null) return null;
  return promptsForVariance(paired.variance * paired.effectivePrompts, { change, power });
}

function leastOf(
  { variation, paired, prompts, power }: Planning,
  answersPerPrompt: number,
): number | null {
  if (variation !== null) return leastChange(variation, { answersPerPrompt, prompts, power });
  if (paired === null) return null;
  return leastChangeOf(paired.variance * paired.effectivePrompts, prompts, power);
}

/** The providers of a side's answers, with their shares and what an answer costs. */
function providerShares(sums: readonly PromptSums[], prices: AnswerPrices) {
  const answers = new Map<number, number>();
  let all = 0;
  for (const { entity, group: provider, mentioned } of sums) {
    if (entity !== 0) continue;
    answers.set(provider, (answers.get(provider) ?? 0) + mentioned);
    all += mentioned;
  }
  return providersOf(new Set(answers.keys())).map((provider) => {
    const share = (answers.get(providerCode(provider)) ?? 0) / all;
    return { provider, share, cost: prices.get(provider) ?? null };
  });
}

function meanPrice(shares: ReturnType<typeof providerShares>): number | null {
  let sum = 0;
  for (const { share, cost } of shares) {
    if (cost === null) return null;
    sum += share * cost;
  }
  return shares.length === 0 ? null : sum;
}

function ratioOf(clusters: readonly Cluster[]): number | null {
  const { numerator, denominator } = clusterMoments(clusters);
  return denominator === 0 ? null : numerator / denominator;
}

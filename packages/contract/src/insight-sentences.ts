import type { InsightsPlanResponse } from "./insights-plan.ts";
import type { InsightsSummaryResponse } from "./insights-summary.ts";
import type { PortrayalFlag } from "./portrayal.ts";

type Metric = InsightsPlanResponse["metric"] | PortrayalFlag;

/**
 * What a plan says, in a few sentences: what shows the change, what today's prompts show, and from
 * where more answers a prompt buy nothing. None where the period has no answers, unless a rate is
 * given.
 */
export function planSentences(plan: InsightsPlanResponse): readonly string[] {
  // A rate that was given can be planned for before there are answers.
  if (plan.empty !== null && plan.withinVariance === null) return [];
  if (isUnmeasured(plan)) {
    return ["Too few answers of this period and the one before it have a value to plan from."];
  }
  return [neededText(plan), todayText(plan), enoughText(plan), assumedText(plan)].filter(
    (each) => each !== null,
  );
}

/** Whether the account says nothing that a plan could go by. */
function isUnmeasured({ withinVariance, options }: InsightsPlanResponse): boolean {
  const isBlank = options.every(({ prompts, leastChange }) => prompts === null && !leastChange);
  return withinVariance === null && isBlank;
}

/** The size of a change in words: 5 points, or 0.5 places of a rank. */
export function sizeText(metric: Metric, change: number): string {
  const [number, noun] = metric === "rank" ? [change, "place"] : [change * 100, "point"];
  const short = numberText(number, metric === "rank" ? 2 : 1);
  // What is not nothing is not shown as 0.
  const text = short === "0" ? number.toLocaleString("en-GB", oneDigit) : short;
  return `${text} ${noun}${text === "1" ? "" : "s"}`;
}

const oneDigit = { maximumSignificantDigits: 1 } as const;

type Trend = NonNullable<InsightsSummaryResponse["groups"][number]["informative"]["trend"]>;

/**
 * What a trend comes to, in a few words without a full stop: rises by 0.4 points a week over 8
 * weeks. A direction is said of a clear trend alone.
 * @param trend null: there are too few weeks.
 */
export function trendText(metric: Metric, trend: Trend | null): string {
  if (trend === null) return "no trend: too few whole weeks with the same prompts and models";
  const { slope, weeks, verdict } = trend;
  if (verdict === "insufficient") return "no trend: too few effective prompts";
  if (verdict !== "moved") return `no clear trend over ${weeks} weeks`;
  // Of ranks less is better, so that "rises" could be read both ways.
  const [more, less] = metric === "rank" ? ["worsens", "improves"] : ["rises", "falls"];
  const size = sizeText(metric, Math.abs(slope));
  return `${slope < 0 ? less : more} by ${size} a week over ${weeks} weeks, clear`;
}

/** A cost in US dollars, to a cent; less than a cent to two digits. */
export function planCostText(cost: number): string {
  const cents = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  const digits = cost > 0 && cost < 0.01 ? { maximumSignificantDigits: 2 } : cents;
  return `$${cost.toLocaleString("en-GB", digits)}`;
}

/**
 * The ways to see a change that can be told apart. None for ranks and shares of voice: their plan
 * goes by the last change, with as many answers a prompt as it had.
 */
export function plannedOptions({
  withinVariance,
  options,
}: InsightsPlanResponse): InsightsPlanResponse["options"] {
  return withinVariance === null ? [] : options;
}

function neededText(plan: InsightsPlanResponse): string {
  const { metric, change, power, options } = plan;
  const wanted = `To see a change of ${sizeText(metric, change)}`;
  // Of ranks and shares of voice none is the cheapest, and all have as many prompts.
  const cheapest = options.find(({ isCheapest }) => isCheapest) ?? options[0];
  if (cheapest?.prompts == null || cheapest.requests === null) {
    return `${wanted}, more than a million prompts are needed.`;
  }
  const { prompts, answersPerPrompt, requests, cost } = cheapest;
  const probably = `with a probability of ${numberText(power * 100, 1)} %`;
  const period = "in a period as long as this one";
  if (plannedOptions(plan).length === 0) {
    const same = "with as many answers each as today";
    return `${wanted} ${probably}, you need ${counted(prompts, "prompt")} ${same}, ${period}.`;
  }
  const how = `${counted(prompts, "prompt")} with ${counted(answersPerPrompt, "answer")} each`;
  const price = cost === null ? "" : `, for ${planCostText(cost)}`;
  const sum = counted(requests, "answer");
  return `${wanted} ${probably}, you need ${how} ${period}: ${sum}${price}.`;
}

function todayText({ metric, prompts, now }: InsightsPlanResponse): string {
  const today = `Today's ${counted(prompts, "prompt")}`;
  const { answersPerPrompt, leastChange } = now;
  if (leastChange === null) {
    return `${today} ${prompts === 1 ? "is" : "are"} too few to show any change: it takes 6.`;
  }
  // No rate or share changes by more than all of it.
  const isNone = metric !== "rank" && leastChange > 1;
  const least = isNone ? "no change" : `a change of ${sizeText(metric, leastChange)} or more`;
  return `${today}${eachText(answersPerPrompt)} show ${least}.`;
}

function eachText(answers: number | null): string {
  if (answers === null) return "";
  const text = numberText(answers, answers < 10 ? 1 : 0);
  return `, with ${text} ${text === "1" ? "answer" : "answers"} each,`;
}

/** More answers buy almost nothing where all of them would save at most a tenth of the prompts. */
const savedLeast = 0.1;

/** From how many answers a prompt more of them buy almost nothing; null: nowhere in the options. */
function enoughText(plan: InsightsPlanResponse): string | null {
  const options = plannedOptions(plan);
  if (options.length === 0) {
    return "What more answers a prompt buy is not known: this plan goes by the last change.";
  }
  const last = options.at(-1);
  const least = last?.prompts ?? null;
  if (last === undefined || least === null) return null;
  const enough = options.find(({ prompts }) => {
    return prompts !== null && prompts - least <= savedLeast * prompts;
  });
  if (enough === undefined || enough === last) return null;
  const { answersPerPrompt, prompts } = enough;
  const more = `More than ${counted(answersPerPrompt, "answer")} a prompt`;
  const buy = answersPerPrompt === 1 ? "buys" : "buy";
  return prompts === least
    ? `${more} ${buy} nothing: as many prompts are needed.`
    : `${more} ${buy} almost nothing: with ${last.answersPerPrompt} it still takes ` +
        `${numberText(least)} prompts instead of ${numberText(prompts ?? 0)}.`;
}

function assumedText({ assumed, correlation }: InsightsPlanResponse): string | null {
  if (!assumed || correlation === null) return null;
  return `How alike answers to a prompt are (${correlation.toFixed(2)}) is assumed, not measured.`;
}

function counted(count: number, noun: string): string {
  return `${numberText(count)} ${noun}${count === 1 ? "" : "s"}`;
}

function numberText(number: number, digits = 0): string {
  return number.toLocaleString("en-GB", { maximumFractionDigits: digits });
}

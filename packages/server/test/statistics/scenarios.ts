import type { Day, Side } from "../../src/questions/statistics/change.ts";
import type { Scale } from "../../src/questions/statistics/estimates.ts";
import type { LabelledCluster } from "../../src/questions/statistics/rectified.ts";
import { type Cell, sideOf } from "../../src/questions/statistics/vectors.ts";
import { beta, type Random } from "./draws.ts";

/** What a scenario counts: how often a change was called moved, or an interval held the value. */
type Outcome = "errors" | "power" | "coverage" | "untested";

/** Answers that extraction errs about, some of which are labelled. */
export interface LabelledScenario {
  readonly name: string;
  readonly runs: number;
  /** The least coverage of the interval by labels, and the most of the plain one. */
  readonly allowed: number;
  readonly plainMost: number;
  /** The value that the answers come from. */
  readonly truth: number;
  readonly draw: (random: Random) => readonly LabelledCluster[];
}

/** How many answers there are, and how extraction errs about them. */
export interface Labelled {
  readonly prompts: number;
  /** Of each prompt, or of one at a place. */
  readonly answers: number | ((prompt: number) => number);
  readonly rate: number;
  readonly icc: number;
  /** Shares of hits that it misses, and of misses that it counts: of prompts, by correlation. */
  readonly missed: number;
  readonly wrong: number;
  readonly errorIcc: number;
  /** Answers that are labelled, at random. */
  readonly labels: number;
  /** Whether each prompt is as likely to be drawn as another, and not each answer. */
  readonly byPrompt?: boolean;
}

/** Draws answers, what extraction makes of them, and labels of some. */
export function drawLabelled(random: Random, of: Labelled): readonly LabelledCluster[] {
  const { prompts, rate, icc, errorIcc } = of;
  const rates = (mean: number, correlation: number) =>
    mean === 0
      ? Array.from({ length: prompts }, () => 0)
      : promptRates(random, { prompts, rate: mean, icc: correlation });
  const [hits, missed, wrong] = [
    rates(rate, icc),
    rates(of.missed, errorIcc),
    rates(of.wrong, errorIcc),
  ];
  const sizes = hits.map((_, prompt) => {
    return typeof of.answers === "number" ? of.answers : of.answers(prompt);
  });
  const answers = hits.flatMap((own, prompt) =>
    Array.from({ length: sizes[prompt] ?? 0 }, () => {
      const isHit = random() < own;
      const isWrong = random() < ((isHit ? missed : wrong)[prompt] ?? 0);
      return { prompt, isHit, isFound: isHit !== isWrong };
    }),
  );
  const clusters = sizes.map((size) => {
    return { answers: size, hits: 0, labelled: 0, missed: 0, wrong: 0 };
  });
  const order = answers.map((answer) => ({ ...answer, at: random() }));
  order.sort((a, b) => a.at - b.at);
  if (of.byPrompt === true) {
    const rounds = hits.map(() => 0);
    const roundOf = ({ prompt }: { readonly prompt: number }) => {
      const round = rounds[prompt] ?? 0;
      rounds[prompt] = round + 1;
      return round;
    };
    const placed = order.map((answer) => ({ ...answer, round: roundOf(answer), at: random() }));
    order.splice(0, order.length, ...placed.sort((a, b) => a.round - b.round || a.at - b.at));
  }
  for (const [place, { prompt, isHit, isFound }] of order.entries()) {
    const own = clusters[prompt];
    if (own === undefined) continue;
    own.hits += Number(isFound);
    if (place >= of.labels) continue;
    own.labelled += 1;
    own.missed += Number(isHit && !isFound);
    own.wrong += Number(!isHit && isFound);
  }
  return clusters;
}

/** A scenario of the table in the guide: how answers come about, and what is allowed. */
export interface StatisticsScenario {
  readonly name: string;
  readonly outcome: Outcome;
  readonly runs: number;
  readonly scale: Scale;
  /** The most errors, or the least power or coverage: a fraction. */
  readonly allowed: number;
  /** Two windows; or one, and the value that its answers come from. */
  readonly draw: (random: Random) => {
    readonly before: Side;
    readonly after: Side;
    readonly truth: number;
  };
}

/** How likely each prompt is a hit: a beta distribution of a mean and an intraclass correlation. */
export function promptRates(
  random: Random,
  { prompts, rate, icc }: { readonly prompts: number; readonly rate: number; readonly icc: number },
): readonly number[] {
  const size = 1 / icc - 1;
  return Array.from({ length: prompts }, () => beta(random, rate * size, (1 - rate) * size));
}

/** How answers of one window come about. */
export interface Window {
  /** How likely an answer is a hit. */
  readonly rateOf: (prompt: number, pair: number, day: number) => number;
  /** Whether there is an answer. */
  readonly has?: (prompt: number, pair: number, day: number) => boolean;
  readonly prompts: number;
  readonly pairs: number;
  readonly days: number;
}

/** Draws the answers of a window: one a prompt, pair and day. */
export function drawSide(
  random: Random,
  { rateOf, has = () => true, prompts, pairs, days }: Window,
): Side {
  const cells: { -readonly [Name in keyof Cell]: Cell[Name] }[] = [];
  const byDay: { -readonly [Name in keyof Day]: Day[Name] }[] = Array.from(
    { length: days },
    () => ({ numerator: 0, denominator: 0, prompts: 0 }),
  );
  let answered = 0;
  for (let prompt = 0; prompt < prompts; prompt += 1) {
    const own = Array.from({ length: pairs }, (_, pair) => {
      return { prompt, pair, numerator: 0, denominator: 0 };
    });
    for (const [day, sums] of byDay.entries()) {
      let isAsked = false;
      for (const cell of own) {
        if (!has(prompt, cell.pair, day)) continue;
        const hit = Number(random() < rateOf(prompt, cell.pair, day));
        isAsked = true;
        cell.numerator += hit;
        cell.denominator += 1;
        sums.numerator += hit;
        sums.denominator += 1;
      }
      sums.prompts += Number(isAsked);
    }
    const kept = own.filter(({ denominator }) => denominator > 0);
    cells.push(...kept);
    answered += Number(kept.length > 0);
  }
  const asked = byDay.filter((day) => day.denominator > 0);
  return { ...sideOf(cells, asked), prompts: answered };
}

/** Ranks 1 + Bin(6, q) of some mentions a prompt; other prompts never mention the entity. */
export function drawRanks(
  random: Random,
  {
    rates,
    mentions,
    shift = 0,
    days = 7,
  }: {
    readonly rates: readonly number[];
    readonly mentions: number;
    readonly shift?: number;
    readonly days?: number;
  },
): Side {
  const byDay = Array.from({ length: days }, () => {
    return { numerator: 0, denominator: 0, prompts: rates.length };
  });
  const cells = rates.map((rate, prompt) => {
    let numerator = 0;
    for (let mention = 0; mention < mentions; mention += 1) {
      let rank = 1;
      for (let place = 0; place < 6; place += 1) rank += Number(random() < rate + shift / 6);
      numerator += rank;
      const day = byDay[mention % days];
      if (day === undefined) continue;
      day.numerator += rank;
      day.denominator += 1;
    }
    return { prompt, pair: 0, numerator, denominator: mentions };
  });
  return { ...sideOf(cells, byDay), prompts: rates.length };
}

/** A beta distribution's mean rank. */
export const rankTruth = (rate: number) => 1 + 6 * rate;

import { seededRandom } from "@sightline/test-kit/seeded-random.ts";
import { normal, type Random } from "./draws.ts";
import {
  drawLabelled,
  drawRanks,
  drawSide,
  type Labelled,
  type LabelledScenario,
  promptRates,
  rankTruth,
  type StatisticsScenario,
} from "./scenarios.ts";

const week = { pairs: 1, days: 7 };

function ranks(mentioning: number, outcome: "errors" | "untested"): StatisticsScenario {
  return {
    name: `ranks, ${mentioning} of 30 prompts mention the entity, 12 mentions each`,
    outcome,
    runs: 4_000,
    scale: "rank",
    allowed: outcome === "untested" ? 0 : 0.065,
    draw: (random) => {
      const rates = promptRates(random, { prompts: mentioning, rate: 0.3, icc: 0.1 });
      const side = () => drawRanks(random, { rates, mentions: 12 });
      return { before: side(), after: side(), truth: 0 };
    },
  };
}

/** Rates of 48 prompts, all of one provider, seven answers a week. */
function rates(
  name: string,
  allowed: number,
  has: (side: number) => (prompt: number) => boolean,
): StatisticsScenario {
  return {
    name,
    outcome: "errors",
    runs: 4_000,
    scale: "rate",
    allowed,
    draw: (random) => {
      const own = promptRates(random, { prompts: 48, rate: 0.3, icc: 0.9 });
      const side = (number: number) =>
        drawSide(random, {
          ...week,
          rateOf: (prompt) => own[prompt] ?? 0,
          has: has(number),
          prompts: 48,
        });
      return { before: side(1), after: side(2), truth: 0 };
    },
  };
}

/** Eight providers, the first of which finds the brand in half of its answers, others in .2. */
function providers(
  name: string,
  has: (side: number, pair: number, day: number) => boolean,
): StatisticsScenario {
  return {
    name,
    outcome: "errors",
    runs: 800,
    scale: "rate",
    allowed: 0.025,
    draw: (random) => {
      const own = [0.5, 0.2].map((rate) => promptRates(random, { prompts: 48, rate, icc: 0.5 }));
      const side = (number: number) =>
        drawSide(random, {
          rateOf: (prompt, pair) => own[Math.min(pair, 1)]?.[prompt] ?? 0,
          has: (_, pair, day) => has(number, pair, day),
          prompts: 48,
          pairs: 8,
          days: 7,
        });
      return { before: side(1), after: side(2), truth: 0 };
    },
  };
}

function shocks(): StatisticsScenario {
  return {
    name: "all prompts share shocks of the day, 4.5 points in standard deviation",
    outcome: "errors",
    runs: 800,
    scale: "rate",
    allowed: 0.05,
    draw: (random) => {
      const own = promptRates(random, { prompts: 48, rate: 0.3, icc: 0.1 });
      const side = () => {
        const shock = Array.from({ length: 7 }, () => 0.045 * normal(random));
        const rateOf = (prompt: number, _: number, day: number) =>
          (own[prompt] ?? 0) + (shock[day] ?? 0);
        return drawSide(random, { pairs: 6, days: 7, rateOf, prompts: 48 });
      };
      return { before: side(), after: side(), truth: 0 };
    },
  };
}

function turning(): StatisticsScenario {
  return {
    name: "of 100 prompts, 10 % turn to 1",
    outcome: "power",
    runs: 4_000,
    scale: "rate",
    allowed: 0.81,
    draw: (random) => {
      const own = promptRates(random, { prompts: 100, rate: 0.3, icc: 0.9 });
      const side = (turned: number) =>
        drawSide(random, {
          ...week,
          rateOf: (prompt) => (prompt < turned ? 1 : (own[prompt] ?? 0)),
          prompts: 100,
        });
      return { before: side(0), after: side(10), truth: 0 };
    },
  };
}

function laterRanks(): StatisticsScenario {
  return {
    name: "ranks of 8 prompts, 14 mentions each, .6 places later",
    outcome: "power",
    runs: 4_000,
    scale: "rank",
    allowed: 0.84,
    draw: (random) => {
      const own = promptRates(random, { prompts: 8, rate: 0.3, icc: 0.1 });
      const side = (shift: number) => drawRanks(random, { rates: own, mentions: 14, shift });
      return { before: side(0), after: side(0.6), truth: 0 };
    },
  };
}

interface Covering {
  readonly prompts: number;
  readonly answers: number;
  readonly rate: number;
  readonly icc: number;
}

function coveredRate(name: string, allowed: number, of: Covering): StatisticsScenario {
  return {
    name,
    outcome: "coverage",
    runs: 4_000,
    scale: "rate",
    allowed,
    draw: (random) => {
      const own = promptRates(random, of);
      const rateOf = (prompt: number) => own[prompt] ?? 0;
      const { prompts, answers: days } = of;
      const side = drawSide(random, { pairs: 1, days, rateOf, prompts });
      return { before: side, after: side, truth: of.rate };
    },
  };
}

function coveredRank(name: string, allowed: number, of: Covering): StatisticsScenario {
  return {
    name,
    outcome: "coverage",
    runs: 4_000,
    scale: "rank",
    allowed,
    draw: (random) => {
      const own = promptRates(random, of);
      const side = drawRanks(random, { rates: own, mentions: of.answers });
      return { before: side, after: side, truth: rankTruth(of.rate) };
    },
  };
}

const half = (side: number) => (prompt: number) => prompt < 12 || prompt % 2 === side % 2;

/** The table of the guide. */
export const tableScenarios: readonly StatisticsScenario[] = [
  ...[1, 2, 3, 5].map((mentioning) => ranks(mentioning, "untested")),
  ...[6, 8, 10, 30].map((mentioning) => ranks(mentioning, "errors")),
  rates("rate .3 of 48 prompts", 0.06, () => () => true),
  rates("the same, half of the prompts on one side only", 0.06, half),
  providers("a provider fails on four of seven days", (side, pair, day) => {
    return side === 1 || pair > 0 || day >= 4;
  }),
  providers("a provider is new", (side, pair) => side === 2 || pair > 0),
  shocks(),
  turning(),
  laterRanks(),
  coveredRate("rate .03 of 30 prompts", 0.93, { prompts: 30, answers: 7, rate: 0.03, icc: 0.84 }),
  coveredRate("share .03 of a source, 50 prompts", 0.93, {
    prompts: 50,
    answers: 7,
    rate: 0.03,
    icc: 0.84,
  }),
  coveredRank("rank, 10 prompts, 14 mentions", 0.93, {
    prompts: 10,
    answers: 14,
    rate: 0.3,
    icc: 0.1,
  }),
];

/** Random scenarios in which nothing changes, and whose intervals should hold the value. */
export function gridScenarios(seed: number, count: number): readonly StatisticsScenario[] {
  const random = seededRandom(seed + 7);
  const among = <Item>(items: readonly [Item, ...Item[]]): Item =>
    items[Math.floor(random() * items.length)] ?? items[0];
  return Array.from({ length: count }, (_, place) => {
    const of = {
      prompts: among([8, 12, 20, 30, 48, 80, 120]),
      answers: among([5, 7, 14]),
      rate: among([0.02, 0.05, 0.1, 0.3, 0.5, 0.8]),
      icc: among([0.1, 0.3, 0.6, 0.9]),
    };
    const named = `${of.prompts} × ${of.answers}, rate ${of.rate}, correlation ${of.icc}`;
    if (place % 4 === 0) return coveredRate(named, 0.93, of);
    if (place % 4 === 1) {
      const ofRanks = { ...of, rate: among([0.1, 0.3, 0.5]) };
      const name = `ranks, ${of.prompts} × ${of.answers}, ${ofRanks.rate}, ${of.icc}`;
      return coveredRank(name, 0.9, ofRanks);
    }
    return unchanged(named, of);
  });
}

function unchanged(name: string, of: Covering): StatisticsScenario {
  return {
    name,
    outcome: "errors",
    runs: 4_000,
    scale: "rate",
    allowed: 0.06,
    draw: (random: Random) => {
      const own = promptRates(random, of);
      const rateOf = (prompt: number) => own[prompt] ?? 0;
      const { prompts, answers: days } = of;
      const side = () => drawSide(random, { pairs: 1, days, rateOf, prompts });
      return { before: side(), after: side(), truth: 0 };
    },
  };
}

function labelled(name: string, plainMost: number, of: Labelled): LabelledScenario {
  const draw = (random: Random) => drawLabelled(random, of);
  return { name, runs: 4_000, allowed: 0.93, plainMost, truth: of.rate, draw };
}

const missing: Labelled = {
  prompts: 100,
  answers: 7,
  rate: 0.5,
  icc: 0.3,
  missed: 0.1,
  wrong: 0,
  errorIcc: 0.3,
  labels: 200,
};

/** Rates that extraction errs about, by labels: 5 % of the answers unless said. */
export const labelledScenarios: readonly LabelledScenario[] = [
  labelled("rate .5, extraction misses 5 % of the answers, 200 of 700 labelled", 0.8, missing),
  labelled("the same, whole prompts at a time", 0.8, { ...missing, errorIcc: 0.95 }),
  labelled("the same, 60 labelled", 0.8, { ...missing, labels: 60 }),
  labelled("the same, all labelled", 0.8, { ...missing, labels: 700 }),
  labelled("12 prompts, 14 answers, 100 of 168 labelled", 1, {
    ...missing,
    prompts: 12,
    answers: 14,
    labels: 100,
  }),
  labelled("rate .3, misses 15 % of the hits evenly, correlation .9", 0.95, {
    ...missing,
    rate: 0.3,
    icc: 0.9,
    missed: 0.15,
    errorIcc: 0.02,
    labels: 350,
  }),
  labelled("rate .02, counts 5 % of the others: a common word", 0.1, {
    ...missing,
    rate: 0.02,
    missed: 0,
    wrong: 0.05,
  }),
  labelled("rate .3, misses and counts 5 % each", 1, {
    ...missing,
    rate: 0.3,
    missed: 0.05,
    wrong: 0.05,
  }),
  labelled("rate .3, no error", 1, { ...missing, rate: 0.3, missed: 0 }),
  labelled("200 of 700 labelled by prompt", 0.8, { ...missing, byPrompt: true }),
  labelled("prompts of 1 to 28 answers, 200 of some 1,450 labelled by prompt", 0.9, {
    ...missing,
    byPrompt: true,
    answers: (prompt) => 1 + (prompt % 28),
    errorIcc: 0.5,
  }),
];

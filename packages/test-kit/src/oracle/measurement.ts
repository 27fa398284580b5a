import { type Asked, promptsIn, providersInOrder } from "./compared.ts";
import type { OracleAccount } from "./model.ts";
import { answersThatCount, byCodeUnit, type Reading, read, seriesOrder } from "./oracle.ts";

const dayMs = 86_400_000;
const dayOf = (ms: number) => Math.floor(ms / dayMs);

/** What of a measurement follows from the service alone. */
export interface OfService {
  readonly versions: object;
  readonly pricesDate: string;
}

/** What a reply has to say of the answers by which it was measured. */
export function expectedFacts(account: OracleAccount, asked: Asked, of: OfService): object {
  const answered = answersThatCount(account, asked.filters, asked, asked);
  const readings = answered.map((answer) => read(answer, account.workspace));
  const perPrompt = promptsIn(readings).map((id) => having(readings, "promptId", id).length);
  const brand = account.workspace.entities.toSorted(seriesOrder)[0]?.id ?? "";
  const pairs = pairsOf(readings);
  const mentioning = pairs.filter((pair) => pair.some(({ mentioned }) => mentioned.length > 0));
  const known = readings.filter(({ model }) => model !== null);
  const models = [...new Set(known.map(({ provider, model }) => `${provider} ${model}`))];
  return {
    answers: readings.length,
    prompts: perPrompt.length,
    answersPerPrompt:
      perPrompt.length === 0
        ? null
        : {
            least: Math.min(...perPrompt),
            median: medianOf(perPrompt),
            most: Math.max(...perPrompt),
          },
    providers: partsBy(readings, "provider", providersInOrder),
    regions: partsBy(readings, "region", textsOf(readings, "region").toSorted(byCodeUnit)),
    surfaces: partsBy(readings, "surface", ["api", "web"]),
    models: {
      distinct: models.length,
      unknown: readings.length - known.length,
      // There are fewer than the most that are named; equal counts come in any order.
      named: models.length,
    },
    cadence: {
      days: dayOf(asked.toMs - 1) - dayOf(asked.fromMs) + 1,
      daysWithAnswers: new Set(readings.map(({ at }) => dayOf(at))).size,
      medianDaysBetween: medianOf(pairs.map(([one, two]) => dayOf(two.at) - dayOf(one.at))),
    },
    retest: {
      pairs: pairs.length,
      brandDiffers: meanOf(pairs, ([one, two]) =>
        Number(one.mentioned.includes(brand) !== two.mentioned.includes(brand)),
      ),
      mentioningPairs: mentioning.length,
      entitiesDiffer: meanOf(mentioning, ([one, two]) => {
        const either = new Set([...one.mentioned, ...two.mentioned]);
        const both = [...either].filter(
          (id) => one.mentioned.includes(id) && two.mentioned.includes(id),
        );
        return (either.size - both.length) / either.size;
      }),
    },
    unanswered: unansweredOf(account, asked),
    versions: account.answers.length === 0 ? null : of.versions,
    pricesDate: of.pricesDate,
  };
}

type Pair = readonly [before: Reading, after: Reading];

/** Each answer with the last one before it to its prompt, by its provider, in its region. */
function pairsOf(readings: readonly Reading[]): readonly Pair[] {
  const keyOf = ({ promptId, provider, region }: Reading) =>
    JSON.stringify([promptId, provider, region]);
  return [...Map.groupBy(readings, keyOf).values()].flatMap((group) => {
    // Sorting keeps the order of recording where instants are equal.
    const ordered = group.toSorted((a, b) => a.at - b.at);
    return ordered.flatMap((after, place): readonly Pair[] => {
      const before = ordered[place - 1];
      return before === undefined ? [] : [[before, after]];
    });
  });
}

function unansweredOf(account: OracleAccount, asked: Asked): object {
  const everywhere = { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY };
  const kinds = ["failed", "refused", "absent"] as const;
  const counted = (outcome: (typeof kinds)[number]) =>
    answersThatCount(account, asked.filters, asked, { exclude: asked.exclude, outcome }).length;
  const all = answersThatCount(account, asked.filters, asked, asked).length;
  const total = kinds.reduce((sum, outcome) => sum + counted(outcome), all);
  const isKnown = kinds.some((outcome) => {
    const unfiltered = { timeRange: asked.filters.timeRange };
    return answersThatCount(account, unfiltered, everywhere, { outcome }).length > 0;
  });
  const parts = kinds.map((outcome) => {
    const answers = counted(outcome);
    return [outcome, { answers, share: isKnown && total > 0 ? answers / total : null }] as const;
  });
  return { asked: total, ...Object.fromEntries(parts) };
}

type Column = "promptId" | "provider" | "region" | "surface";

const having = (readings: readonly Reading[], column: Column, value: string | null) =>
  readings.filter((reading) => reading[column] === value);

const textsOf = (readings: readonly Reading[], column: Column) => [
  ...new Set(readings.flatMap((reading) => reading[column] ?? [])),
];

/** The answers of each value that there is, in an order, those without one last. */
function partsBy(readings: readonly Reading[], column: Column, order: readonly string[]) {
  return [...order, null]
    .map((value) => ({ [column]: value, answers: having(readings, column, value).length }))
    .filter(({ answers }) => Number(answers) > 0);
}

function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}

/** The mean over at least 20 pairs. */
function meanOf(pairs: readonly Pair[], of: (pair: Pair) => number): number | null {
  if (pairs.length < 20) return null;
  return pairs.reduce((sum, pair) => sum + of(pair), 0) / pairs.length;
}

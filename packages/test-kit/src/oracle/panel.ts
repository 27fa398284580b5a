import fc from "fast-check";
import { type AnswerDraft, anchors, mostOf } from "./scenario.ts";

/** How long an account is measured before and after the anchor. */
const daysOnSide = 10;

const dayMs = 86_400_000;

/** One answer a day to each prompt, by one provider in one region. */
interface RoundDraft {
  readonly provider: string;
  readonly region: string | null;
  /** Of so many prompts and days it asks one: before the anchor, and from it on; 0: never. */
  readonly every: readonly [number, number];
  /** What answers, before and from the anchor on; "any": what the answer says itself. */
  readonly models: Models;
  readonly surfaces: Surfaces;
}

/** An account whose prompts are asked every day, as a collector does. */
export interface PanelDraft {
  /** Some of a version's prompts, by index. */
  readonly prompts: readonly number[];
  readonly rounds: readonly RoundDraft[];
  /** How many of the prompts end at the anchor, and how many begin there. */
  readonly ending: number;
  readonly beginning: number;
  /** How many days before the anchor were measured. */
  readonly daysBefore: number;
  /** Of so many prompts, one names nobody before the anchor; and one cites nothing. 0: none. */
  readonly silent: number;
  readonly uncited: number;
}

type Models = readonly [string | null, string | null];

const stayingModels: readonly Models[] = [
  [null, null],
  ["alpha", "alpha"],
  ["alpha", null],
];

const changingModels: readonly Models[] = [
  ["alpha", "beta"],
  ["any", "any"],
];

type Surfaces = readonly ["api" | null, "api" | "web" | null];

const stayingSurfaces: readonly Surfaces[] = [
  [null, null],
  ["api", "api"],
  [null, "web"],
];

/**
 * Enough prompts, days, providers and regions to tell what a side's change rests on; few of them,
 * which a sample begins with else, would not be.
 */
export const arbitraryPanel: fc.Arbitrary<PanelDraft> = fc.noBias(
  fc.record({
    prompts: fc.shuffledSubarray(
      Array.from({ length: mostOf.prompts }, (_, index) => index),
      { minLength: 8, maxLength: 14 },
    ),
    rounds: fc.array(
      fc.record({
        provider: fc.constantFrom("OPENAI", "GEMINI", "GROK", "GOOGLE_AI_OVERVIEW"),
        region: fc.constantFrom(null, "US", "DE", "gB"),
        every: fc.constantFrom<[number, number][]>(
          [1, 1],
          [1, 1],
          [1, 1],
          [1, 1],
          [2, 1],
          [1, 3],
          [0, 1],
        ),
        models: fc.oneof(
          { weight: 6, arbitrary: fc.constantFrom(...stayingModels) },
          { weight: 2, arbitrary: fc.constantFrom(...changingModels) },
        ),
        surfaces: fc.oneof(
          { weight: 7, arbitrary: fc.constantFrom(...stayingSurfaces) },
          { weight: 1, arbitrary: fc.constant<Surfaces>(["api", "web"]) },
        ),
      }),
      { minLength: 4, maxLength: 6, size: "max" },
    ),
    ending: fc.nat({ max: 2 }),
    beginning: fc.nat({ max: 2 }),
    daysBefore: fc.constantFrom(4, 5, daysOnSide, daysOnSide, daysOnSide),
    silent: fc.constantFrom(0, 1, 2, 3),
    uncited: fc.constantFrom(0, 0, 1, 3),
  }),
);

/**
 * The answers of a panel, around the first anchor.
 *
 * @param pool what is answered, from the first on, and again when there are no more.
 */
export function answersOfPanel(
  panel: PanelDraft,
  pool: readonly AnswerDraft[],
): readonly AnswerDraft[] {
  const days = Array.from({ length: panel.daysBefore + daysOnSide }, (_, each) => each);
  const slots = panel.rounds.flatMap((round) =>
    panel.prompts.flatMap((prompt, place) =>
      days.map((each) => ({ round, prompt, place, day: each - panel.daysBefore })),
    ),
  );
  const asked = slots.filter(({ round, place, day }) => {
    const every = round.every[day < 0 ? 0 : 1];
    const fromEnd = panel.prompts.length - 1 - place;
    if (day >= 0 ? place < panel.ending : fromEnd < panel.beginning) return false;
    return every > 0 && (place + day + daysOnSide) % every === 0;
  });
  return asked.flatMap(({ round, prompt, place, day }, index): readonly AnswerDraft[] => {
    const own = pool[index % pool.length];
    if (own === undefined) return [];
    const model = round.models[day < 0 ? 0 : 1];
    const isOf = (every: number) => day < 0 && every > 0 && place % every === 0;
    const time = ((own.at % dayMs) + dayMs) % dayMs;
    return [
      {
        ...own,
        prompt,
        provider: round.provider,
        region: round.region,
        outcome: index % 3 === 0 ? own.outcome : "answered",
        at: (anchors[0] ?? 0) + day * dayMs + time,
        words: isOf(panel.silent) ? [] : own.words,
        citations: isOf(panel.uncited) ? [] : own.citations,
        model: model === "any" ? own.model : model,
        surface: round.surfaces[day < 0 ? 0 : 1],
      },
    ];
  });
}

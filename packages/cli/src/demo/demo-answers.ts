import { answerText } from "./answer-text.ts";
import { firstDayOf, instantOf, storyLastDay } from "./calendar.ts";
import { type DemoCitation, drawCitations } from "./citations.ts";
import { type Company, companies, type Region } from "./market.ts";
import type { ProviderName } from "./providers.ts";
import { type Random, seededRandom } from "./random.ts";
import { type Asking, askingsByDay, secondOf } from "./rota.ts";
import { absentChance, failedChance, mentionChance, prominenceOf } from "./trends.ts";

/** One line of an answers file. `text` and `citations` are there when the outcome is `answered`. */
export interface DemoAnswer {
  readonly promptId: string;
  readonly provider: ProviderName;
  /** An ISO 3166 code; left out where no region was asked for. */
  readonly region?: Region;
  /** RFC 3339, UTC, whole seconds. */
  readonly answeredAt: string;
  readonly outcome: "answered" | "absent" | "failed";
  readonly surface: "api" | "web";
  readonly text?: string;
  readonly citations?: readonly DemoCitation[];
}

/** How many answers `demoAnswers()` gives, whatever their outcome. */
export const demoAnswersTotal = 30_396;

// Any number does; changing it changes every answer. The second (2^32 divided by the golden ratio)
// keeps the days' streams apart, so that a change to one day leaves the others as they are.
const seed = 20_251_101;
const dayStride = 0x9e3779b9;

/**
 * The year of answers that ends with the UTC day `lastDay`, such as `2026-10-31`, in time order.
 * For one day they are always the same; for another only their instants differ.
 */
export function* demoAnswers(lastDay: string = storyLastDay): Generator<DemoAnswer> {
  const firstDay = firstDayOf(lastDay);
  let day = 0;
  for (const askings of askingsByDay()) {
    const random = seededRandom(seed + Math.imul(day, dayStride));
    const timed = askings.map((asking) => ({ asking, second: secondOf(asking, random.next()) }));
    timed.sort((one, other) => one.second - other.second);
    for (const { asking, second } of timed) {
      yield answerTo(random, asking, instantOf(firstDay, day, second));
    }
    day += 1;
  }
}

function answerTo(random: Random, asking: Asking, answeredAt: string): DemoAnswer {
  const { provider, region, prompt } = asking;
  const outcome = outcomeOf(random, asking);
  const line = {
    promptId: prompt.id,
    provider: provider.name,
    ...(region === undefined ? {} : { region }),
    answeredAt,
    outcome,
    surface: provider.surface,
  };
  if (outcome !== "answered") return line;
  const mentioned = mentionedBy(random, asking);
  const citations = drawCitations(random, asking, mentioned);
  return {
    ...line,
    text: answerText(random, { occasion: asking, mentioned, citations }),
    citations,
  };
}

function outcomeOf(random: Random, asking: Asking): DemoAnswer["outcome"] {
  if (random.chance(failedChance)) return "failed";
  return random.chance(absentChance(asking)) ? "absent" : "answered";
}

/** The companies that an answer mentions, the most prominent mostly first. */
function mentionedBy(random: Random, asking: Asking): readonly Company[] {
  const ranked = companies
    .filter((company) => random.chance(mentionChance(company, asking)))
    .map((company) => ({ company, place: prominenceOf(company, asking) + random.next() * 0.6 }));
  ranked.sort((one, other) => other.place - one.place);
  return ranked.map(({ company }) => company);
}

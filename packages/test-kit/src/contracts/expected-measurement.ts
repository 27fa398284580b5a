import { namedModelsMax } from "@sightline/contract";
import { outcomes } from "../../../server/src/answers/answer.ts";
import {
  modelCode,
  outcomeCode,
  providerCode,
  regionCode,
  surfaceCode,
} from "../../../server/src/facts/codes.ts";
import type { MeasurementFacts } from "../../../server/src/facts/plan/measurement-plan.ts";
import type { AskedFact } from "./arbitrary-facts.ts";

const dayMs = 86_400_000;

/**
 * What an engine has to say of how some facts were measured, by plain rules.
 * @param facts all of the account, in the order of recording.
 * @param passes whether one passes the filters.
 */
export function measurementOf(
  facts: readonly AskedFact[],
  passes: (fact: AskedFact) => boolean,
): MeasurementFacts {
  const isAnswered = ({ outcome = "answered" }: AskedFact) => outcome === "answered";
  const placed = facts.map((fact, place) => ({ fact, sequence: place + 1 }));
  const own = placed.filter(({ fact }) => passes(fact) && isAnswered(fact));
  const answers = own.map(({ fact }) => fact);
  const known = own.filter(({ fact }) => fact.model !== null);
  const models = counted(known.map(({ fact }) => [fact.provider, fact.model] as const));
  return {
    origins: counted(
      answers.map((each) => [each.provider, each.region, each.surface] as const),
    ).map(([[provider, region, surface], count]) => ({
      provider: providerCode(provider),
      region: regionCode(region),
      surface: surfaceCode(surface),
      answers: count,
    })),
    models: models
      .map(([[provider, model], count]) => ({
        provider: providerCode(provider),
        model: modelCode(model) | 0,
        answers: count,
        sequence: Math.max(
          ...known
            .filter(({ fact }) => fact.provider === provider && fact.model === model)
            .map(({ sequence }) => sequence),
        ),
        models: models.length,
        known: known.length,
      }))
      .toSorted((a, b) => b.answers - a.answers || a.provider - b.provider || a.model - b.model)
      .slice(0, namedModelsMax),
    prompts: counted(counted(answers.map(({ prompt }) => prompt)).map(([, count]) => count)).map(
      ([count, prompts]) => ({ answers: count, prompts }),
    ),
    days: new Set(answers.map(({ answeredAt }) => Math.floor(answeredAt / dayMs))).size,
    unanswered: outcomes
      .map((outcome) => ({
        outcome: outcomeCode(outcome),
        answers: facts.filter((fact) => passes(fact) && fact.outcome === outcome).length,
      }))
      .filter(({ outcome, answers: count }) => outcome > 0 && count > 0),
    knowsUnanswered: !facts.every(isAnswered),
    pairs: counted(own.flatMap((each) => pairWith(each, own))).map(
      ([[days, brandDiffers, shared, either], pairs]) => {
        return { days, brandDiffers, shared, either, pairs };
      },
    ),
  };
}

interface Placed {
  readonly fact: AskedFact;
  readonly sequence: number;
}

/** The pair of an answer and the last before it of the same prompt, provider and region, if any. */
function pairWith({ fact, sequence }: Placed, all: readonly Placed[]) {
  const [last] = all
    .filter(({ fact: { prompt, provider, region, answeredAt }, sequence: place }) => {
      const isAlike =
        prompt === fact.prompt && provider === fact.provider && region === fact.region;
      const isBefore =
        answeredAt < fact.answeredAt || (answeredAt === fact.answeredAt && place < sequence);
      return isAlike && isBefore;
    })
    .toSorted((a, b) => b.fact.answeredAt - a.fact.answeredAt || b.sequence - a.sequence);
  if (last === undefined) return [];
  const [before, after] = [last.fact, fact];
  const day = ({ answeredAt }: AskedFact) => Math.floor(answeredAt / dayMs);
  const either = new Set([...before.mentions, ...after.mentions]).size;
  const shared = before.mentions.filter((each) => after.mentions.includes(each)).length;
  const differs = before.mentions.includes(0) !== after.mentions.includes(0);
  return [[day(after) - day(before), Number(differs), shared, either] as const];
}

function counted<Item>(items: readonly Item[]): readonly (readonly [Item, number])[] {
  const groups = Map.groupBy(items, (item) => JSON.stringify(item));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first === undefined ? [] : [[first, group.length] as const];
  });
}

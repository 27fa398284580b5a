import { isPortrayalFlag, type LabelMetric, type LabelSampleResponse } from "@sightline/contract";
import { drawnPrompts } from "../answers/labels/draw.ts";
import { type DrawablePlan, planDrawable } from "../facts/plan/places-plan.ts";
import { noPlan, type PlanUsed } from "../facts/plan/plan.ts";
import type { Selection } from "../facts/plan/question.ts";
import type { FactsReading } from "./reading.ts";

/** A question for answers to be labelled. */
export interface LabelSampleQuestion {
  readonly selection: Selection;
  /** In lower case. */
  readonly entityId: string;
  readonly metric: LabelMetric;
  readonly limit: number;
  readonly seed: number;
}

/** Facts know neither which texts are removed nor the ids of answers. */
interface SampleTexts {
  /** Texts of answers before it are removed. */
  readonly textsFromMs: number;
  /** The ids of answers at these places of the record, in this order. */
  readonly idsAt: (sequences: readonly number[]) => Promise<readonly string[]>;
}

/** The answers of a draw, and by which plan they were found. */
export interface LabelSample extends LabelSampleResponse {
  readonly used: PlanUsed;
}

const nothing: LabelSample = { answers: 0, prompts: 0, sample: [], used: noPlan };

/** Draws answers. @throws FactsError unavailable when the record cannot be read. */
export async function readLabelSample(
  reading: FactsReading,
  question: LabelSampleQuestion,
  { textsFromMs, idsAt }: SampleTexts,
): Promise<LabelSample> {
  const { engine, accountId, view, signal } = reading;
  const { facts } = view;
  const plan = planOf(reading, question, textsFromMs);
  if (facts === null || plan === null) return nothing;
  const { generation, snapshot } = facts;
  const { seed, limit: count } = question;
  const counted = await engine.drawable(accountId, { generation, plan }, signal);
  const answersOf = new Map<number, number>();
  for (const { prompt, answers } of counted) {
    answersOf.set(prompt, (answersOf.get(prompt) ?? 0) + answers);
  }
  const numbers = new Map<string, number>();
  const prompts = [...answersOf].map(([prompt, answers]) => {
    const id = snapshot.prompts[prompt]?.id ?? "";
    numbers.set(id, prompt);
    return { id, answers };
  });
  const drawn = await drawnPrompts(prompts, { seed, count });
  const wanted = [...new Set(drawn.map(({ id }) => numbers.get(id) ?? -1))];
  const each = drawn.at(-1)?.round ?? 0;
  const draw = { ...plan, prompts: wanted, each, seed };
  const found = await engine.drawn(accountId, { generation, plan: draw }, signal);
  const places = new Map(found.map((one) => [`${one.prompt} ${one.round}`, one.sequence]));
  const placed = drawn.flatMap(({ id, round }) => {
    const sequence = places.get(`${numbers.get(id)} ${round}`);
    return sequence === undefined ? [] : [{ promptId: id, sequence }];
  });
  const ids = await idsAt(placed.map(({ sequence }) => sequence));
  return {
    answers: prompts.reduce((sum, { answers }) => sum + answers, 0),
    prompts: prompts.length,
    sample: placed.map(({ promptId }, place) => ({ answerId: ids[place] ?? "", promptId })),
    used: { name: "appearances", refused: [] },
  };
}

function planOf(
  { view: { facts, entities } }: FactsReading,
  { selection, entityId, metric }: LabelSampleQuestion,
  textsFromMs: number,
): DrawablePlan | null {
  const entity = entities.findIndex(({ id }) => id === entityId) + 1;
  const fromMs = Math.max(selection.fromMs, textsFromMs);
  if (facts === null || entity === 0 || fromMs >= selection.toMs) return null;
  // Whether an answer mentions or cites it is asked of all answers.
  const counted = isPortrayalFlag(metric) ? entity : 0;
  return planDrawable({ ...selection, fromMs }, counted, facts.codes);
}

import { type Cell, csvOf, saveFile } from "../parts/save.ts";
import type { PromptRow } from "./prompt-rows.ts";

/** Saves all rows of the list, those of its other pages too, in its order. */
export function savePrompts(rows: readonly PromptRow[]): void {
  saveFile("prompts.csv", csvOf(promptCells(rows)));
}

const metrics = ["mentions", "visibility", "citations", "rank"] as const;

/** Numbers as the service gives them: fractions, and the sums that they are made of. */
export function promptCells(rows: readonly PromptRow[]): readonly (readonly Cell[])[] {
  const head = ["promptId", "prompt", "topic", "branded", "entity", "answers", "lastAnsweredAt"];
  const values = metrics.flatMap((each) => [each, `${each}Numerator`, `${each}Denominator`]);
  return [
    [...head, ...values],
    ...rows.map(({ prompt, topic, answers, lastAnsweredAt, values: its }) => [
      ...[prompt.id, prompt.text, topic, prompt.branded, its?.name ?? null],
      ...[answers, lastAnsweredAt],
      ...metrics.flatMap((each) => {
        const value = its?.[each];
        return [value?.value ?? null, value?.numerator ?? null, value?.denominator ?? null];
      }),
    ]),
  ];
}

import type { Sightline } from "@sightline/client";
import { countOf } from "../../data/format.ts";
import { metricTexts } from "../../data/names.ts";
import type { ViewQuestion } from "../../data/use-question.ts";
import { type Cell, type CsvForm, saveCsv } from "../../parts/csv.ts";
import { fileName, tableTexts } from "../described.ts";
import { stabilityOf } from "../prompt-summaries.ts";
import type { PromptRow } from "./prompt-rows.ts";
import type { StabilityByPrompt } from "./use-stability.ts";

interface Saved {
  readonly client: Sightline;
  /** The account's name. */
  readonly owner: string;
  readonly question: ViewQuestion;
  readonly rows: readonly PromptRow[];
}

/** Saves all rows of the list, those of its other pages too, in its order, with their stability. */
export async function savePrompts(saved: Saved, form: CsvForm): Promise<void> {
  const { client, owner, question, rows } = saved;
  const { filters, workspace } = question;
  const ids = rows.filter(({ answers }) => answers > 0).map(({ prompt }) => prompt.id);
  const stability = await stabilityOf(client, question, ids);
  const file = { owner, what: "prompts", filters, workspace };
  const answers = rows.reduce((sum, row) => sum + row.answers, 0);
  const entity = rows.find(({ values }) => values !== null)?.values?.name ?? workspace.brand.name;
  const about = tableTexts({
    ...file,
    title: `Prompts · ${entity}`,
    n: `${countOf(answers, "answer")} to ${countOf(rows.length, "prompt")}`,
    definitions: Object.values(metricTexts).map(
      ({ field, definition }) => `${field}: ${definition}`,
    ),
  });
  saveCsv({ name: fileName(file), about, rows: promptCells(rows, stability) }, form);
}

const metrics = ["mentions", "visibility", "citations", "rank"] as const;

/** Numbers as the service gives them: fractions, and the sums that they are made of. */
export function promptCells(
  rows: readonly PromptRow[],
  stability: StabilityByPrompt,
): readonly (readonly Cell[])[] {
  const head = [
    "promptId",
    "prompt",
    "topic",
    "tags",
    "branded",
    "entity",
    "answers",
    "lastAnsweredAt",
  ];
  const values = metrics.flatMap((each) => [each, `${each}Numerator`, `${each}Denominator`]);
  return [
    [...head, ...values, "stability", "stabilityPairs"],
    ...rows.map(({ prompt, topic, answers, lastAnsweredAt, values: its }) => {
      const { value = null, pairs = null } = stability.get(prompt.id) ?? {};
      return [
        ...[prompt.id, prompt.text, topic, prompt.tags?.join("; ") ?? null, prompt.branded],
        its?.name ?? null,
        ...[answers, lastAnsweredAt],
        ...metrics.flatMap((each) => {
          const measured = its?.[each];
          const sums = [measured?.numerator ?? null, measured?.denominator ?? null];
          return [measured?.value ?? null, ...sums];
        }),
        ...[value, pairs],
      ];
    }),
  ];
}

import type { LabelMetric } from "@sightline/client";
import { flagOf, flagOrder, flagTitles } from "../data/names.ts";

/** What labels can be about, in the order of the choice. */
export const labelMetrics: readonly LabelMetric[] = ["mentions", "citations", ...flagOrder];

/** What a choice of a metric is called. */
export function labelMetricTitle(metric: LabelMetric): string {
  const flag = flagOf(metric);
  if (flag !== null) return flagTitles[flag];
  return metric === "mentions" ? "Mentioned" : "Cited";
}

/** The one question about an answer, and what a yes means. */
export interface LabelQuestion {
  readonly text: string;
  readonly hint: string;
}

const reads = "Read the text yourself: what the service found is not shown.";

const questions: Readonly<Record<LabelMetric, (name: string) => LabelQuestion>> = {
  mentions: (name) => ({
    text: `Does this answer name ${name}?`,
    hint: `However it is written, and only if it means ${name}. ${reads}`,
  }),
  citations: (name) => ({
    text: `Does this answer cite a page of ${name}?`,
    hint: `Any page that belongs to ${name}. ${reads}`,
  }),
  recommended: (name) => ({
    text: `Does this answer recommend ${name}?`,
    hint: `It picks ${name} itself, overall or for some use. One name of a list is not enough.`,
  }),
  praised: (name) => ({
    text: `Does this answer praise ${name}?`,
    hint: `It states an advantage of ${name}. Prices and features alone are none.`,
  }),
  criticized: (name) => ({
    text: `Does this answer criticize ${name}?`,
    hint: `It states a drawback, a limit or a caveat of ${name}.`,
  }),
  discouraged: (name) => ({
    text: `Does this answer advise against ${name}?`,
    hint: `It tells the reader not to take ${name}.`,
  }),
  notFound: (name) => ({
    text: `Does this answer say that it found nothing about ${name}?`,
    hint: `Or that it doubts whether ${name} exists.`,
  }),
};

/** What is asked of each answer. */
export function labelQuestion(metric: LabelMetric, name: string): LabelQuestion {
  return questions[metric](name);
}

/** What somebody said of answers, by their ids. */
export type Said = ReadonlyMap<string, boolean>;

/**
 * The place of the next answer without a label, from a place on and then from the beginning; null:
 * each has one.
 */
export function nextUnsaid(ids: readonly string[], said: Said, from: number): number | null {
  const places = [...ids.keys()].filter((place) => !said.has(ids[place] ?? ""));
  return places.find((place) => place >= from) ?? places[0] ?? null;
}

/** What a key does while an answer is read; null: nothing. */
export function actOfKey(key: string): LabelAct | null {
  return keys.get(key.length === 1 ? key.toLowerCase() : key) ?? null;
}

/** What can be done with an answer that is read. */
export type LabelAct = "yes" | "no" | "skip" | "back" | "undo";

const keys: ReadonlyMap<string, LabelAct> = new Map([
  ["y", "yes"],
  ["n", "no"],
  ["s", "skip"],
  ["ArrowRight", "skip"],
  ["ArrowLeft", "back"],
  ["u", "undo"],
]);

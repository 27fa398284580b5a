import type { InsightsPlanResponse } from "@sightline/client";
import { planCostText, plannedOptions, planSentences, sizeText } from "@sightline/contract";
import { metricWords } from "./changes-table.ts";
import { safeText } from "./safe-text.ts";
import { dayText } from "./series-table.ts";
import { type Cell, type Column, tableLines } from "./table.ts";
import { styled, type Terminal } from "./terminal.ts";

type Option = InsightsPlanResponse["options"][number];

const columns: readonly Column[] = [
  { heading: "answers a prompt", align: "right" },
  { heading: "prompts", align: "right" },
  { heading: "answers", align: "right" },
  { heading: "cost", align: "right" },
  { heading: "least change now", align: "right" },
  { heading: "", align: "left" },
];

/** A plan in words, then the ways to see the change, the cheapest of them marked. */
export function planTable(
  plan: InsightsPlanResponse,
  entity: string,
  terminal: Terminal,
): readonly string[] {
  const { metric, prices } = plan;
  const rows = plannedOptions(plan).map((option) => rowOf(plan, option));
  const sentences = planSentences(plan);
  const windows = plan.windows.map(({ from, to }) => `${dayText(from)} to before ${dayText(to)}`);
  const unknown = prices.filter(({ cost }) => cost === null).map(({ provider }) => provider);
  const notes =
    rows.length === 0
      ? []
      : [
          "answers: of all providers and regions together, in a range as long as this one",
          "least change now: the smallest that today's prompts show",
          ...(unknown.length === 0 ? [] : [`no cost: no price is known of ${unknown.join(", ")}`]),
        ];
  return [
    styled(terminal, "bold", `What shows a change of ${metricWords[metric]}`),
    styled(terminal, "dim", `${safeText(entity)}; from ${windows.join(" and ")} (UTC)`),
    "",
    ...sentences.flatMap((each) => wrapped(each, terminal.width)),
    ...(sentences.length === 0 ? [] : [""]),
    ...(rows.length === 0 ? [] : [...tableLines(terminal, columns, rows), ""]),
    ...notes.map((line) => styled(terminal, "dim", line)),
  ];
}

/** A sentence as lines that end between two words. */
function wrapped(sentence: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of sentence.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (longer.length <= width || line === "") {
      line = longer;
      continue;
    }
    lines.push(line);
    line = word;
  }
  return [...lines, line];
}

function rowOf({ metric }: InsightsPlanResponse, option: Option): readonly Cell[] {
  const { answersPerPrompt, prompts, requests, cost, leastChange, isCheapest } = option;
  const count = (value: number | null) => value?.toLocaleString("en-GB") ?? nothing;
  const texts = [
    count(answersPerPrompt),
    count(prompts),
    count(requests),
    cost === null ? nothing : planCostText(cost),
    leastChange === null ? nothing : sizeText(metric, leastChange),
  ];
  const style = isCheapest ? ({ style: "bold" } as const) : {};
  const cells = texts.map((text) => ({ text, ...style }));
  return [...cells, { text: isCheapest ? "cheapest" : "", ...style }];
}

const nothing = "–";

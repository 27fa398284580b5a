import type { MetricName } from "@sightline/client";
import { countOf, countText, dateText, percentText, valueText } from "../../data/format.ts";
import { metricOrder, metricTexts } from "../../data/names.ts";
import { Expander } from "../../parts/expander.tsx";
import type { Column } from "../../parts/table.tsx";
import { openEvidence } from "../open-evidence.ts";
import type { PromptGroup } from "../prompt-summaries.ts";
import type { PromptRow } from "./prompt-rows.ts";
import { openPrompt, type PromptView } from "./prompt-view.ts";
import css from "./prompts.module.css";
import type { StabilityByPrompt } from "./use-stability.ts";

interface PromptColumnsProps {
  readonly list: PromptView;
  readonly stability: StabilityByPrompt;
}

/** The columns of the list of prompts. */
export function promptColumns({
  list: { open },
  stability,
}: PromptColumnsProps): readonly Column<PromptRow>[] {
  return [
    {
      key: "prompt",
      title: "Prompt",
      sorts: true,
      cell: ({ prompt, topic }) => (
        <Expander
          isOpen={prompt.id === open}
          onToggle={() => openPrompt(prompt.id === open ? null : prompt.id)}
        >
          {prompt.text}
          <span className={css["about"]}>
            {topic ?? "No topic"}
            {prompt.branded ? " · branded" : ""}
          </span>
        </Expander>
      ),
    },
    ...metricOrder.map((metric) => metricColumn(metric)),
    {
      key: "answers",
      title: "Answers",
      figure: true,
      drops: 3,
      explained: "answers",
      sorts: true,
      cell: (row) => <Answers row={row} />,
    },
    {
      key: "stability",
      figure: true,
      drops: 1,
      title: "Stability",
      explained: "stability",
      cell: ({ prompt }) => <Stability of={stability.get(prompt.id)} />,
    },
    {
      key: "last",
      title: "Last answer",
      figure: true,
      drops: 2,
      sorts: true,
      cell: ({ lastAnsweredAt: last }) =>
        last === null ? <span className="quiet">–</span> : dateText(last),
    },
  ];
}

/** All answers to a prompt, and those that the entity is not visible in. */
function Answers({ row: { prompt, answers, values } }: { readonly row: PromptRow }) {
  if (answers === 0) return <span className="quiet">0</span>;
  const promptId = prompt.id;
  const without = values === null ? 0 : answers - values.visibility.numerator;
  return (
    <>
      <button
        type="button"
        className={css["value"]}
        aria-label={`${countOf(answers, "answer")} to: ${prompt.text}`}
        onClick={() => openEvidence({ role: "any", entityId: null, promptId })}
      >
        {countText(answers)}
      </button>
      {values === null || without === 0 ? null : (
        <button
          type="button"
          className={css["without"]}
          onClick={() => openEvidence({ role: "notVisible", entityId: values.id, promptId })}
        >
          {countText(without)} without
          <span className="visually-hidden">
            {values.name}: answers to {prompt.text}
          </span>
        </button>
      )}
    </>
  );
}

function metricColumn(metric: MetricName): Column<PromptRow> {
  const { field, title, role } = metricTexts[metric];
  return {
    key: field,
    title,
    figure: true,
    sorts: true,
    drops: 7 - metricOrder.indexOf(metric),
    explained: metric,
    cell: ({ prompt, values }) => {
      if (values === null) return <span className="quiet">–</span>;
      const { value, numerator, denominator } = values[field];
      const counts =
        metric === "rank"
          ? countOf(denominator, "mention")
          : `${countText(numerator)} of ${countText(denominator)}`;
      return (
        <button
          type="button"
          className={css["value"]}
          disabled={value === null}
          onClick={() => openEvidence({ role, entityId: values.id, promptId: prompt.id })}
        >
          {valueText(metric, value)}
          <span className={css["counts"]}>
            {counts}
            <span className="visually-hidden">: answers behind {title}</span>
          </span>
        </button>
      );
    },
  };
}

/** The mean over pairs of consecutive answers; their number below it. */
function Stability({ of }: { readonly of: PromptGroup["stability"] }) {
  if (of === undefined) return <span className="quiet">–</span>;
  return (
    <span>
      {percentText(of.value, 0)}
      <span className={css["counts"]}>{countOf(of.pairs, "pair")}</span>
    </span>
  );
}

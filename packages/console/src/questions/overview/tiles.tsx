import type { InsightsSummaryResponse, MetricName } from "@sightline/client";
import { Fragment } from "react";
import { countOf, intervalText, nothing, valueText } from "../../data/format.ts";
import { metricOrder, metricTexts } from "../../data/names.ts";
import { changeView } from "../../data/use-view.ts";
import { ChangeMark } from "../../parts/tag.tsx";
import { openEvidence } from "../open-evidence.ts";
import css from "./tiles.module.css";

interface TilesProps {
  /** Undefined: not there yet. */
  readonly summary: InsightsSummaryResponse | undefined;
  /** It is of what was asked before. */
  readonly isOfBefore: boolean;
  /** There will be none; the panels below say why. */
  readonly hasFailed: boolean;
  readonly chosen: MetricName;
}

/** The brand's four values; a click on one draws it, a click on its figure opens its evidence. */
export function Tiles({ summary, isOfBefore, hasFailed, chosen }: TilesProps) {
  return (
    <ul className={css["tiles"]} aria-label="The brand's values" aria-busy={isOfBefore}>
      {metricOrder.map((metric) => (
        <Tile key={metric} {...{ metric, summary, hasFailed }} isChosen={metric === chosen} />
      ))}
    </ul>
  );
}

interface TileProps extends Pick<TilesProps, "summary" | "hasFailed"> {
  readonly metric: MetricName;
  readonly isChosen: boolean;
}

function Tile({ metric, summary, hasFailed, isChosen }: TileProps) {
  const { title, field, role, definition } = metricTexts[metric];
  const [group] = summary?.groups ?? [];
  const [brand] = group?.entities ?? [];
  const value = brand?.[field];
  return (
    <li className={`${css["tile"]} ${isChosen ? css["chosen"] : ""}`} data-metric={metric}>
      <button
        type="button"
        className={css["label"]}
        aria-pressed={isChosen}
        title={definition}
        onClick={() => changeView({ metric }, { replace: isChosen })}
      >
        {title}
      </button>
      {value === undefined || brand === undefined ? (
        <span className={css["figure"]}>
          {summary === undefined && !hasFailed ? "\u00a0" : nothing}
        </span>
      ) : (
        <button
          type="button"
          className={css["figure"]}
          aria-label={`${valueText(metric, value.value)}: show the answers behind ${title}`}
          onClick={() => openEvidence({ role, entityId: brand.id })}
        >
          {valueText(metric, value.value)}
        </button>
      )}
      <span className={css["change"]}>
        <ChangeMark metric={metric} change={value?.change} />
      </span>
      <span className={css["basis"]}>
        {group === undefined || value === undefined ? (
          "\u00a0"
        ) : (
          <Basis parts={basisParts(metric, group, value)} />
        )}
      </span>
    </li>
  );
}

type Group = InsightsSummaryResponse["groups"][number];

/** What a value rests on: n = 1,240 answers · 48 prompts · 41–47 %. */
function basisParts(
  metric: MetricName,
  { answers, prompts }: Group,
  { denominator, interval, flags }: Group["informative"],
): readonly string[] {
  const counted = metric === "rank" ? countOf(denominator, "mention") : countOf(answers, "answer");
  const bounds = intervalText(metric, interval);
  const isMissing = flags.includes("insufficient") || interval !== null;
  const without = bounds === null && isMissing ? "no interval" : bounds;
  return [`n = ${counted}`, countOf(prompts, "prompt"), without].filter((each) => each !== null);
}

/** A line ends between two parts, never inside an interval. */
function Basis({ parts }: { readonly parts: readonly string[] }) {
  return parts.map((part, index) => (
    <Fragment key={part}>
      {index === 0 ? null : " · "}
      <span className={css["part"]}>{part}</span>
    </Fragment>
  ));
}

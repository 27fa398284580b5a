import type { InsightsSummaryResponse, MetricName } from "@sightline/client";
import { Fragment } from "react";
import { countOf, intervalText, nothing, valueText } from "../../data/format.ts";
import { metricOrder, metricTexts } from "../../data/names.ts";
import { changeView } from "../../data/use-view.ts";
import { Explained } from "../../parts/explained.tsx";
import { Icon } from "../../parts/icon.tsx";
import { ChangeButton, ChangeMark, comparedOf } from "../changes/change.tsx";
import { type Change, verdictLine } from "../changes/change-text.ts";
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
  const { title, field, role } = metricTexts[metric];
  const [group] = summary?.groups ?? [];
  const [brand] = group?.entities ?? [];
  const value = brand?.[field];
  return (
    <li className={`${css["tile"]} ${isChosen ? css["chosen"] : ""}`} data-metric={metric}>
      <button
        type="button"
        className={css["label"]}
        aria-pressed={isChosen}
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
        {value?.change == null || value.change.value === null ? null : (
          <ChangeMark metric={metric} change={value.change} />
        )}
      </span>
      {summary === undefined || brand === undefined || value?.change === undefined ? null : (
        <ChangeButton
          of={{
            ...comparedOf(summary),
            title: `${title} of ${brand.name}`,
            metric,
            change: value.change,
            effectivePrompts: value.effectivePrompts,
          }}
          why={{ metric, entityId: brand.id }}
          className={css["verdict"]}
        >
          <Verdict metric={metric} change={value.change} />
        </ChangeButton>
      )}
      <span className={css["basis"]}>
        {group === undefined || value === undefined ? (
          "\u00a0"
        ) : (
          <Basis parts={basisParts(metric, group, value)} />
        )}
      </span>
      {group === undefined || brand === undefined ? null : (
        <Without answers={group.answers} brand={brand} />
      )}
      <span className={css["explained"]}>
        <Explained of={metric} title={title} />
      </span>
    </li>
  );
}

interface WithoutProps {
  readonly answers: number;
  readonly brand: Group["entities"][number];
}

/** The answers that the brand is not visible in: what to work on. */
function Without({ answers, brand: { id, name, visibility } }: WithoutProps) {
  const count = answers - visibility.numerator;
  if (count === 0) return null;
  return (
    <button
      type="button"
      className={css["without"]}
      onClick={() => openEvidence({ role: "notVisible", entityId: id })}
    >
      {countOf(count, "answer")} without {name}
    </button>
  );
}

function Verdict({ metric, change }: { readonly metric: MetricName; readonly change: Change }) {
  return (
    <span>
      <Basis parts={verdictLine(metric, change)} />
      <Icon name="down" />
    </span>
  );
}

type Group = InsightsSummaryResponse["groups"][number];

/** What a value rests on: 41–47 % likely · 1,240 answers · 48 prompts. */
function basisParts(
  metric: MetricName,
  { answers, prompts }: Group,
  { denominator, interval, flags }: Group["informative"],
): readonly string[] {
  const counted = metric === "rank" ? countOf(denominator, "mention") : countOf(answers, "answer");
  const isFew = flags.includes("insufficient") && denominator > 0;
  const bounds = intervalText(metric, interval);
  const likely = bounds === null ? (isFew ? "no interval" : null) : `${bounds} likely`;
  return [likely, counted, countOf(prompts, "prompt")].filter((each) => each !== null);
}

/** A line ends between two parts, never inside an interval. */
function Basis({ parts }: { readonly parts: readonly string[] }) {
  return parts.map((part, index) => (
    <Fragment key={part}>
      {index === 0 ? null : " "}
      <span className={css["part"]}>
        {part}
        {index === parts.length - 1 ? "" : " ·"}
      </span>
    </Fragment>
  ));
}

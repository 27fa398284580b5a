import type { InsightsSummaryResponse, MetricName } from "@sightline/client";
import { percentText, valueText } from "../../data/format.ts";
import { metricTexts } from "../../data/names.ts";
import { changeView } from "../../data/use-view.ts";
import { ChangeButton, ChangeMark, type ChangeOf } from "../changes/change.tsx";
import { verdictWord } from "../changes/change-text.ts";
import { countablesOf, lineColors, undrawnColor } from "../charts/chart-data.ts";
import { openEvidence } from "../open-evidence.ts";
import css from "./leaderboard.module.css";

type Group = InsightsSummaryResponse["groups"][number];
type Entity = Group["entities"][number];

interface LeaderboardProps {
  readonly group: Group;
  /** What is known of the two periods that are compared. */
  readonly of: Pick<ChangeOf, "prompts" | "discontinuous">;
  readonly metric: MetricName;
  /** Ids of the entities that the chart brings out. */
  readonly only: readonly string[];
}

/** Everyone tracked, best first; a click on a name brings its line out, on a value its answers. */
export function Leaderboard({ group, of, metric, only: given }: LeaderboardProps) {
  const { field } = metricTexts[metric];
  // An address may name somebody whom nobody tracks any more.
  const only = given.filter((id) => group.entities.some((each) => each.id === id));
  const entities = group.entities.map((entity, index) => ({ entity, index }));
  const measureOf = ({ entity }: { readonly entity: Entity }) => entity[field].value;
  const worst = metric === "rank" ? Number.POSITIVE_INFINITY : -1;
  const sign = metric === "rank" ? 1 : -1;
  const sorted = entities.sort((a, b) => {
    const [first, second] = [measureOf(a) ?? worst, measureOf(b) ?? worst];
    return first === second ? a.index - b.index : sign * (first < second ? -1 : 1);
  });
  const lengths = sorted.map((each) => lengthOf(metric, measureOf(each)));
  const longest = Math.max(...lengths, Number.EPSILON);
  // Those without a colour have no line in the chart.
  const colors = lineColors(countablesOf(group.entities, metric), only);
  const { value } = group.informative;
  return (
    <>
      <ol className={`${css["list"]} ${css["scroll"]}`} aria-label="Leaderboard">
        {sorted.map(({ entity, index }, place) => (
          <Row
            key={entity.id}
            {...{ entity, index, of, metric, only }}
            color={colors.get(entity.id) ?? undrawnColor}
            place={place + 1}
            length={(lengths[place] ?? 0) / longest}
          />
        ))}
      </ol>
      <p className={css["foot"]}>{percentText(value)} of the answers name at least one of them.</p>
    </>
  );
}

/** A bar is as long as its value; of a rank, the better the longer. */
function lengthOf(metric: MetricName, value: number | null): number {
  if (value === null || value === 0) return 0;
  return metric === "rank" ? 1 / value : value;
}

interface RowProps extends Pick<LeaderboardProps, "of"> {
  readonly entity: Entity;
  /** Its place in the reply. */
  readonly index: number;
  /** Of its line in the chart. */
  readonly color: string;
  readonly place: number;
  readonly metric: MetricName;
  readonly only: readonly string[];
  /** Of its bar, 0 to 1. */
  readonly length: number;
}

function Row({ entity, index, of, color, place, metric, only, length }: RowProps) {
  const { field, role, title } = metricTexts[metric];
  const { value, change, effectivePrompts } = entity[field];
  const isBrand = index === 0;
  const isOut = only.includes(entity.id);
  const isAside = only.length > 0 && !isOut && !isBrand;
  const classes = [css["row"], isBrand ? css["brand"] : "", isAside ? css["aside"] : ""];
  return (
    <li className={classes.join(" ")} data-entity={entity.id}>
      <span className={css["place"]}>{value === null ? "" : place}</span>
      <button
        type="button"
        className={css["name"]}
        aria-pressed={isOut}
        title={isOut ? "Show everyone again" : `Compare ${entity.name} alone`}
        onClick={() => changeView({ only: isOut ? [] : [entity.id] })}
      >
        <span>{entity.name}</span>
        <span className={css["track"]}>
          <span className={css["bar"]} style={{ width: `${length * 100}%`, background: color }} />
        </span>
      </button>
      <button
        type="button"
        className={css["value"]}
        aria-label={`${valueText(metric, value)}: answers behind ${title} of ${entity.name}`}
        onClick={() => openEvidence({ role, entityId: entity.id })}
      >
        {valueText(metric, value)}
      </button>
      {change === undefined || change.value === null ? (
        <span />
      ) : (
        <ChangeButton
          of={{
            ...of,
            title: `${title} of ${entity.name}`,
            metric,
            change,
            effectivePrompts,
          }}
          why={{ metric, entityId: entity.id }}
          className={css["change"]}
        >
          <ChangeMark metric={metric} change={change} />
          <span className={css["verdict"]}>{verdictWord(change)}</span>
        </ChangeButton>
      )}
    </li>
  );
}

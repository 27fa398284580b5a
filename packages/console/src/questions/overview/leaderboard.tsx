import type { InsightsSummaryResponse, MetricName } from "@sightline/client";
import { percentText, valueText } from "../../data/format.ts";
import { metricTexts } from "../../data/names.ts";
import { changeOwn, changeView } from "../../data/use-view.ts";
import type { View } from "../../data/view.ts";
import { Segments } from "../../parts/button.tsx";
import { ChangeButton, ChangeMark, type ChangeOf } from "../changes/change.tsx";
import { type ChangedMetric, verdictWord } from "../changes/change-text.ts";
import { countablesOf, lineColors, undrawnColor } from "../charts/chart-data.ts";
import { openEvidence } from "../open-evidence.ts";
import { measureOf, measureText } from "./board-measure.ts";
import css from "./leaderboard.module.css";

type Group = InsightsSummaryResponse["groups"][number];
type Entity = Group["entities"][number];

/** So many rows share the height of the chart; fewer would leave a hole. */
export const rowsToFill = 6;

interface LeaderboardProps {
  readonly group: Group;
  /** What is known of the two periods that are compared. */
  readonly of: Pick<ChangeOf, "prompts" | "discontinuous">;
  /** Of the chart, whose colours the bars have. */
  readonly metric: MetricName;
  /** By which they are ranked. */
  readonly measure: ChangedMetric;
  /** Ids of the entities that the chart brings out. */
  readonly only: readonly string[];
}

/** Everyone tracked, best first; a click on a name brings its line out, on a value its answers. */
export function Leaderboard({ group, of, metric, measure, only: given }: LeaderboardProps) {
  const { field } = measureText(measure);
  // An address may name somebody whom nobody tracks any more.
  const only = given.filter((id) => group.entities.some((each) => each.id === id));
  const entities = group.entities.map((entity, index) => ({ entity, index }));
  const measured = ({ entity }: { readonly entity: Entity }) => entity[field].value;
  const worst = measure === "rank" ? Number.POSITIVE_INFINITY : -1;
  const sign = measure === "rank" ? 1 : -1;
  const sorted = entities.sort((a, b) => {
    const [first, second] = [measured(a) ?? worst, measured(b) ?? worst];
    return first === second ? a.index - b.index : sign * (first < second ? -1 : 1);
  });
  const lengths = sorted.map((each) => lengthOf(measure, measured(each)));
  const longest = Math.max(...lengths, Number.EPSILON);
  // Those without a colour have no line in the chart.
  const colors = lineColors(countablesOf(group.entities, metric), only);
  const { value } = group.informative;
  return (
    <>
      <ol
        className={[
          css["list"],
          css["scroll"],
          sorted.length < rowsToFill ? "" : css["filled"],
        ].join(" ")}
        aria-label="Leaderboard"
      >
        {sorted.map(({ entity, index }, place) => (
          <Row
            key={entity.id}
            {...{ entity, index, of, measure, only }}
            color={colors.get(entity.id) ?? undrawnColor}
            place={place + 1}
            length={(lengths[place] ?? 0) / longest}
          />
        ))}
      </ol>
      <p className={css["foot"]}>
        {percentText(value)} of the answers name at least one of them. Press a name to compare it
        alone, and again to show everyone; tick several to compare them.
      </p>
    </>
  );
}

/** A bar is as long as its value; of a rank, the better the longer. */
function lengthOf(measure: ChangedMetric, value: number | null): number {
  if (value === null || value === 0) return 0;
  return measure === "rank" ? 1 / value : value;
}

interface RowProps extends Pick<LeaderboardProps, "of"> {
  readonly entity: Entity;
  /** Its place in the reply. */
  readonly index: number;
  /** Of its line in the chart. */
  readonly color: string;
  readonly place: number;
  readonly measure: ChangedMetric;
  readonly only: readonly string[];
  /** Of its bar, 0 to 1. */
  readonly length: number;
}

function Row({ entity, index, of, color, place, measure, only, length }: RowProps) {
  const { field, role, title } = measureText(measure);
  const { value, change, effectivePrompts } = entity[field];
  const isBrand = index === 0;
  const isOut = only.includes(entity.id);
  const isAside = only.length > 0 && !isOut && !isBrand;
  const classes = [css["row"], isBrand ? css["brand"] : "", isAside ? css["aside"] : ""];
  return (
    <li className={classes.join(" ")} data-entity={entity.id}>
      <span className={css["place"]}>
        <span>{value === null ? "" : place}</span>
        {isBrand ? null : (
          <input
            type="checkbox"
            aria-label={`Compare ${entity.name} too`}
            checked={isOut}
            onChange={() => changeView({ only: toggled(only, entity.id) })}
          />
        )}
      </span>
      <button
        type="button"
        className={css["name"]}
        aria-pressed={isOut}
        onClick={({ ctrlKey, metaKey, shiftKey }) => {
          const isAdded = ctrlKey || metaKey || shiftKey;
          const isAlone = isOut && only.length === 1;
          changeView({
            only: isAdded ? toggled(only, entity.id) : isAlone ? [] : [entity.id],
          });
        }}
      >
        <span>{entity.name}</span>
        <span className={css["track"]}>
          <span className={css["bar"]} style={{ width: `${length * 100}%`, background: color }} />
        </span>
      </button>
      <button
        type="button"
        className={css["value"]}
        aria-label={`${valueText(measure, value)}: answers behind ${title} of ${entity.name}`}
        onClick={() => openEvidence({ role, entityId: entity.id })}
      >
        {valueText(measure, value)}
      </button>
      {change === undefined || change.value === null ? (
        <span />
      ) : (
        <ChangeButton
          of={{
            ...of,
            title: `${title} of ${entity.name}`,
            metric: measure,
            change,
            effectivePrompts,
          }}
          why={measure === "shareOfVoice" ? null : { metric: measure, entityId: entity.id }}
          className={css["change"]}
        >
          <ChangeMark metric={measure} change={change} />
          <span className={css["verdict"]}>{verdictWord(change)}</span>
        </ChangeButton>
      )}
    </li>
  );
}

/** Lines with a colour of their own. */
const isolatedMax = 8;

/** Those brought out, with one more or one less; of too many the first goes. */
function toggled(only: readonly string[], id: string): readonly string[] {
  const others = only.filter((each) => each !== id);
  return others.length < only.length ? others : [...others, id].slice(-isolatedMax);
}

interface MeasureChoiceProps {
  readonly view: View;
  readonly label: string;
}

/** The chosen metric, or the share of voice. */
export function MeasureChoice({ view, label }: MeasureChoiceProps) {
  return (
    <Segments<ChangedMetric>
      label={label}
      options={[
        [view.metric, metricTexts[view.metric].title],
        ["shareOfVoice", measureText("shareOfVoice").title],
      ]}
      value={measureOf(view)}
      onChange={(measure) =>
        changeOwn({ voice: measure === "shareOfVoice" ? "1" : "" }, { replace: true })
      }
    />
  );
}

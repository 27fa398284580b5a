import type { InsightsSummaryResponse, MetricName } from "@sightline/client";
import { type ReactNode, Suspense } from "react";
import { arrowOf, changeBoundsText, changeText, countOf, nothing } from "../../data/format.ts";
import { later } from "../../data/later.ts";
import { providerName } from "../../data/names.ts";
import { changeView } from "../../data/use-view.ts";
import { Button } from "../../parts/button.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Popover } from "../../parts/popover.tsx";
import {
  type Change,
  type ChangedMetric,
  type ComparedPrompts,
  likeForLike,
  partLines,
  partPlaces,
  type TestedChange,
  verdictText,
} from "./change-text.ts";
import css from "./changes.module.css";
import { openPlan, planTitle } from "./open-plan.ts";

/** Its sentences are needed when a change is looked at. */
const Trend = later(async () => (await import("./trend.tsx")).Trend);

interface ChangeMarkProps {
  readonly metric: ChangedMetric;
  readonly change: Change;
  readonly places?: number;
  /** Whether a rise is good; null: neither. As the metric has it unless said. */
  readonly isRiseGood?: boolean | null;
}

/**
 * A change like for like, with an arrow only where its verdict is `moved`: others are noise, and
 * stay quiet.
 */
export function ChangeMark({ change, ...rest }: ChangeMarkProps) {
  return <ChangeFigure value={likeForLike(change)} verdict={change.verdict} {...rest} />;
}

interface ChangeFigureProps extends Omit<ChangeMarkProps, "change"> {
  /** Like for like; null: there is none. */
  readonly value: number | null;
  readonly verdict: string | null;
}

/** The same of what is known of a change. */
export function ChangeFigure({ metric, value, verdict, places, isRiseGood }: ChangeFigureProps) {
  if (value === null) return <span className={css["mark"]}>{nothing}</span>;
  const text = changeText(metric, value, places);
  if (verdict !== "moved") return <span className={css["mark"]}>{text}</span>;
  const arrow = arrowOf(metric, value);
  const isGood = isRiseGood === null ? null : (arrow === "rise") === (isRiseGood ?? true);
  const tone = isGood === null ? "" : (css[isGood ? "better" : "worse"] ?? "");
  return (
    <span className={`${css["mark"]} ${tone}`} data-moved>
      <Icon name={arrow} />
      {text}
      {isGood === null ? null : (
        <span className="visually-hidden">{isGood ? ", better" : ", worse"}</span>
      )}
    </span>
  );
}

/** What a change is of, and what else is known of both periods. */
export interface ChangeOf {
  /** Such as "Mentions of Tarnfell". */
  readonly title: string;
  readonly metric: ChangedMetric;
  readonly change: Change;
  /** Of the value itself; null: not known. */
  readonly effectivePrompts: number | null;
  /** Null: not known. */
  readonly prompts: ComparedPrompts | null;
  /** Providers whose models or surfaces differ between the periods. */
  readonly discontinuous: readonly string[];
}

/** What a summary says of the two periods of each of its changes. */
export function comparedOf({
  groups: [group],
  compare,
}: InsightsSummaryResponse): Pick<ChangeOf, "prompts" | "discontinuous"> {
  const isKnown = group !== undefined && compare !== undefined;
  return {
    prompts: isKnown ? { before: compare.prompts, after: group.prompts } : null,
    discontinuous: compare?.discontinuous ?? [],
  };
}

interface ChangeButtonProps {
  readonly of: ChangeOf;
  /** The change that the panel explains; null: none explains it. */
  readonly why: { readonly metric: MetricName; readonly entityId: string } | null;
  readonly className: string | undefined;
  readonly children: ReactNode;
}

/** Opens how a change is made up, and the way to the panel that explains it. */
export function ChangeButton({ of, why, className, children }: ChangeButtonProps) {
  return (
    <Popover
      label={`Change of ${of.title}`}
      trigger={(props) => (
        <button type="button" className={className} {...props}>
          {children}
          <span className="visually-hidden">: how the change of {of.title} is made up</span>
        </button>
      )}
    >
      {(close) => (
        <div className={css["popover"]}>
          <div className={css["head"]}>
            <h2 className={css["title"]}>Change of {of.title}</h2>
            {why === null || of.change.value === null ? null : (
              <Button
                onClick={() => {
                  close();
                  changeView({ why: { ...why, by: "prompt" } });
                }}
              >
                Why it changed
              </Button>
            )}
          </div>
          <ChangeDetails {...of}>
            {why === null ? null : (
              <Suspense fallback={<p aria-busy="true">Trend: loading</p>}>
                <Trend {...why} />
              </Suspense>
            )}
          </ChangeDetails>
          {why === null ? null : (
            <Button
              className={css["plan"]}
              onClick={() => {
                close();
                openPlan(why);
              }}
            >
              {planTitle}
            </Button>
          )}
        </div>
      )}
    </Popover>
  );
}

interface ChangeDetailsProps extends Omit<ChangeOf, "title"> {
  /** Below the verdict. */
  readonly children?: ReactNode;
}

/** A change's verdict, its parts in figures that add up, and what they rest on. */
export function ChangeDetails(props: ChangeDetailsProps) {
  const { metric, change, prompts, effectivePrompts, discontinuous } = props;
  const lines = partLines(metric, change, prompts);
  return (
    <div className={css["details"]}>
      <p>
        {verdictText(change)} <Interval metric={metric} change={change} />
      </p>
      {props.children}
      {change.flags.includes("fewDays") ? (
        <p>
          Few days: a period has fewer than five days with answers to most of its prompts, so the
          test by days was left out.
        </p>
      ) : null}
      {change.verdict === "discontinuous" ? (
        <Continuing metric={metric} change={change} discontinuous={discontinuous} />
      ) : null}
      {lines === null ? (
        <RawChange metric={metric} value={change.value} />
      ) : (
        <table className={css["parts"]}>
          <caption className="visually-hidden">What the change consists of</caption>
          <tbody>
            {lines.map(({ key, title, about, text }) => (
              <tr key={key}>
                <th scope="row">
                  {title}
                  <span>{about}</span>
                </th>
                <td>{text}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p className={css["note"]}>
        {effectivePrompts === null
          ? null
          : `The value rests on ${countOf(effectivePrompts, "effective prompt")}. `}
        As many prompts with equally many answers would tell as much.
      </p>
    </div>
  );
}

interface IntervalProps {
  readonly metric: ChangedMetric;
  readonly change: TestedChange;
}

function Interval({ metric, change: { interval } }: IntervalProps) {
  if (interval === null) return null;
  return `Its 95 % interval is ${changeBoundsText(metric, interval, partPlaces(metric))}.`;
}

/** The change between two periods that have no prompt in common. */
function RawChange({ metric, value }: Pick<ChangeOf, "metric"> & Pick<Change, "value">) {
  if (value === null) return null;
  return (
    <p>Between all answers of both periods: {changeText(metric, value, partPlaces(metric))}</p>
  );
}

/** What changed at the providers whose models and surfaces stayed. */
function Continuing(props: Pick<ChangeOf, "metric" | "change" | "discontinuous">) {
  const { metric, change, discontinuous } = props;
  const continuing = change.continuing ?? null;
  const value = continuing === null ? null : likeForLike(continuing);
  const names = discontinuous.map(providerName).join(", ");
  return (
    <p>
      {names === "" ? "" : `Other models or surfaces: ${names}. `}
      {continuing === null || value === null ? (
        "No provider is unchanged."
      ) : (
        <>
          Unchanged providers, like for like: {changeText(metric, value, partPlaces(metric))}.{" "}
          {verdictText(continuing)} <Interval metric={metric} change={continuing} />
        </>
      )}
    </p>
  );
}

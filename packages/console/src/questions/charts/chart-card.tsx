import type { Interval } from "@sightline/client";
import { type FocusEvent, type ReactNode, type RefObject, useLayoutEffect, useRef } from "react";
import { countOf } from "../../data/format.ts";
import { bucketText, type ChartPoint, type ChartSeries, ordered, partText } from "./chart-data.ts";
import type { ChartMark } from "./chart-marks.ts";
import css from "./line-chart.module.css";
import type { Scales } from "./scales.ts";

interface PointProps {
  readonly series: readonly ChartSeries[];
  readonly unit: "fraction" | "place";
  readonly interval: Interval;
  readonly index: number;
  readonly gapReason: string;
  readonly format: (value: number | null) => string;
  readonly marks?: readonly ChartMark[];
}

/** What else changed in a bucket, in words. */
const markTexts = ({ marks = [], index }: PointProps): readonly string[] =>
  marks.find((each) => each.index === index)?.texts ?? [];

interface ChartCardProps extends PointProps {
  /** What can be done at the bucket; null: the card goes with the pointer, out of its reach. */
  readonly held: ReactNode;
  readonly onBlur: (event: FocusEvent) => void;
  readonly previous: readonly ChartPoint[];
  readonly scales: Scales;
}

/** Entities on the card at most; the brand is always among them. */
const rowsMax = 12;

/** All entities of a bucket, sorted, next to the crosshair. */
export function ChartCard(props: ChartCardProps) {
  const { series, previous, unit, interval, index, gapReason, format } = props;
  const card = useBeside(props);
  const brand = series.at(-1)?.points[index];
  const before = previous[index];
  const rows = ordered(series, index, unit).filter((each, at) => at < rowsMax || each.isBrand);
  return (
    <div
      ref={card}
      className={`${css["card"]} ${props.held === null ? "" : css["held"]}`}
      onBlur={props.onBlur}
      data-card
    >
      <div aria-hidden="true">
        <p className={css["when"]}>{brand === undefined ? "" : bucketText(brand, interval)}</p>
        {brand?.isEmpty === true ? (
          <p className={css["note"]}>{gapReason}</p>
        ) : (
          <table>
            <tbody>
              {rows.map(({ id, name, color, isBrand, points }) => (
                <tr key={id} className={isBrand ? css["brand"] : undefined}>
                  <td>
                    <span className={css["name"]}>
                      <span className={css["swatch"]} style={{ background: color }} />
                      <span>{name}</span>
                    </span>
                  </td>
                  <td>{format(points[index]?.value ?? null)}</td>
                </tr>
              ))}
              {before === undefined ? null : (
                <tr className={css["before"]}>
                  <td>Previous period</td>
                  <td>{format(before.value)}</td>
                </tr>
              )}
            </tbody>
          </table>
        )}
        {brand === undefined || brand.isEmpty ? null : (
          <p className={css["note"]}>{basisText(brand, unit, format)}</p>
        )}
        {markTexts(props).map((text) => (
          <p key={text} className={css["marked"]}>
            {text}
          </p>
        ))}
      </div>
      {props.held}
    </div>
  );
}

function basisText(
  point: ChartPoint,
  unit: PointProps["unit"],
  format: PointProps["format"],
): string {
  const { denominator, low, high } = point;
  const counted = [
    ...partText(point),
    countOf(denominator, unit === "place" ? "mention" : "answer"),
  ].join(", ");
  if (low === null || high === null) {
    const alike = unit === "place" ? ", or all ranks are equal" : "";
    return `${counted}, no interval: fewer than six effective prompts${alike}`;
  }
  return `${counted}, ${format(low)} to ${format(high)}`;
}

/** What a screen reader says of a bucket. */
export function pointText({ series, unit, interval, index, ...rest }: PointProps): string {
  const marks = markTexts({ series, unit, interval, index, ...rest }).map((text) => `; ${text}`);
  const start = series.at(-1)?.points[index];
  if (start === undefined) return "";
  const when = [bucketText(start, interval), ...partText(start)].join(", ");
  if (start.isEmpty) return `${when}: ${rest.gapReason}${marks.join("")}`;
  const values = ordered(series, index, unit)
    .slice(0, rowsMax)
    .map(({ name, points }) => `${name} ${rest.format(points[index]?.value ?? null)}`);
  return `${when}: ${values.join(", ")}${marks.join("")}`;
}

const gapPx = 16;

/** Puts the card next to the crosshair: to its left where it would lie over the names. */
function useBeside({ scales, index }: ChartCardProps): RefObject<HTMLDivElement | null> {
  const card = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = card;
    if (current === null) return;
    const place = scales.x(index);
    const fits = place + gapPx + current.offsetWidth <= scales.plot.right;
    const left = fits ? place + gapPx : Math.max(0, place - gapPx - current.offsetWidth);
    current.style.transform = `translate(${Math.round(left)}px, ${scales.plot.top}px)`;
  });
  return card;
}

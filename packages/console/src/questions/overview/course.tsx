import type { Interval } from "@sightline/client";
import { useAccountName } from "../../data/account.ts";
import { faultText } from "../../data/fault-text.ts";
import { countOf, rangeText, tickText, valueText } from "../../data/format.ts";
import { fetched } from "../../data/later.ts";
import { intervalTexts, metricTexts } from "../../data/names.ts";
import { type MetricSeries, useSeries, useSummary } from "../../data/queries.ts";
import { summaryOf, type ViewQuestion } from "../../data/use-question.ts";
import { changeView } from "../../data/use-view.ts";
import { IconButton, Segments } from "../../parts/button.tsx";
import { csvForms, csvTexts } from "../../parts/csv-menu.tsx";
import { Panel } from "../../parts/panel.tsx";
import { Menu } from "../../parts/popover.tsx";
import { told } from "../../parts/save.ts";
import { chartSeries, datesOf, drawnSeries, isPartial } from "../charts/chart-data.ts";
import { LineChart } from "../charts/line-chart.tsx";
import { useSuitedSeries } from "../charts/suited-series.ts";
import { openEvidence } from "../open-evidence.ts";
import css from "./page.module.css";

interface CourseProps {
  readonly question: ViewQuestion;
}

const chartHeight = 376;
const intervals = ["daily", "weekly", "monthly"] as const;
/** Fewer prompts show what these say, not a course. */
const linePromptsMin = 5;
const fewText = "Points without a line: too few prompts or answers to tell a course from chance";

/** The chosen metric over time: the brand, its competitors, and the period before. */
export function Course({ question }: CourseProps) {
  const { view, filters, comparedFilters } = question;
  const { metric } = view;
  const { reply: now, interval, isThin } = useSuitedSeries(question, filters);
  const summary = useSummary(summaryOf(question));
  const before = useSeries(
    comparedFilters === null ? null : { metric, interval, filters: comparedFilters },
  );
  return (
    <Panel
      className={css["course"]}
      title={metricTexts[metric].title}
      query={now}
      minHeight={chartHeight + 44}
      tools={
        <>
          <Segments<Interval>
            label="Length of a bucket"
            options={intervals.map((each) => [each, intervalTexts[each]])}
            value={interval}
            onChange={(chosen) => changeView({ interval: chosen })}
          />
          <SeriesMenu question={question} series={now.data} before={before.data} />
        </>
      }
      staleOf={(shown) => `Loading; still showing ${metricTexts[shown.metric].title}`}
      partialOf={() =>
        before.error === null ? null : `The previous period is missing: ${faultText(before.error)}`
      }
    >
      {(reply) => {
        const all = chartSeries(reply);
        const series = drawnSeries(all, view.only);
        const isWithoutLine =
          isThin || (summary.data?.groups[0]?.prompts ?? linePromptsMin) < linePromptsMin;
        const other = comparedFilters === null ? undefined : before.data;
        // Of one question both, or the one would be drawn in the buckets of the other.
        const isOfSame =
          other?.metric === reply.metric &&
          other.interval === reply.interval &&
          before.isPlaceholderData === now.isPlaceholderData;
        const [brandBefore] = isOfSame ? chartSeries(other) : [];
        return (
          <>
            <LineChart
              label={`${metricTexts[reply.metric].title} of ${series.at(-1)?.name} and others.`}
              series={series}
              previous={brandBefore?.points ?? []}
              unit={reply.metric === "rank" ? "place" : "fraction"}
              interval={reply.interval}
              withoutLine={isWithoutLine}
              gapReason={isFiltered(question) ? "No answers pass the filters" : "No answers"}
              format={(value) => valueText(reply.metric, value)}
              formatTick={(value) => tickText(reply.metric, value)}
              height={chartHeight}
              onOpen={(entityId, bucket) => openBucket(reply, entityId, bucket)}
            />
            <Legend
              question={question}
              nothingBefore={brandBefore?.points.every(({ isEmpty }) => isEmpty) === true}
              isWithoutLine={isWithoutLine}
              interval={interval}
              hasPartial={series.some(({ points }) => points.some(isPartial))}
              undrawn={view.only.length > 0 ? 0 : all.length - series.length}
            />
          </>
        );
      }}
    </Panel>
  );
}

function openBucket(reply: MetricSeries, entityId: string, bucket: number): void {
  openEvidence({ role: metricTexts[reply.metric].role, entityId, dates: datesOf(reply, bucket) });
}

function isFiltered({ view }: ViewQuestion): boolean {
  const { providers, topics, prompts, regions, branded } = view;
  return [providers, topics, prompts, regions].some((each) => each.length > 0) || branded !== null;
}

interface LegendProps extends CourseProps {
  /** The previous period has no answers, so that no line is drawn. */
  readonly nothingBefore: boolean;
  /** Only points are drawn. */
  readonly isWithoutLine: boolean;
  readonly interval: Interval;
  /** A bucket has fewer days than the others. */
  readonly hasPartial: boolean;
  /** Competitors without a line because others have more hits. */
  readonly undrawn: number;
}

function Legend(props: LegendProps) {
  const { question, nothingBefore, isWithoutLine, interval, hasPartial, undrawn } = props;
  const { workspace, compared, view } = question;
  return (
    <p className={css["legend"]}>
      <span>
        <svg aria-hidden="true" width="20" height="12">
          <rect width="20" height="12" rx="2" fill="var(--accent)" fillOpacity="0.16" />
          <path d="M0 6h20" stroke="var(--accent)" strokeWidth="3" />
        </svg>
        {workspace.brand.name} with its 95 % interval
      </span>
      {compared === null ? null : (
        <span>
          <svg aria-hidden="true" width="20" height="12">
            {isWithoutLine ? (
              <circle cx="10" cy="6" r="3" fill="none" stroke="var(--accent)" />
            ) : (
              <path d="M0 6h20" stroke="var(--accent)" strokeWidth="1.5" strokeDasharray="2 4" />
            )}
          </svg>
          {rangeText(compared)}
          {nothingBefore ? ": no answers" : ""}
        </span>
      )}
      {view.metric === "rank" ? <span>1 is first</span> : null}
      {hasPartial ? (
        <span>
          <svg aria-hidden="true" width="20" height="12">
            <path d="M0 6h14" stroke="var(--accent)" strokeWidth="2" strokeDasharray="5 4" />
            <circle cx="16" cy="6" r="3" fill="var(--panel)" stroke="var(--accent)" />
          </svg>
          part of a {interval === "monthly" ? "month" : "week"}
        </span>
      ) : null}
      {isWithoutLine ? <span>{fewText}</span> : null}
      {undrawn === 0 ? null : (
        <span>
          {countOf(undrawn, "competitor")} with fewer hits not drawn: a name in the leaderboard
          draws its line
        </span>
      )}
    </p>
  );
}

interface SeriesMenuProps {
  readonly question: ViewQuestion;
  readonly series: MetricSeries | undefined;
  /** The previous period, which may be drawn dotted. */
  readonly before: MetricSeries | undefined;
}

/** What can be taken from the chart: pictures, figures, and the question itself. */
function SeriesMenu({ question, series, before }: SeriesMenuProps) {
  const { workspace } = question;
  const owner = useAccountName(workspace.brand.name);
  const drawn = { series, before, workspace, owner };
  // Loaded when it is used: nothing waits for it before.
  const take = () => fetched(() => import("./take-series.ts"));
  return (
    <Menu
      label="Export or copy the chart"
      trigger={({ ref, ...props }) => (
        <IconButton label="Export and copy" icon="more" ref={ref} {...props} />
      )}
      groups={[
        [
          { text: "Save as PNG", onSelect: () => told(take().then((it) => it.savePng(drawn))) },
          { text: "Save as SVG", onSelect: () => told(take().then((it) => it.saveSvg(drawn))) },
          ...csvForms.map((form) => ({
            text: `Save as ${csvTexts[form]}`,
            onSelect: () => told(take().then((it) => it.saveCsv(drawn, form))),
          })),
        ],
        [
          {
            text: "Copy as curl",
            onSelect: () => told(take().then((it) => it.copyCurl(question))),
          },
          {
            text: "Copy as TypeScript",
            onSelect: () => told(take().then((it) => it.copySdk(question))),
          },
          {
            text: "Copy as command",
            onSelect: () => told(take().then((it) => it.copyCommand(question))),
          },
        ],
      ]}
    />
  );
}

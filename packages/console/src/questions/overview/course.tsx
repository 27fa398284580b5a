import type { Interval } from "@sightline/client";
import { type ReactNode, Suspense, useState } from "react";
import { useAccountName, useScope } from "../../data/account.ts";
import { faultText } from "../../data/fault-text.ts";
import { countOf, rangeText, tickText, valueText } from "../../data/format.ts";
import { fetched, later } from "../../data/later.ts";
import { type DrawnMetric, drawnText, flagOf, intervalTexts } from "../../data/names.ts";
import { type MetricSeries, useMarks, useSeries, useSummary } from "../../data/queries.ts";
import { summaryOf, type ViewQuestion } from "../../data/use-question.ts";
import { changeView, isFiltered } from "../../data/use-view.ts";
import { Button, IconButton, Segments } from "../../parts/button.tsx";
import { csvForms, csvTexts } from "../../parts/csv-menu.tsx";
import { Panel } from "../../parts/panel.tsx";
import { Menu, Popover } from "../../parts/popover.tsx";
import { told } from "../../parts/save.ts";
import {
  bucketText,
  type ChartPoint,
  chartSeries,
  datesOf,
  drawnSeries,
  isPartial,
} from "../charts/chart-data.ts";
import {
  type ChartMark,
  chartMarks,
  type Note,
  notesIn,
  withNotes,
} from "../charts/chart-marks.ts";
import { LineChart } from "../charts/line-chart.tsx";
import { useSuitedSeries } from "../charts/suited-series.ts";
import { openEvidence } from "../open-evidence.ts";
import css from "./page.module.css";

interface CourseProps {
  readonly question: ViewQuestion;
  readonly metric: DrawnMetric;
}

const chartHeight = 376;
const intervals = ["daily", "weekly", "monthly"] as const;
/** Fewer prompts show what these say, not a course. */
const linePromptsMin = 5;
const fewText = "Points without a line: too few prompts or answers to tell a course from chance";

/** A metric or a flag over time: the brand, its competitors, and the period before. */
export function Course({ question, metric }: CourseProps) {
  const { view, filters, comparedFilters } = question;
  const { reply: now, interval, isThin } = useSuitedSeries(question, filters, metric);
  const summary = useSummary(summaryOf(question));
  const isThere = now.data !== undefined && !now.isPlaceholderData;
  const changed = useMarks(isThere ? filters : null);
  const points = now.data === undefined ? [] : (chartSeries(now.data)[0]?.points ?? []);
  const noting = useNoting(question, points, interval);
  const ofModels =
    changed.data === undefined || changed.isPlaceholderData ? [] : chartMarks(changed.data, points);
  const notes = question.workspace.notes ?? [];
  const marks = withNotes(ofModels, notes, points);
  const before = useSeries(
    comparedFilters === null ? null : { metric, interval, filters: comparedFilters },
  );
  return (
    <Panel
      className={css["course"]}
      title={drawnText(metric).title}
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
          <NotesButton question={question} notes={notes} />
          <SeriesMenu {...{ question, metric, marks }} series={now.data} before={before.data} />
        </>
      }
      staleOf={(shown) => `Loading; still showing ${drawnText(shown.metric).title}`}
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
              label={`${drawnText(reply.metric).title} of ${series.at(-1)?.name} and others.`}
              series={series}
              previous={brandBefore?.points ?? []}
              unit={reply.metric === "rank" ? "place" : "fraction"}
              interval={reply.interval}
              withoutLine={isWithoutLine}
              gapReason={isFiltered(view) ? "No answers pass the filters" : "No answers"}
              format={(value) => valueText(reply.metric, value)}
              formatTick={(value) => tickText(reply.metric, value)}
              height={chartHeight}
              marks={marks}
              actions={noting.actions}
              onOpen={(entityId, bucket) => openBucket(reply, entityId, bucket)}
            />
            <Legend
              {...{ question, metric }}
              nothingBefore={brandBefore?.points.every(({ isEmpty }) => isEmpty) === true}
              isWithoutLine={isWithoutLine}
              interval={interval}
              hasMarks={marks.length > 0}
              mayNote={noting.actions !== null}
              hasPartial={series.some(({ points }) => points.some(isPartial))}
              undrawn={view.only.length > 0 ? 0 : all.length - series.length}
            />
            {noting.dialog}
          </>
        );
      }}
    </Panel>
  );
}

function openBucket(reply: MetricSeries, entityId: string, bucket: number): void {
  openEvidence({ role: drawnText(reply.metric).role, entityId, dates: datesOf(reply, bucket) });
}

interface LegendProps extends CourseProps {
  /** The previous period has no answers, so that no line is drawn. */
  readonly nothingBefore: boolean;
  /** Only points are drawn. */
  readonly isWithoutLine: boolean;
  readonly interval: Interval;
  /** A bucket has fewer days than the others. */
  readonly hasPartial: boolean;
  /** A bucket has a mark at the axis. */
  readonly hasMarks: boolean;
  /** The session may write notes. */
  readonly mayNote: boolean;
  /** Competitors without a line because others have more hits. */
  readonly undrawn: number;
}

function Legend(props: LegendProps) {
  const { question, nothingBefore, isWithoutLine, interval, hasPartial, hasMarks, undrawn } = props;
  const { mayNote, metric } = props;
  const { workspace, compared } = question;
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
      {metric === "rank" ? <span>1 is first</span> : null}
      {hasPartial ? (
        <span>
          <svg aria-hidden="true" width="20" height="12">
            <path d="M0 6h14" stroke="var(--accent)" strokeWidth="2" strokeDasharray="5 4" />
            <circle cx="16" cy="6" r="3" fill="var(--panel)" stroke="var(--accent)" />
          </svg>
          part of a {interval === "monthly" ? "month" : "week"}
        </span>
      ) : null}
      {hasMarks ? (
        <span>
          <svg aria-hidden="true" width="12" height="12">
            <path d="M2 6l4-4 4 4-4 4z" fill="var(--ink-soft)" />
          </svg>
          {(workspace.notes ?? []).length === 0 ? "" : "notes, "}models or prompts changed
        </span>
      ) : null}
      {mayNote ? <span>a click on a date below the chart notes what happened</span> : null}
      {isWithoutLine ? <span>{fewText}</span> : null}
      {undrawn === 0 ? null : (
        <span>
          {countOf(undrawn, "competitor")} with fewer hits not drawn: a name in the{" "}
          {flagOf(metric) === null
            ? "leaderboard draws its line, with Ctrl, Shift or its box several"
            : "table draws its line"}
        </span>
      )}
    </p>
  );
}

/** A note that is written, and the day with which its form begins. */
interface Noted {
  readonly note: Note | null;
  readonly date: string;
}

/** What the card of a bucket offers to those who may manage, and the form that it opens. */
function useNoting(
  { workspace }: ViewQuestion,
  points: readonly ChartPoint[],
  interval: Interval,
): {
  readonly actions: ((bucket: number) => ReactNode) | null;
  readonly dialog: ReactNode;
} {
  const mayManage = useScope("manage");
  const [noted, setNoted] = useState<Noted | null>(null);
  const { notes = [] } = workspace;
  const close = () => {
    setNoted(null);
    // The button of a note that was deleted is gone, and the focus with it.
    requestAnimationFrame(() => {
      if (document.activeElement !== document.body) return;
      document.querySelector<HTMLElement>("[data-card] button")?.focus();
    });
  };
  return {
    actions: mayManage
      ? (bucket) => <NoteActions {...{ notes, bucket, points, interval }} onNote={setNoted} />
      : null,
    dialog:
      noted === null ? null : (
        <Suspense>
          <NoteDialog {...noted} onClose={close} />
        </Suspense>
      ),
  };
}

interface NoteActionsProps {
  readonly notes: readonly Note[];
  readonly bucket: number;
  readonly points: readonly ChartPoint[];
  readonly interval: Interval;
  readonly onNote: (noted: Noted) => void;
}

/** The notes of a bucket, and a new one. */
function NoteActions({ notes, bucket, points, interval, onNote }: NoteActionsProps) {
  const point = points[bucket];
  if (point === undefined) return null;
  const date = new Date(Math.max(point.covered.fromMs, point.startMs)).toISOString().slice(0, 10);
  return (
    <div className={css["noted"]}>
      {notesIn(notes, point).map((note) => (
        <Button key={`${note.date} ${note.text}`} onClick={() => onNote({ note, date: note.date })}>
          Edit note: {note.text}
        </Button>
      ))}
      <Button
        icon="plus"
        aria-label={`Add a note, ${bucketText(point, interval)}`}
        onClick={() => onNote({ note: null, date })}
      >
        Add a note
      </Button>
    </div>
  );
}

const Notes = later(async () => (await import("../charts/notes.tsx")).Notes);
const NoteDialog = later(async () => (await import("../charts/notes.tsx")).NoteDialog);

interface NotesButtonProps extends Pick<CourseProps, "question"> {
  readonly notes: NonNullable<ViewQuestion["workspace"]["notes"]>;
}

/** The notes of the account; for those who may not write any, only if there are some. */
function NotesButton({ question, notes }: NotesButtonProps) {
  const mayManage = useScope("manage");
  if (notes.length === 0 && !mayManage) return null;
  return (
    <Popover
      label="Notes"
      trigger={({ ref, ...props }) => <IconButton label="Notes" icon="plus" ref={ref} {...props} />}
    >
      {() => (
        <Suspense>
          <Notes notes={notes} range={question.range} />
        </Suspense>
      )}
    </Popover>
  );
}

interface SeriesMenuProps extends CourseProps {
  readonly series: MetricSeries | undefined;
  /** The previous period, which may be drawn dotted. */
  readonly before: MetricSeries | undefined;
  readonly marks: readonly ChartMark[];
}

/** What can be taken from the chart: pictures, figures, and the question itself. */
function SeriesMenu({ question, metric, series, before, marks }: SeriesMenuProps) {
  const { workspace } = question;
  const owner = useAccountName(workspace.brand.name);
  const drawn = { series, before, marks, workspace, owner };
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
            onSelect: () => told(take().then((it) => it.copyCurl(question, metric))),
          },
          {
            text: "Copy as TypeScript",
            onSelect: () => told(take().then((it) => it.copySdk(question, metric))),
          },
          // The command draws no course of what is said.
          ...(flagOf(metric) !== null
            ? []
            : [
                {
                  text: "Copy as command",
                  onSelect: () => told(take().then((it) => it.copyCommand(question))),
                },
              ]),
        ],
      ]}
    />
  );
}

import { type ReactNode, Suspense, useState } from "react";
import { later } from "../../data/later.ts";
import { metricTexts } from "../../data/names.ts";
import { type Reply, useSummary, useWorkspace } from "../../data/queries.ts";
import { summaryOf, useViewQuestion, type ViewQuestion } from "../../data/use-question.ts";
import { plainView } from "../../data/view.ts";
import { Explained } from "../../parts/explained.tsx";
import { FilterBar } from "../../parts/filter-bar.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { Failure, Panel } from "../../parts/panel.tsx";
import { comparedOf } from "../changes/change.tsx";
import { emptyText } from "../empty-texts.tsx";
import { measureOf, measureText } from "./board-measure.ts";
import { Course } from "./course.tsx";
import { Leaderboard, MeasureChoice, rowsToFill } from "./leaderboard.tsx";
import css from "./page.module.css";
import { Tiles } from "./tiles.tsx";

/** The one list of steps, which Setup has too. */
const FirstSteps = later(async () => (await import("../../setup/start.tsx")).FirstSteps);

const HeatPanel = later(async () => (await import("./heat.tsx")).HeatPanel);

const Moved = later(async () => (await import("../changes/moved.tsx")).Moved);

const Presence = later(async () => (await import("./presence.tsx")).Presence);

const Said = later(async () => (await import("./said.tsx")).Said);

const Measured = later(async () => (await import("./measured.tsx")).Measured);

/** How the brand stands: its four values, their course, and its competitors. */
export function OverviewPage() {
  const workspace = useWorkspace();
  const question = useViewQuestion();
  const summary = useSummary(question === null ? null : summaryOf(question));
  if (workspace.error !== null && question === null) {
    return <Failure error={workspace.error} retry={workspace.refetch} />;
  }
  if (question !== null && question.workspace.answers.count === 0) {
    return (
      <>
        <PageHead title="Overview" of={question.workspace.brand.name} />
        <div className={css["steps"]}>
          <Suspense fallback={<div className={css["filters"]} aria-busy="true" />}>
            <FirstSteps />
          </Suspense>
        </div>
      </>
    );
  }
  const metric = question?.view.metric ?? "mentions";
  const empty = emptyText(summary.data?.empty ?? null);
  const hasFailed = summary.data === undefined && summary.error !== null;
  return (
    <>
      <PageHead title="Overview" of={question?.workspace.brand.name} shared={question} />
      {question === null ? <div className={css["filters"]} /> : <FilterBar question={question} />}
      <Tiles
        summary={summary.data}
        isOfBefore={summary.isPlaceholderData}
        hasFailed={summary.error !== null}
        chosen={metric}
      />
      <p className={css["said"]}>
        {summary.data === undefined ? null : (
          <Suspense>
            <Said entities={summary.data.groups[0]?.entities ?? []} />
          </Suspense>
        )}
      </p>
      <div className={css["grid"]}>
        {question === null || empty !== null ? (
          <Panel
            title={metricTexts[metric].title}
            query={summary}
            minHeight={420}
            emptyOf={() => empty}
          >
            {() => null}
          </Panel>
        ) : (
          <Course question={question} metric={metric} />
        )}
        <Everyone summary={summary} question={question} />
      </div>
      {question === null || empty !== null || hasFailed ? null : (
        <>
          <div className={css["moved"]}>
            {/* What is above comes first: neither its code nor its questions wait for this. */}
            {summary.data === undefined ? null : (
              <Suspense>
                <Moved question={question} />
              </Suspense>
            )}
          </div>
          <ByGroup question={question} isFirst={summary.data === undefined} />
          <Later title="Named and cited, four ways">
            <Presence question={question} />
          </Later>
          <Later title="How this was measured">
            <Measured question={question} />
          </Later>
        </>
      )}
    </>
  );
}

interface ByGroupProps {
  readonly question: ViewQuestion;
  /** The panels above have nothing yet, and come first. */
  readonly isFirst: boolean;
}

function ByGroup({ question, isFirst }: ByGroupProps) {
  const waiting = <div className={css["waiting"]} aria-busy="true" />;
  if (isFirst) return waiting;
  return (
    <Suspense fallback={waiting}>
      <HeatPanel question={question} />
    </Suspense>
  );
}

/** Counted when somebody opens it: some take as long as all numbers of the page. */
function Later({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      className={css["measured"]}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{title}</summary>
      {isOpen ? (
        <Suspense fallback={<p aria-busy="true">Counting the answers…</p>}>{children}</Suspense>
      ) : null}
    </details>
  );
}

interface EveryoneProps {
  readonly summary: Reply<NonNullable<ReturnType<typeof useSummary>["data"]>>;
  readonly question: ViewQuestion | null;
}

function Everyone({ summary, question }: EveryoneProps) {
  const view = question?.view ?? plainView;
  const { metric, only } = view;
  const measure = measureOf(view);
  const rows = question === null ? rowsToFill : question.workspace.competitors.length + 1;
  return (
    <Panel
      title="Leaderboard"
      query={summary}
      tools={
        <span className={css["ranked"]}>
          <MeasureChoice view={view} label="Ranked by" />
          <Explained of={measure} title={measureText(measure).title} />
        </span>
      }
      className={rows < rowsToFill ? css["few"] : undefined}
      minHeight={Math.min(listMaxPx, rows * rowPx) + footPx}
      flush
      emptyOf={({ empty, groups }) => emptyText(empty) ?? (groups.length === 0 ? noGroups : null)}
      partialOf={({ groups: [group] }) =>
        group?.flags.includes("insufficient") === true
          ? "Fewer than six effective prompts: values without intervals, and no verdicts."
          : null
      }
    >
      {(reply) => {
        const [group] = reply.groups;
        if (group === undefined) return null;
        return <Leaderboard {...{ group, metric, measure, only }} of={comparedOf(reply)} />;
      }}
    </Panel>
  );
}

/** As leaderboard.module.css has them: what the list takes before it is there. */
const rowPx = 44;
const listMaxPx = 352;
const footPx = 73;

const noGroups = { title: "Nothing to rank", text: "No answer of the period counts." };

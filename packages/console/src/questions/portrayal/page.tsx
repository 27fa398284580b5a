import type { InsightsSummaryResponse, PortrayalFlag } from "@sightline/client";
import { Suspense } from "react";
import { later } from "../../data/later.ts";
import { flagOf, flagTitles } from "../../data/names.ts";
import { type Reply, useSummary, useWorkspace } from "../../data/queries.ts";
import { summaryOf, useViewQuestion, type ViewQuestion } from "../../data/use-question.ts";
import { addressOf, changeOwn } from "../../data/use-view.ts";
import type { View } from "../../data/view.ts";
import { FilterBar } from "../../parts/filter-bar.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { Failure, Panel } from "../../parts/panel.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { emptyText } from "../empty-texts.tsx";
import { Course } from "../overview/course.tsx";
import { HeatPanel } from "../overview/heat.tsx";
import css from "./portrayal.module.css";
import { accuracySentences, listedFlags, nothingSaid, readerSentences } from "./portrayal-texts.ts";
import { Sentences } from "./sentences.tsx";
import { Standing } from "./standing.tsx";

/** How answers speak of the brand and its competitors, and the sentences that say so. */
export function PortrayalPage() {
  const workspace = useWorkspace();
  const question = useViewQuestion();
  if (workspace.error !== null && question === null) {
    return <Failure error={workspace.error} retry={workspace.refetch} />;
  }
  return (
    <>
      <PageHead title="Portrayal" of={question?.workspace.brand.name} shared={question} />
      {question === null ? (
        <div className={css["filters"]} />
      ) : (
        <>
          <FilterBar question={question} alone={question.view.own["tab"] === "claims"} />
          <Content question={question} />
        </>
      )}
    </>
  );
}

/** Of whom the sentences are: the competitor that was brought out last, or the brand. */
function entityOf({ only }: View, { brand, competitors }: ViewQuestion["workspace"]) {
  return competitors.find(({ id }) => id === only.at(-1)) ?? brand;
}

const tabs = [
  ["flags", "By rules"],
  ["claims", "Aspects, by a model"],
] as const;

/** What only those see who open it. */
const Claims = later(async () => (await import("./claims.tsx")).Claims);

function Content({ question }: { readonly question: ViewQuestion }) {
  const { view, workspace } = question;
  const tab = view.own["tab"] === "claims" ? "claims" : "flags";
  return (
    <Tabs
      label="Portrayal"
      tabs={tabs}
      value={tab}
      onChange={(chosen) => changeOwn({ tab: chosen === "flags" ? "" : chosen, aspect: "" })}
    >
      {tab === "flags" ? (
        <Flags question={question} />
      ) : (
        <Suspense fallback={<div className={css["page"]} />}>
          <Claims question={question} entity={entityOf(view, workspace)} />
        </Suspense>
      )}
    </Tabs>
  );
}

function Flags({ question }: { readonly question: ViewQuestion }) {
  const { view, workspace } = question;
  const summary = useSummary(summaryOf(question));
  const flag = flagOf(view.own["flag"]) ?? "recommended";
  const entity = entityOf(view, workspace);
  const entities = summary.data?.groups[0]?.entities ?? [];
  const isListed = listedFlags(entities).includes(flag);
  const isEmpty = summary.data !== undefined && emptyOf(summary.data) !== null;
  const hasFailed = summary.data === undefined && summary.error !== null;
  return (
    <div className={css["page"]}>
      <Standing {...{ summary, question, flag }} chosenId={entity.id} emptyOf={emptyOf} />
      {isEmpty || hasFailed ? null : (
        <>
          <div className={css["grid"]}>
            {isListed ? (
              <Listed flag={flag} summary={summary} />
            ) : (
              <Course question={question} metric={flag} />
            )}
            <Sentences {...{ question, flag, entity }} />
          </div>
          {isListed || summary.data === undefined ? null : (
            <HeatPanel question={question} flag={flag} />
          )}
          <Reader {...{ summary, flag }} entityId={entity.id} />
        </>
      )}
    </div>
  );
}

/** Why the page has nothing to say; of somebody it has where anybody was read. */
function emptyOf({ empty, groups: [group] }: InsightsSummaryResponse) {
  const [brand] = group?.entities ?? [];
  if (group === undefined || brand === undefined) return emptyText(empty) ?? noAnswers;
  const isRead = group.entities.some(({ portrayal }) => {
    return (portrayal?.recommended.denominator ?? 0) > 0;
  });
  return isRead ? null : (emptyText(empty) ?? nothingSaid(brand));
}

const noAnswers = { title: "Nothing to read", text: "No answer of the period counts." };

interface ListedProps {
  readonly flag: PortrayalFlag;
  readonly summary: Reply<InsightsSummaryResponse>;
}

/** In place of a chart that would draw mostly errors. */
function Listed({ flag, summary }: ListedProps) {
  return (
    <Panel
      title={flagTitles[flag]}
      query={summary}
      minHeight={240}
      emptyOf={() => ({
        title: "A list to read, not a number",
        text:
          `The reader is often wrong about “${flagTitles[flag]}” in the languages of these ` +
          "answers (F1 below 0.7), so no share is drawn. The answers that it found are listed.",
      })}
    >
      {() => null}
    </Panel>
  );
}

interface ReaderProps extends ListedProps {
  readonly entityId: string;
}

/** By whom the answers were read, and how often that is right. */
function Reader({ summary, flag, entityId }: ReaderProps) {
  return (
    <Panel title="How this was read" query={summary} minHeight={120}>
      {({ groups: [group] }) => {
        const entity = group?.entities.find(({ id }) => id === entityId);
        if (entity?.portrayal === undefined) return null;
        const { language } = entity.portrayal.reader;
        return (
          <ul className={css["reader"]}>
            {[
              ...readerSentences(entity.name, entity.portrayal.reader),
              ...accuracySentences(flag, language),
            ].map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
            <li>
              <a href="/docs/metrics/portrayal">What each flag means</a>, and{" "}
              <a href="/docs/guide/accuracy#portrayal">how often the reader errs</a>.
            </li>
            <li>
              <a
                href={addressOf({
                  page: "setup",
                  own: { tab: "labels", metric: flag, of: entityId },
                })}
              >
                Label answers yourself, to find out how often it errs here
              </a>
            </li>
          </ul>
        );
      }}
    </Panel>
  );
}

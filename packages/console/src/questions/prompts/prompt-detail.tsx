import type {
  EvidenceAnswer,
  InsightsSummaryResponse,
  MetricName,
  Provider,
} from "@sightline/client";
import { Suspense } from "react";
import type { ViewFilters } from "../../data/filters.ts";
import { countText, tickText, valueText } from "../../data/format.ts";
import { later } from "../../data/later.ts";
import { drawnText, metricOrder, metricTexts } from "../../data/names.ts";
import { useEvidence, useSummary } from "../../data/queries.ts";
import type { ViewQuestion } from "../../data/use-question.ts";
import { changeOwn, changeView } from "../../data/use-view.ts";
import { Button, Segments } from "../../parts/button.tsx";
import { Panel } from "../../parts/panel.tsx";
import { ProviderLabel } from "../../parts/provider-label.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { AnswerList } from "../answer-list.tsx";
import { chartSeries, datesOf, drawnSeries } from "../charts/chart-data.ts";
import { LineChart } from "../charts/line-chart.tsx";
import { useSuitedSeries } from "../charts/suited-series.ts";
import { emptyText } from "../empty-texts.tsx";
import { openEvidence } from "../open-evidence.ts";
import { filtersOfPrompts } from "../prompt-summaries.ts";
import type { PromptRow } from "./prompt-rows.ts";
import css from "./prompts.module.css";

const SideBySide = later(async () => (await import("./side-by-side.tsx")).SideBySide);
const MovedPrompt = later(async () => (await import("../changes/moved.tsx")).MovedPrompt);

interface PromptDetailProps {
  readonly question: ViewQuestion;
  readonly row: PromptRow;
  /** Null: the brand's values. */
  readonly entityId: string | null;
}

const chartHeight = 248;

/** A prompt's course, its values by provider, its newest answers, and what moved. */
export function PromptDetail({ question, row, entityId }: PromptDetailProps) {
  const { filters, workspace } = question;
  const { prompt, answers } = row;
  const its = filtersOfPrompts(filters, [prompt.id]);
  if (answers === 0) {
    return <p className={css["none"]}>No answer to it passes the filters in this period.</p>;
  }
  return (
    <div className={css["detail"]}>
      <Course question={question} promptId={prompt.id} />
      <ProviderTable filters={its} promptId={prompt.id} entityId={entityId ?? workspace.brand.id} />
      <Newest question={question} row={row} entityId={entityId} />
      {question.view.own["beside"] === prompt.id ? (
        <div className={css["wide"]}>
          <Suspense>
            <SideBySide question={question} promptId={prompt.id} />
          </Suspense>
        </div>
      ) : null}
      <div className={css["wide"]}>
        <Suspense>
          <MovedPrompt
            question={question}
            promptId={prompt.id}
            entityId={entityId ?? workspace.brand.id}
          />
        </Suspense>
      </div>
    </div>
  );
}

interface OfPrompt {
  readonly question: ViewQuestion;
  readonly promptId: string;
}

function Course({ question, promptId }: OfPrompt) {
  const { view, filters } = question;
  const { metric } = view;
  const { reply: series } = useSuitedSeries(
    question,
    filtersOfPrompts(filters, [promptId]),
    metric,
  );
  return (
    <Panel
      title={metricTexts[metric].title}
      className={css["part"]}
      query={series}
      minHeight={chartHeight + 16}
      tools={
        <Segments<MetricName>
          label="Metric"
          options={metricOrder.map((each) => [each, metricTexts[each].title])}
          value={metric}
          onChange={(chosen) => changeView({ metric: chosen }, { replace: true })}
        />
      }
    >
      {(reply) => (
        <LineChart
          label={`${drawnText(reply.metric).title} in the answers to this prompt.`}
          series={drawnSeries(chartSeries(reply), [])}
          previous={[]}
          unit={reply.metric === "rank" ? "place" : "fraction"}
          interval={reply.interval}
          withoutLine
          gapReason="No answers"
          format={(value) => valueText(reply.metric, value)}
          formatTick={(value) => tickText(reply.metric, value)}
          height={chartHeight}
          onOpen={(entityId, bucket) => {
            const { role } = drawnText(reply.metric);
            openEvidence({ role, entityId, dates: datesOf(reply, bucket), promptId });
          }}
        />
      )}
    </Panel>
  );
}

/** As many as there are rows of providers next to them. */
const newestMax = 8;

function Newest({ question, row, entityId: given }: PromptDetailProps) {
  const { filters, workspace } = question;
  const entityId = given ?? workspace.brand.id;
  const { prompt, answers, values } = row;
  const without = values === null ? 0 : answers - values.visibility.numerator;
  const reply = useEvidence({
    role: "any",
    limit: newestMax,
    filters: filtersOfPrompts(filters, [prompt.id]),
  });
  const { data, error, refetch } = reply;
  const isBeside = question.view.own["beside"] === prompt.id;
  return (
    <Panel
      title="Newest answers"
      className={css["part"]}
      query={{ data, error, refetch, isPlaceholderData: false }}
      minHeight={chartHeight + 16}
      flush
      tools={
        <>
          {without === 0 ? null : (
            <Button
              onClick={() => openEvidence({ role: "notVisible", entityId, promptId: prompt.id })}
            >{`${countText(without)} without ${values?.name}`}</Button>
          )}
          <Button
            aria-pressed={isBeside}
            onClick={() => changeOwn({ beside: isBeside ? "" : prompt.id })}
          >
            Side by side
          </Button>
          <Button
            onClick={() => openEvidence({ role: "any", entityId: null, promptId: prompt.id })}
          >{`All ${countText(answers)}`}</Button>
        </>
      }
    >
      {({ pages: [first] }) => (
        <AnswerList
          answers={first?.answers ?? []}
          prompts={workspace.prompts}
          noteOf={(id) =>
            noteOf(
              first?.answers.find((each) => each.id === id),
              entityId,
            )
          }
        />
      )}
    </Panel>
  );
}

type Noted = Pick<EvidenceAnswer, "mentionedEntityIds" | "citations">;

/** What an entity is in an answer, in words. */
function noteOf(answer: Noted | undefined, entityId: string): string {
  if (answer === undefined) return "";
  const { mentionedEntityIds, citations } = answer;
  // Of an answer whose text was removed, and of one with very many mentions, these tell it all.
  const rank = mentionedEntityIds.indexOf(entityId) + 1;
  const isCited = citations.some((each) => each.counted && each.entityIds.includes(entityId));
  const words = [
    rank === 0 ? null : `Mentioned, rank ${rank}`,
    isCited ? (rank === 0 ? "Cited" : "cited") : null,
  ].filter((each) => each !== null);
  return words.length === 0 ? "Not visible" : words.join(", ");
}

type Group = InsightsSummaryResponse["groups"][number];

interface ProviderTableProps {
  readonly filters: ViewFilters;
  readonly promptId: string;
  readonly entityId: string;
}

/** An entity's values in the answers to a prompt, by the provider that gave them. */
function ProviderTable({ filters, promptId, entityId }: ProviderTableProps) {
  const summary = useSummary({ groupBy: "provider", filters, entityIds: [entityId] });
  const columns: readonly Column<Group>[] = [
    {
      key: "provider",
      title: "Provider",
      cell: ({ key, name }) => (
        <button
          type="button"
          className={css["provider"]}
          onClick={() => openProvider(key, promptId)}
        >
          {key === null ? name : <ProviderLabel provider={key} />}
        </button>
      ),
    },
    {
      key: "answers",
      title: "Answers",
      figure: true,
      cell: ({ answers }) => countText(answers),
    },
    ...metricOrder.map((metric): Column<Group> => {
      const { field, title } = metricTexts[metric];
      return {
        key: field,
        title,
        figure: true,
        drops: 4 - metricOrder.indexOf(metric),
        cell: ({ entities: [its] }) => valueText(metric, its?.[field].value ?? null),
      };
    }),
  ];
  return (
    <Panel
      title="By provider"
      className={css["part"]}
      query={summary}
      minHeight={264}
      flush
      emptyOf={({ empty, groups }) => (groups.length === 0 ? emptyText(empty) : null)}
    >
      {({ groups }) => (
        <>
          <Table
            caption="Values by provider"
            columns={columns}
            rows={groups}
            keyOf={({ key }) => key ?? ""}
          />
          <p className={css["foot"]}>
            Press a provider to filter by it and to see its answers to this prompt.
          </p>
        </>
      )}
    </Panel>
  );
}

/** The drawer's answers follow the page's filters, so the provider becomes one of them. */
function openProvider(provider: string | null, promptId: string): void {
  if (provider === null) return;
  changeView({
    providers: [provider as Provider],
    evidence: { role: "any", entityId: null, dates: null, promptId, part: null },
    answer: null,
  });
}

import type { EvidenceAnswer, MetricName } from "@sightline/client";
import { chartSeries, drawnSeries } from "../charts/chart-data.ts";
import { LineChart } from "../charts/line-chart.tsx";
import { countText, tickText, valueText } from "../data/format.ts";
import { metricOrder, metricTexts } from "../data/names.ts";
import { openEvidence } from "../data/open-evidence.ts";
import { bucketRange, datesOfRange } from "../data/period.ts";
import { filtersOfPrompts } from "../data/prompt-summaries.ts";
import { useEvidence, useSeries } from "../data/queries.ts";
import type { ViewQuestion } from "../data/use-question.ts";
import { changeView } from "../data/use-view.ts";
import { AnswerList } from "../parts/answer-list.tsx";
import { Button, Segments } from "../parts/button.tsx";
import { Panel } from "../parts/panel.tsx";
import type { PromptRow } from "./prompt-rows.ts";
import css from "./prompts.module.css";
import { ProviderTable } from "./provider-table.tsx";

interface PromptDetailProps {
  readonly question: ViewQuestion;
  readonly row: PromptRow;
  /** Null: the brand's values. */
  readonly entityId: string | null;
}

const chartHeight = 248;

/** A prompt's course, its values by provider, and its newest answers. */
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
    </div>
  );
}

interface OfPrompt {
  readonly question: ViewQuestion;
  readonly promptId: string;
}

function Course({ question, promptId }: OfPrompt) {
  const { view, filters, interval, range } = question;
  const { metric } = view;
  const series = useSeries({ metric, interval, filters: filtersOfPrompts(filters, [promptId]) });
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
          label={`${metricTexts[metric].title} in the answers to this prompt.`}
          series={drawnSeries(chartSeries(reply), [])}
          previous={[]}
          unit={metric === "rank" ? "place" : "fraction"}
          interval={reply.interval}
          gapReason="No answers"
          format={(value) => valueText(metric, value)}
          formatTick={(value) => tickText(metric, value)}
          height={chartHeight}
          onOpen={(entityId, bucket) => {
            const startMs = Date.parse(reply.series[0]?.data[bucket]?.timestamp ?? "");
            const dates = datesOfRange(bucketRange(startMs, interval, range));
            openEvidence({ role: metricTexts[metric].role, entityId, dates, promptId });
          }}
        />
      )}
    </Panel>
  );
}

/** As many as there are providers beside them. */
const newestMax = 8;

function Newest({ question, row, entityId: given }: PromptDetailProps) {
  const { filters, workspace } = question;
  const entityId = given ?? workspace.brand.id;
  const { prompt, answers } = row;
  const reply = useEvidence({
    ...{ role: "any", limit: newestMax },
    filters: filtersOfPrompts(filters, [prompt.id]),
  });
  const { data, error, refetch } = reply;
  return (
    <Panel
      title="Newest answers"
      className={css["part"]}
      query={{ data, error, refetch, isPlaceholderData: false }}
      minHeight={chartHeight + 16}
      flush
      tools={
        <Button
          onClick={() => openEvidence({ role: "any", entityId: null, promptId: prompt.id })}
        >{`All ${countText(answers)}`}</Button>
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

/** What an entity is in an answer, in words. */
function noteOf(answer: EvidenceAnswer | undefined, entityId: string): string {
  if (answer === undefined) return "";
  const { mentions, citations } = answer;
  const rank = mentions.find((each) => each.entityId === entityId)?.rank;
  const isCited = citations.some((each) => each.counted && each.entityIds.includes(entityId));
  const words = [
    rank === undefined ? null : `Mentioned, rank ${rank}`,
    isCited ? (rank === undefined ? "Cited" : "cited") : null,
  ].filter((each) => each !== null);
  return words.length === 0 ? "Not visible" : words.join(", ");
}

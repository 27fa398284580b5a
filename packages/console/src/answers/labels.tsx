import type { InsightsSummaryResponse, LabelMetric } from "@sightline/client";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useAccount } from "../data/account.ts";
import { countOf, countText, intervalText, nothing, percentText } from "../data/format.ts";
import { flagOf } from "../data/names.ts";
import { repliesOf, useSummary } from "../data/queries.ts";
import { useViewQuestion, type ViewQuestion } from "../data/use-question.ts";
import { changeOwn } from "../data/use-view.ts";
import { Button } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { ChoiceField } from "../parts/choice-field.tsx";
import { Field, inputClass } from "../parts/fields.tsx";
import { FilterBar } from "../parts/filter-bar.tsx";
import { Nothing, Panel } from "../parts/panel.tsx";
import { Missing } from "../parts/refused.tsx";
import { Reading } from "./label-reading.tsx";
import { labelMetrics, labelMetricTitle } from "./label-texts.ts";
import css from "./labels.module.css";
import { type Labelling, useDrawn } from "./use-labels.ts";

/** Reading answers to find out how often the service reads them wrongly. */
export function Labels() {
  const question = useViewQuestion();
  if (question === null) return <div className={css["waiting"]} aria-busy="true" />;
  return <Content question={question} />;
}

const limits = [50, 100, 200, 500] as const;
const limitUnlessSaid = 100;

function Content({ question }: { readonly question: ViewQuestion }) {
  const { view, workspace, filters } = question;
  const { own } = view;
  const [labeller, setLabeller] = useState(storedName);
  const all = [workspace.brand, ...workspace.competitors];
  const entity = all.find(({ id }) => id === own["of"]) ?? workspace.brand;
  const metric = labelMetrics.find((each) => each === own["metric"]) ?? "recommended";
  const limit = limits.find((each) => String(each) === own["count"]) ?? limitUnlessSaid;
  const seed = /^[1-9]\d{0,6}$/.test(own["seed"] ?? "") ? Number(own["seed"]) : 1;
  const labelling: Labelling = { labeller, entityId: entity.id, metric, limit, seed, filters };
  return (
    <>
      <Missing scope="import" what="Labelling" />
      <FilterBar question={question} alone />
      <Card
        title="What to label"
        text={
          <span className={css["about"]}>
            Read answers that are drawn at random, each prompt as likely as another. The numbers
            then have an interval that knows how often the service errs.{" "}
            <a className={css["how"]} href="/docs/guide/labels">
              How labels work
            </a>
          </span>
        }
        padded
      >
        <div className={css["choices"]}>
          <Labeller name={labeller} onName={setLabeller} />
          <ChoiceField
            label="About"
            value={entity.id}
            options={all.map(({ id, name }) => [id, name])}
            onChange={(of) => changeOwn({ of })}
          />
          <ChoiceField
            label="Whether it is"
            value={metric}
            options={labelMetrics.map((each) => [each, labelMetricTitle(each)])}
            onChange={(chosen) => changeOwn({ metric: chosen })}
          />
          <ChoiceField
            label="Answers"
            value={String(limit)}
            options={limits.map((each) => [String(each), countText(each)])}
            onChange={(count) => changeOwn({ count })}
          />
        </div>
      </Card>
      {labeller === "" ? (
        <Card title="Answers">
          <Nothing title="Who reads?" text="Type your name above: each label says who gave it." />
        </Card>
      ) : (
        <Draw labelling={labelling} question={question} name={entity.name} />
      )}
      <Results question={question} metric={metric} entityId={entity.id} />
    </>
  );
}

const place = "sightline.labeller";
const nameCharactersMax = 100;

/** The name of the last labeller in this browser. */
function storedName(): string {
  try {
    return localStorage.getItem(place) ?? "";
  } catch {
    return ""; // the browser keeps nothing
  }
}

/** The name is taken when the field is left, so that no label has half of it. */
function Labeller({ name, onName }: { name: string; onName: (name: string) => void }) {
  const [typed, setTyped] = useState(name);
  const take = () => {
    const taken = typed.trim();
    setTyped(taken);
    onName(taken);
    try {
      localStorage.setItem(place, taken);
    } catch {
      // It is typed again the next time.
    }
  };
  return (
    <Field label="Your name">
      {(field) => (
        <input
          {...field}
          className={inputClass}
          value={typed}
          maxLength={nameCharactersMax}
          autoComplete="nickname"
          onChange={({ target }) => setTyped(target.value)}
          onBlur={take}
          onKeyDown={({ key, nativeEvent, currentTarget }) => {
            // The keys that answer work when nothing is typed.
            if (key === "Enter" && !nativeEvent.isComposing) currentTarget.blur();
          }}
        />
      )}
    </Field>
  );
}

interface DrawProps {
  readonly labelling: Labelling;
  readonly question: ViewQuestion;
  readonly name: string;
}

function Draw({ labelling, question, name }: DrawProps) {
  const drawn = useDrawn(labelling);
  const { seed } = labelling;
  return (
    <Panel
      title="Answers"
      query={drawn}
      minHeight={320}
      tools={
        <Button kind="plain" onClick={() => changeOwn({ seed: String(seed + 1) })}>
          Draw others
        </Button>
      }
      emptyOf={({ sample }) => (sample.length === 0 ? emptyText(labelling.metric, name) : null)}
    >
      {(data) => (
        <>
          <p className="small quiet">
            {countOf(data.sample.length, "answer")} of {countText(data.answers)} to{" "}
            {countOf(data.prompts, "prompt")}, draw {seed}.
          </p>
          <Reading
            key={JSON.stringify(labelling)}
            drawn={data}
            workspace={question.workspace}
            {...{ labelling, name }}
          />
        </>
      )}
    </Panel>
  );
}

function emptyText(metric: LabelMetric, name: string) {
  return {
    title: "No answer can be drawn",
    text:
      flagOf(metric) === null
        ? "No answer of the period passes the filters and has a text."
        : `No answer of the period that passes the filters mentions ${name} and could be read.`,
  };
}

interface ResultsProps {
  readonly question: ViewQuestion;
  readonly metric: LabelMetric;
  readonly entityId: string;
}

/** What the labels of everybody come to. */
function Results({ question: { filters }, metric, entityId }: ResultsProps) {
  const account = useAccount();
  const queries = useQueryClient();
  const portrayal = flagOf(metric) !== null;
  const summary = useSummary({
    groupBy: "none",
    filters,
    portrayal,
    entityIds: [entityId],
    include: ["extraction"],
  });
  const again = () => void queries.invalidateQueries({ queryKey: repliesOf(account, "summary") });
  return (
    <Panel
      title="What the labels say"
      query={summary}
      minHeight={200}
      tools={
        <Button kind="plain" onClick={again}>
          Count again
        </Button>
      }
      emptyOf={(data) => {
        const labelled = labelledValue(data, metric, entityId)?.extraction?.labelled ?? 0;
        if (labelled > 0) return null;
        return {
          title: "No answer is labelled yet",
          text: "With labels of answers to six prompts or more, the value has an interval.",
        };
      }}
    >
      {(data) => <Figures value={labelledValue(data, metric, entityId)} />}
    </Panel>
  );
}

function labelledValue(
  { groups: [group] }: InsightsSummaryResponse,
  metric: LabelMetric,
  id: string,
) {
  const entity = group?.entities.find((each) => each.id === id);
  if (metric === "mentions" || metric === "citations") return entity?.[metric];
  return entity?.portrayal?.[metric];
}

function Figures({ value: own }: { readonly value: ReturnType<typeof labelledValue> }) {
  const { extraction } = own ?? {};
  if (own === undefined || extraction === undefined) return null;
  const { labelled, labelledPrompts, missed, wrong, precision, recall, kappa } = extraction;
  const likely = intervalText("mentions", extraction.interval);
  return (
    <dl className={css["figures"]}>
      <Figure title="By labels" note={likely === null ? fewText : `${likely} likely`}>
        {percentText(extraction.value)}
      </Figure>
      <Figure
        title="As the service reads"
        note={`${countText(own.numerator)} of ${countOf(own.denominator, "answer")}`}
      >
        {percentText(own.value)}
      </Figure>
      <Figure title="Precision" note="Of what the service finds, the part that labels find too.">
        {percentText(precision)}
      </Figure>
      <Figure title="Recall" note="Of what labels find, the part that the service finds too.">
        {percentText(recall)}
      </Figure>
      <Figure title="Agreement (κ)" note="1 is full agreement, 0 what chance gives.">
        {kappa === null ? nothing : kappa.toFixed(2)}
      </Figure>
      <Figure
        title="Labelled"
        note={
          `Answers to ${countOf(labelledPrompts, "prompt")}, by everybody. The service missed ` +
          `${countText(missed)} and found ${countText(wrong)} wrongly.`
        }
      >
        {countText(labelled)}
      </Figure>
    </dl>
  );
}

const fewText = "No interval: labels of answers to six prompts or more are needed.";

interface FigureProps {
  readonly title: string;
  readonly note: string;
  readonly children: ReactNode;
}

function Figure({ title, note, children }: FigureProps) {
  return (
    <div>
      <dt>{title}</dt>
      <dd className={css["value"]}>{children}</dd>
      <dd className="small quiet">{note}</dd>
    </div>
  );
}

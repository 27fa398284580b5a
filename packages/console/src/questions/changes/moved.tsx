import type { ContributionGrouping } from "@sightline/client";
import { useState } from "react";
import { tagsOf, type ViewFilters } from "../../data/filters.ts";
import { countText, rangeText } from "../../data/format.ts";
import { metricTexts } from "../../data/names.ts";
import { datesOfRange, type Range } from "../../data/period.ts";
import { type Reply, useChanges, useSummary } from "../../data/queries.ts";
import { summaryOf, type ViewQuestion } from "../../data/use-question.ts";
import { changeOwn, changeView } from "../../data/use-view.ts";
import { Button } from "../../parts/button.tsx";
import { type Empty, Nothing, Panel } from "../../parts/panel.tsx";
import type { Column } from "../../parts/table.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { emptyText } from "../empty-texts.tsx";
import { openEvidence } from "../open-evidence.ts";
import { filtersOfPrompts } from "../prompt-summaries.ts";
import { ChangeMark, comparedOf } from "./change.tsx";
import { verdictText, verdictWord } from "./change-text.ts";
import { Competitors } from "./competitors.tsx";
import { ContributionTable, contributionText } from "./contribution-table.tsx";
import { type ContributionRow, contributionRows } from "./contributions.ts";
import css from "./moved.module.css";
import { type Waterfall, type WaterfallStep, waterfallOf } from "./moved-rows.ts";

type Summary = NonNullable<ReturnType<typeof useSummary>["data"]>;
type Tab = Exclude<ContributionGrouping, "region" | "surface"> | "competitor";

const tabTexts: Readonly<Record<Tab, string>> = {
  prompt: "Prompts",
  topic: "Topics",
  tag: "Tags",
  provider: "Providers",
  model: "Models",
  domain: "Domains",
  competitor: "Competitors",
};

/** What is explained: both periods of an entity's value, of all prompts or one. */
interface Explained {
  readonly question: ViewQuestion;
  readonly filters: ViewFilters;
  readonly comparedFilters: ViewFilters;
  readonly compared: Range;
  readonly entityId: string;
  /** Null: all prompts that pass the filters. */
  readonly promptId: string | null;
  readonly tabs: readonly Tab[];
}

interface MovedProps {
  readonly question: ViewQuestion;
}

/** Below the overview's chart: how the brand's value came from before to now, and what moved it. */
export function Moved({ question }: MovedProps) {
  const { filters, comparedFilters, compared, workspace } = question;
  if (comparedFilters === null || compared === null) return <NotCompared question={question} />;
  const entityId = workspace.brand.id;
  const all = Object.keys(tabTexts) as readonly Tab[];
  const tabs = tagsOf(workspace).length > 0 ? all : all.filter((tab) => tab !== "tag");
  return (
    <Parts {...{ question, filters, comparedFilters, compared, entityId, tabs }} promptId={null} />
  );
}

/** The same of the answers to one prompt, by provider and domain. */
export function MovedPrompt(props: MovedProps & Pick<Explained, "entityId" | "promptId">) {
  const { question, promptId } = props;
  const { filters, comparedFilters, compared } = question;
  if (promptId === null) return null;
  if (comparedFilters === null || compared === null) return <NotCompared question={question} />;
  return (
    <Parts
      {...{ ...props, compared }}
      filters={filtersOfPrompts(filters, [promptId])}
      comparedFilters={filtersOfPrompts(comparedFilters, [promptId])}
      tabs={["provider", "domain"]}
    />
  );
}

function NotCompared({ question }: MovedProps) {
  return (
    <section className={css["uncompared"]} aria-label="What moved">
      <Nothing
        title="What moved"
        text={
          question.notCompared ?? "A period is compared with another to say what moved, and why."
        }
        actions={
          <Button onClick={() => changeView({ compare: "previous" })}>
            Compare with the period before
          </Button>
        }
      />
    </section>
  );
}

function Parts(of: Explained) {
  const { promptId, entityId, filters, comparedFilters } = of;
  // Of all prompts it is what the tiles asked; each p is adjusted among the same tests.
  const summary = useSummary({
    ...summaryOf({ filters, comparedFilters }),
    ...(promptId === null ? {} : { entityIds: [entityId] }),
  });
  return (
    <div className={css["moved"]}>
      <Steps of={of} summary={summary} />
      <Why of={of} summary={summary} />
    </div>
  );
}

interface PartProps {
  readonly of: Explained;
  readonly summary: Reply<Summary>;
}

/** The parts of the change, from the value before to the value now. */
function Steps({ of, summary }: PartProps) {
  const { question, compared, entityId } = of;
  const { metric } = question.view;
  const { field, title } = metricTexts[metric];
  const days = { before: rangeText(compared), now: rangeText(question.range) };
  // A single prompt is in both periods, or there is nothing to compare.
  const isOf = ({ key }: WaterfallStep) => of.promptId === null || !key.startsWith("prompts");
  return (
    <Panel
      title="What moved"
      query={summary}
      minHeight={stepsHeight}
      emptyOf={(reply) => {
        const value = reply.groups[0]?.entities.find(({ id }) => id === entityId)?.[field];
        return value?.change?.value == null ? nothingOf(reply.empty) : null;
      }}
    >
      {(reply) => {
        const value = reply.groups[0]?.entities.find(({ id }) => id === entityId)?.[field];
        if (value?.change === undefined) return null;
        const { prompts } = comparedOf(reply);
        const waterfall = waterfallOf({
          metric,
          now: value.value,
          change: value.change,
          prompts,
          days,
        });
        return waterfall === null ? null : (
          <>
            <p className={css["verdict"]}>
              <strong>{title}.</strong>{" "}
              {of.promptId === null ? verdictText(value.change) : onePrompt}
            </p>
            <WaterfallSteps steps={waterfall.steps.filter(isOf)} />
            <p className={css["note"]}>
              {`The scale is ${waterfall.scale}, not from 0. `}
              {metric === "rank" ? "To the right is a later place." : null}
            </p>
          </>
        );
      }}
    </Panel>
  );
}

const stepsHeight = 420;
/** Of the tabs above the other panel. */
const tabsHeight = 52;

function WaterfallSteps({ steps }: Pick<Waterfall, "steps">) {
  return (
    <ol className={css["waterfall"]} aria-label="From the value before to the value now">
      {steps.map(({ key, kind, title, about, text, from, to }, at) => (
        <li key={key} className={css[kind]}>
          <span>
            {title}
            <span className={css["about"]}>{about}</span>
          </span>
          <span className={css["track"]} aria-hidden="true">
            {kind === "side" ? (
              <span className={css["mark"]} style={{ left: percent(to) }} />
            ) : from === to ? null : (
              <span
                className={css[to < from ? "lowers" : "raises"]}
                style={{ left: percent(Math.min(from, to)), width: percent(Math.abs(to - from)) }}
              />
            )}
            {at === steps.length - 1 ? null : (
              <span className={css["link"]} style={{ left: percent(to) }} />
            )}
          </span>
          <span className={css["figure"]}>{text}</span>
        </li>
      ))}
    </ol>
  );
}

const onePrompt = "One prompt is too few for a verdict: chance may show as much.";

const percent = (fraction: number): string => `${(fraction * 100).toFixed(2)}%`;

/** What is behind the change: parts that add up to it, or the competitors' own changes. */
function Why({ of, summary }: PartProps) {
  const { question, tabs } = of;
  const { view } = question;
  // Places are not divided by domain.
  const shown = tabs.filter((each) => each !== "domain" || view.metric !== "rank");
  const tab = shown.find((each) => each === view.own["moved"]) ?? shown[0] ?? "provider";
  return (
    <section className={css["why"]} aria-label="Why">
      <Tabs<Tab>
        label="What is behind the change"
        tabs={shown.map((each) => [each, tabTexts[each]])}
        value={tab}
        onChange={(chosen) => changeOwn({ moved: chosen === shown[0] ? "" : chosen })}
      >
        {tab === "competitor" ? (
          <Competitors summary={summary} metric={view.metric} compared={of.compared} />
        ) : (
          <Contributions key={tab} of={of} by={tab} />
        )}
      </Tabs>
    </section>
  );
}

/** Lines that are shown at first; a prompt's are opened in place, up to the most that are asked. */
const rows = { first: 5, all: 500 } as const;

interface ContributionsProps {
  readonly of: Explained;
  readonly by: Exclude<Tab, "competitor">;
}

function Contributions({ of, by }: ContributionsProps) {
  const { question, filters, comparedFilters, compared, entityId, promptId } = of;
  const [limit, setLimit] = useState<number>(rows.first);
  const { metric } = question.view;
  const { field, role } = metricTexts[metric];
  const compare = { filters: comparedFilters };
  const changes = useChanges({ entityId, metric: field, by, limit, filters, compare });
  const own = useOwnChanges(of, by);
  const all = () => {
    if (promptId === null) changeView({ why: { metric, entityId, by } });
    else setLimit(rows.all);
  };
  return (
    <Panel
      title={`${tabTexts[by]} behind the change`}
      query={changes}
      minHeight={stepsHeight - tabsHeight}
      flush
      tools={limit === rows.first ? <AllButton of={changes} onClick={all} /> : null}
      emptyOf={({ value, empty }) => (value === null ? nothingOf(empty) : null)}
    >
      {(reply) => (
        <>
          <p className={css["explained"]}>
            {contributionText(reply.by)}
            {own === undefined ? null : ` ${ownText}`}
          </p>
          <ContributionTable
            by={reply.by}
            rows={contributionRows({ reply, before: datesOfRange(compared) })}
            open={({ evidence }) => {
              if (evidence === null) return;
              const narrowed = { ...evidence, promptId: promptId ?? evidence.promptId };
              openEvidence({ role, entityId, ...narrowed });
            }}
            last={own}
          />
        </>
      )}
    </Panel>
  );
}

/**
 * The column of the lines' own changes, which have verdicts where contributions have none; nothing
 * where no line can have one, since a single prompt is never tested, nor is a domain.
 */
function useOwnChanges(of: Explained, by: Tab): Column<ContributionRow> | undefined {
  const { question, filters, comparedFilters, entityId, promptId } = of;
  const { metric } = question.view;
  const isTested = promptId === null && (by === "provider" || by === "topic");
  const { data } = useSummary(
    isTested
      ? { groupBy: by, filters, compare: { filters: comparedFilters }, entityIds: [entityId] }
      : null,
  );
  if (!isTested) return undefined;
  const changeOf = ({ kind, key }: ContributionRow) => {
    const group = kind === "part" ? data?.groups.find((each) => (each.key ?? "") === key) : null;
    return group?.entities[0]?.[metricTexts[metric].field].change;
  };
  return {
    key: "own",
    title: "Own change",
    figure: true,
    drops: 2,
    explained: "ownChange",
    cell: (row) => {
      const change = changeOf(row);
      if (change === undefined || change.value === null) return null;
      return (
        <span className={css["own"]}>
          <ChangeMark metric={metric} change={change} />
          <span>{verdictWord(change)}</span>
        </span>
      );
    },
  };
}

const ownText = "The own change of a line is like for like, with a verdict of its own.";

interface AllButtonProps {
  readonly of: ReturnType<typeof useChanges>;
  readonly onClick: () => void;
}

function AllButton({ of: { data }, onClick }: AllButtonProps) {
  if (data === undefined || data.rest.contributions === 0) return null;
  const all = data.contributions.length + data.rest.contributions;
  return <Button onClick={onClick}>{`All ${countText(all)}`}</Button>;
}

const nothingOf = (empty: Parameters<typeof emptyText>[0]): Empty =>
  emptyText(empty) ?? {
    title: "Nothing to compare",
    text: "One of the two periods has no value, so there is no change to explain.",
  };

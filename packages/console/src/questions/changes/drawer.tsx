import type { ContributionGrouping } from "@sightline/client";
import { useState } from "react";
import { tagsOf } from "../../data/filters.ts";
import { countText, rangeText } from "../../data/format.ts";
import { metricTexts } from "../../data/names.ts";
import { datesOfRange } from "../../data/period.ts";
import { useChanges, useSummary } from "../../data/queries.ts";
import { summaryOf, useViewQuestion, type ViewQuestion } from "../../data/use-question.ts";
import { changeView, useView } from "../../data/use-view.ts";
import type { WhyAddress } from "../../data/view.ts";
import { Button, Segments } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { type Empty, Nothing, Panel } from "../../parts/panel.tsx";
import { filterTexts } from "../described.ts";
import { emptyText } from "../empty-texts.tsx";
import { openEvidence } from "../open-evidence.ts";
import { ChangeDetails, comparedOf } from "./change.tsx";
import css from "./changes.module.css";
import { ContributionTable, contributionText } from "./contribution-table.tsx";
import { contributionRows, groupingsOf, groupingTexts } from "./contributions.ts";
import { openPlan, planTitle } from "./open-plan.ts";
import { Trend } from "./trend.tsx";

const close = (): void => changeView({ why: null });

/** Why a value changed, from the right edge; its address can be sent to others. */
export function WhyDrawer() {
  const { why } = useView();
  const question = useViewQuestion();
  if (why === null || question === null) return null;
  const { workspace, range, compared } = question;
  const entityId = why.entityId ?? workspace.brand.id;
  const entity = [workspace.brand, ...workspace.competitors].find(({ id }) => id === entityId);
  const days = [range, ...(compared === null ? [] : [compared])].map(rangeText);
  const about = [`${days.join(" against ")} (UTC)`, ...filterTexts(question.filters, workspace)];
  const { title } = metricTexts[why.metric];
  return (
    <Dialog
      drawer
      onClose={close}
      title={`Why ${title} of ${entity?.name ?? "an entity"} changed`}
      about={`${about.join(", ")}.`}
    >
      {entity === undefined ? (
        <Nothing title="No longer tracked" text="The entity counts in no answer any more." />
      ) : compared === null ? (
        <Nothing
          title="Compared with nothing"
          text={question.notCompared ?? "Choose a period to compare with."}
          actions={
            <Button onClick={() => changeView({ compare: "previous" })}>
              Compare with the period before
            </Button>
          }
        />
      ) : (
        <div className={css["sections"]}>
          <Change question={question} why={why} entityId={entityId} />
          <Contributions question={question} why={why} entityId={entityId} />
        </div>
      )}
    </Dialog>
  );
}

interface WhyProps {
  readonly question: ViewQuestion;
  readonly why: WhyAddress;
  readonly entityId: string;
}

/** The change as the page judges it, among the tests of all its values. */
function Change({ question, why: { metric }, entityId }: WhyProps) {
  const summary = useSummary(summaryOf(question));
  const { field, title } = metricTexts[metric];
  return (
    <Panel
      title={`Change of ${title}`}
      query={summary}
      minHeight={240}
      className={css["change"]}
      tools={<Button onClick={() => openPlan({ metric, entityId })}>{planTitle}</Button>}
      emptyOf={({ groups: [group], empty }) => (group === undefined ? nothingOf(empty) : null)}
    >
      {(reply) => {
        const value = reply.groups[0]?.entities.find(({ id }) => id === entityId)?.[field];
        if (value?.change === undefined) return null;
        const { change, effectivePrompts } = value;
        return (
          <ChangeDetails {...{ ...comparedOf(reply), metric, change, effectivePrompts }}>
            <Trend metric={metric} entityId={entityId} />
          </ChangeDetails>
        );
      }}
    </Panel>
  );
}

/** Contributions that are asked for, at first and at most. */
const limits = { first: 20, all: 500 } as const;

/** What each part of the answers contributes to the change. */
function Contributions({ question, why, entityId }: WhyProps) {
  const { filters, comparedFilters, compared } = question;
  const [limit, setLimit] = useState<number>(limits.first);
  const { metric } = why;
  const hasTags = tagsOf(question.workspace).length > 0;
  const allowed = groupingsOf(metric).filter((each) => each !== "tag" || hasTags);
  const by = allowed.includes(why.by) ? why.by : "prompt";
  const { field, role } = metricTexts[metric];
  const changes = useChanges(
    comparedFilters === null
      ? null
      : { entityId, metric: field, by, limit, filters, compare: { filters: comparedFilters } },
  );
  return (
    <Panel
      title="Contributions"
      query={changes}
      minHeight={480}
      flush
      tools={
        <Segments<ContributionGrouping>
          label="Divided by"
          options={allowed.map((each) => [each, groupingTexts[each]])}
          value={by}
          onChange={(chosen) => {
            setLimit(limits.first);
            changeView({ why: { ...why, by: chosen } }, { replace: true });
          }}
        />
      }
      staleOf={(shown) => `Loading; these are still by ${shown.by}`}
      emptyOf={({ value, empty }) => (value === null ? nothingOf(empty) : null)}
    >
      {(reply) => {
        const before = datesOfRange(compared ?? question.range);
        const rows = contributionRows({ reply, before });
        const { contributions } = reply.rest;
        return (
          <>
            <p className={css["explained"]}>{contributionText(reply.by)}</p>
            <ContributionTable
              by={reply.by}
              rows={rows}
              open={({ evidence }) => {
                if (evidence !== null) openEvidence({ role, entityId, ...evidence });
              }}
            />
            {contributions === 0 || limit === limits.all ? null : (
              <div className={css["more"]}>
                <Button kind="plain" onClick={() => setLimit(limits.all)}>
                  {moreText(limits.first + contributions)}
                </Button>
              </div>
            )}
          </>
        );
      }}
    </Panel>
  );
}

const moreText = (all: number): string =>
  all > limits.all ? `Show the largest ${countText(limits.all)}` : `Show all ${countText(all)}`;

const nothingOf = (empty: Parameters<typeof emptyText>[0]): Empty =>
  emptyText(empty) ?? {
    title: "Nothing to compare",
    text: "One of the two periods has no value, so there is no change to explain.",
  };

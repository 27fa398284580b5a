import type { InsightsPlanResponse, MetricName } from "@sightline/client";
import { plannedOptions, planSentences, sizeText } from "@sightline/contract/insight-sentences";
import { useState } from "react";
import { countText, dollarsText, nothing, rangeText } from "../../data/format.ts";
import { metricOrder, metricTexts, providerName } from "../../data/names.ts";
import { usePlan } from "../../data/queries.ts";
import { useViewQuestion, type ViewQuestion } from "../../data/use-question.ts";
import { changeView, useView } from "../../data/use-view.ts";
import type { PlanAddress } from "../../data/view.ts";
import { Button, Segments } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, inputClass } from "../../parts/fields.tsx";
import { Nothing, Panel } from "../../parts/panel.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Tag } from "../../parts/tag.tsx";
import { filterTexts } from "../described.ts";
import { emptyText } from "../empty-texts.tsx";
import css from "./changes.module.css";
import { changeOf, plannedUnit, typedOf } from "./planned-change.ts";

const close = (): void => changeView({ plan: null });

/** How much data shows a change, from the right edge; its address can be sent to others. */
export function PlanDrawer() {
  const { plan } = useView();
  const question = useViewQuestion();
  if (plan === null || question === null) return null;
  const { workspace, range, filters } = question;
  const entityId = plan.entityId ?? workspace.brand.id;
  const entity = [workspace.brand, ...workspace.competitors].find(({ id }) => id === entityId);
  const about = [`${rangeText(range)} (UTC)`, ...filterTexts(filters, workspace)];
  return (
    <Dialog
      drawer
      onClose={close}
      title={`How much data would show a change of ${entity?.name ?? "an entity"}?`}
      about={`${about.join(", ")}.`}
    >
      {entity === undefined ? (
        <Nothing title="No longer tracked" text="The entity counts in no answer any more." />
      ) : (
        <Plan question={question} plan={plan} entityId={entityId} />
      )}
    </Dialog>
  );
}

interface PlanProps {
  readonly question: ViewQuestion;
  readonly plan: PlanAddress;
  readonly entityId: string;
}

function Plan({ question: { filters }, plan, entityId }: PlanProps) {
  const { metric, change } = plan;
  const { field } = metricTexts[metric];
  const wanted = change === null ? {} : { change };
  const reply = usePlan({ entityId, metric: field, ...wanted, filters });
  return (
    <Panel
      title="Plan"
      query={reply}
      minHeight={480}
      flush
      tools={
        <Segments<MetricName>
          label="Change of"
          options={metricOrder.map((each) => [each, metricTexts[each].title])}
          value={metric}
          onChange={(chosen) =>
            changeView({ plan: { ...plan, metric: chosen, change: null } }, { replace: true })
          }
        />
      }
      emptyOf={({ empty }) => emptyText(empty)}
    >
      {(found) => (
        <>
          <WantedChange key={`${found.metric} ${found.change}`} plan={plan} found={found} />
          <div className={css["explained"]}>
            {planSentences(found).map((sentence) => (
              <p key={sentence}>{sentence}</p>
            ))}
          </div>
          <Options found={found} />
        </>
      )}
    </Panel>
  );
}

function Options({ found }: { readonly found: InsightsPlanResponse }) {
  const rows = plannedOptions(found);
  if (rows.length === 0) return null;
  return (
    <>
      <Table
        caption="Ways to see the change"
        columns={columnsOf(found)}
        rows={rows}
        keyOf={({ answersPerPrompt }) => answersPerPrompt}
      />
      <p className={css["foot"]}>
        Answers are of all providers and regions together, in a period as long as this one.
        {unpricedText(found)}
      </p>
    </>
  );
}

interface WantedChangeProps {
  readonly plan: PlanAddress;
  /** What is shown: its change, in the unit of its metric. */
  readonly found: InsightsPlanResponse;
}

/** The change that is to be seen; Enter or the button plans for it. */
function WantedChange({ plan, found }: WantedChangeProps) {
  const metric = found.metric === "rank" ? "rank" : "mentions";
  const [typed, setTyped] = useState(typedOf(metric, found.change));
  const [fault, setFault] = useState<string | null>(null);
  return (
    <form
      className={css["wanted"]}
      onSubmit={(event) => {
        event.preventDefault();
        const said = changeOf(metric, typed);
        setFault("fault" in said ? said.fault : null);
        if ("change" in said) {
          changeView({ plan: { ...plan, change: said.change } }, { replace: true });
        }
      }}
    >
      <Field label={`Change to be seen, in ${plannedUnit(metric)}`} fault={fault}>
        {(props) => (
          <input
            {...props}
            className={inputClass}
            inputMode="decimal"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        )}
      </Field>
      <Button type="submit">Plan</Button>
    </form>
  );
}

type Option = InsightsPlanResponse["options"][number];

/** The columns of the table; a phone leaves out the answers, which are the product of two. */
function columnsOf({ metric }: InsightsPlanResponse): readonly Column<Option>[] {
  const count = (value: number | null) => (value === null ? nothing : countText(value));
  return [
    {
      key: "each",
      title: "Answers a prompt",
      explained: "answersPerPrompt",
      cell: ({ answersPerPrompt, isCheapest }) => (
        <span className={css["option"]}>
          {countText(answersPerPrompt)}
          {isCheapest ? <Tag kind="accent">cheapest</Tag> : null}
        </span>
      ),
    },
    { key: "prompts", title: "Prompts", figure: true, cell: ({ prompts }) => count(prompts) },
    {
      key: "answers",
      title: "Answers",
      figure: true,
      drops: 1,
      cell: ({ requests }) => count(requests),
    },
    {
      key: "cost",
      title: "Cost",
      figure: true,
      drops: 2,
      explained: "planCost",
      cell: ({ cost }) => (cost === null ? nothing : dollarsText(cost)),
    },
    {
      key: "least",
      title: "Least change now",
      explained: "leastChange",
      figure: true,
      cell: ({ leastChange }) => (leastChange === null ? nothing : sizeText(metric, leastChange)),
    },
  ];
}

function unpricedText({ prices }: InsightsPlanResponse): string {
  const names = prices
    .filter(({ cost }) => cost === null)
    .map((each) => providerName(each.provider));
  return names.length === 0 ? "" : ` No cost is known: no price is set for ${names.join(", ")}.`;
}

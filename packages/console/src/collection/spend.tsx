import type { CollectionsResponse } from "@sightline/client";
import { useWorkspaceFile } from "../accounts/queries.ts";
import { countText, dollarsText } from "../data/format.ts";
import type { Reply } from "../data/queries.ts";
import { Panel } from "../parts/panel.tsx";
import { ProviderLabel } from "../parts/provider-label.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Tag } from "../parts/tag.tsx";
import css from "./collection.module.css";
import { GuideLink } from "./guide-link.tsx";
import { isReached, type SpendRow, type SpendSum, spendRows } from "./spend-rows.ts";

/** What was spent today and this month, and the most a day may cost. */
export function Spend({ list }: { readonly list: Reply<CollectionsResponse> }) {
  const { data: workspace } = useWorkspaceFile();
  const caps = workspace?.file.collection?.caps;
  const isUncapped = workspace !== undefined && caps?.dollarsPerDay === undefined;
  return (
    <Panel
      title="What was spent"
      query={list}
      flush
      minHeight={120}
      emptyOf={({ spend }) => (spendRows(spend, caps).length === 1 ? empty : null)}
      partialOf={() =>
        isUncapped ? (
          <>
            No cap is declared on the dollars of a day: nothing bounds what all providers cost.{" "}
            <GuideLink at="#price" text="How to declare caps" />
          </>
        ) : null
      }
    >
      {({ spend }) => (
        <>
          <Table
            caption="Spending by provider"
            rows={spendRows(spend, caps)}
            keyOf={({ provider }) => provider ?? ""}
            rowClass={({ provider }) => (provider === null ? css["total"] : undefined)}
            columns={columns}
          />
          <p className={css["note"]}>
            Days and months are UTC. Reserved is the most that requests under way may cost. Requests
            without a reply may have cost something, which the sums leave out. Assumed is the part
            of the sums that the vendor did not report.
          </p>
        </>
      )}
    </Panel>
  );
}

const empty = {
  title: "Nothing was spent this month",
  text: "Requests are listed here by provider, for today and this month (UTC).",
};

const columns: readonly Column<SpendRow>[] = [
  {
    key: "provider",
    title: "Provider",
    cell: (row) => (
      <span className={css["name"]}>
        {row.provider === null ? "All providers" : <ProviderLabel provider={row.provider} />}
        {isReached(row) ? <Tag kind="doubt">cap reached</Tag> : null}
      </span>
    ),
  },
  {
    key: "callsToday",
    title: "Requests today",
    figure: true,
    drops: 2,
    cell: ({ today, cap }) => (
      <>
        {countText(today.calls)}
        <Cap text={cap.calls === null ? null : countText(cap.calls)} />
      </>
    ),
  },
  {
    key: "today",
    title: "Today",
    figure: true,
    cell: ({ today, cap }) => (
      <>
        {dollarsText(today.dollars)}
        <Cap text={cap.dollars === null ? null : dollarsText(cap.dollars)} />
        <Open sum={today} />
      </>
    ),
  },
  {
    key: "callsMonth",
    title: "Requests this month",
    figure: true,
    drops: 1,
    cell: ({ month }) => countText(month.calls),
  },
  {
    key: "month",
    title: "This month",
    figure: true,
    cell: ({ month }) => (
      <>
        {dollarsText(month.dollars)}
        <Open sum={month} />
      </>
    ),
  },
];

/** The most of a day, after what it is the most of. */
function Cap({ text }: { readonly text: string | null }) {
  return text === null ? null : <span className="quiet"> of {text}</span>;
}

/** What may come in addition. */
function Open({
  sum: { assumedDollars, reservedDollars, unsettledDollars },
}: {
  readonly sum: SpendSum;
}) {
  return (
    <>
      {reservedDollars === 0 ? null : (
        <div className={`small quiet ${css["open"]}`}>
          + {dollarsText(reservedDollars)} reserved
        </div>
      )}
      {unsettledDollars === 0 ? null : (
        <div className={`small quiet ${css["open"]}`}>
          may have cost {dollarsText(unsettledDollars)} more
        </div>
      )}
      {assumedDollars === 0 ? null : (
        <div className={`small quiet ${css["open"]}`}>{dollarsText(assumedDollars)} assumed</div>
      )}
    </>
  );
}

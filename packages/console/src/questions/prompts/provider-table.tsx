import type { AnalyticsFilters, InsightsSummaryResponse, Provider } from "@sightline/client";
import { countText, valueText } from "../../data/format.ts";
import { metricOrder, metricTexts, providerName } from "../../data/names.ts";
import { useSummary } from "../../data/queries.ts";
import { changeView } from "../../data/use-view.ts";
import { emptyText } from "../../parts/empty-texts.tsx";
import { Panel } from "../../parts/panel.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import css from "./prompts.module.css";

type Group = InsightsSummaryResponse["groups"][number];

interface ProviderTableProps {
  readonly filters: AnalyticsFilters;
  readonly promptId: string;
  readonly entityId: string;
}

/** An entity's values in the answers to a prompt, by the provider that gave them. */
export function ProviderTable({ filters, promptId, entityId }: ProviderTableProps) {
  const summary = useSummary({ groupBy: "provider", filters, entityIds: [entityId] });
  const columns: readonly Column<Group>[] = [
    {
      ...{ key: "provider", title: "Provider" },
      cell: ({ key, name }) => (
        <button
          type="button"
          className={css["provider"]}
          title="Filter by it, and show its answers to this prompt"
          onClick={() => openProvider(key, promptId)}
        >
          {key === null ? name : providerName(key)}
        </button>
      ),
    },
    {
      ...{ key: "answers", title: "Answers", figure: true },
      cell: ({ answers }) => countText(answers),
    },
    ...metricOrder.map((metric): Column<Group> => {
      const { field, title } = metricTexts[metric];
      return {
        ...{ key: field, title, figure: true, minor: metric !== "mentions" },
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
        <Table
          caption="Values by provider"
          columns={columns}
          rows={groups}
          keyOf={({ key }) => key ?? ""}
        />
      )}
    </Panel>
  );
}

/** The drawer's answers follow the page's filters, so the provider becomes one of them. */
function openProvider(provider: string | null, promptId: string): void {
  if (provider === null) return;
  changeView({
    providers: [provider as Provider],
    evidence: { role: "any", entityId: null, dates: null, promptId },
    answer: null,
  });
}

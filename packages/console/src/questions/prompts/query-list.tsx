import type { SearchQueriesResponse } from "@sightline/client";
import { sent } from "../../data/filters.ts";
import { countText, dateText, intervalText, percentText } from "../../data/format.ts";
import { providerName } from "../../data/names.ts";
import type { ViewQuestion } from "../../data/use-question.ts";
import { Pager, pageOf, pageRows } from "../../parts/pager.tsx";
import { Panel } from "../../parts/panel.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { CopyMenu } from "../copy-menu.tsx";
import { emptyText } from "../empty-texts.tsx";
import { type GrowingList, useGrowing } from "../use-growing.ts";
import { turnTo } from "./prompt-view.ts";
import css from "./prompts.module.css";

type Part = SearchQueriesResponse;
type Query = Part["queries"][number];

/** Queries of one call. */
const perCall = 100;

/** The queries of a view, call by call, those of the most answers first. */
function queryList({ filters, workspace }: ViewQuestion): GrowingList<Part, string> {
  const asked = { filters, entityIds: [workspace.brand.id], limit: perCall };
  return {
    key: ["queries", asked],
    first: "",
    fetch: (client, cursor, signal) =>
      client.insights.queries(sent({ ...asked, ...(cursor === "" ? {} : { cursor }) }), { signal }),
    next: ({ nextCursor }) => nextCursor,
  };
}

/** What assistants searched the web for before they answered. */
export function QueryList({ question }: { readonly question: ViewQuestion }) {
  const wanted = (pageOf(question.view.own["p"], Number.MAX_SAFE_INTEGER) + 1) * pageRows;
  const { data, error, isPlaceholderData, refetch } = useGrowing(queryList(question), (parts) => {
    return parts.length * perCall < wanted;
  });
  const { brand } = question.workspace;
  return (
    <Panel
      title="Search queries"
      tools={<CopyMenu question={copiedQueries(question)} />}
      query={{ data: data?.pages, error, isPlaceholderData, refetch }}
      flush
      minHeight={480}
      emptyOf={([first]) =>
        emptyText(first?.empty ?? null) ?? (first?.total === 0 ? noQueries : null)
      }
    >
      {(parts) => {
        const [first] = parts;
        const total = first?.total ?? 0;
        const page = pageOf(question.view.own["p"], total);
        const rows = parts.flatMap(({ queries }) => queries);
        return (
          <>
            <p className={css["searched"]}>{searchedText(first?.searched ?? [])}</p>
            <Table
              caption="Search queries"
              columns={columnsOf(brand.name)}
              rows={rows.slice(page * pageRows, (page + 1) * pageRows)}
              keyOf={({ query }) => query}
              isPlain
            />
            <Pager noun="query" {...{ total, page }} onPage={turnTo} />
          </>
        );
      }}
    </Panel>
  );
}

const noQueries = {
  title: "No search queries",
  text: "No answer of the period tells what its assistant searched for.",
};

/** How many answers of each provider tell a search. */
function searchedText(searched: Part["searched"]): string {
  const shares = searched.map(({ provider, answers, searched: own, tells }) => {
    const name = providerName(provider);
    return tells ? `${name} ${percentText(own / answers)}` : `${name} never tells`;
  });
  return `Answers that tell a search: ${shares.join(" · ")}.`;
}

/** What copies the first queries. */
function copiedQueries({ filters, workspace }: ViewQuestion) {
  const entityIds = [workspace.brand.id];
  return {
    path: "/v1/insights/queries",
    call: "insights.queries",
    body: { filters, entityIds, limit: perCall },
    command: ["queries", "--limit", String(perCall)],
  } as const;
}

function columnsOf(brand: string): readonly Column<Query>[] {
  const rate = (field: "mentions" | "citations") => (query: Query) => {
    const value = query.entities[0]?.[field];
    const bounds = intervalText("mentions", value?.interval ?? null);
    return (
      <>
        {percentText(value?.value ?? null)}
        {bounds === null ? null : <span className={css["about"]}>{bounds}</span>}
      </>
    );
  };
  return [
    { key: "query", title: "Query", cell: ({ query }) => query },
    { key: "added", title: "Added", drops: 3, cell: ({ added }) => added.join(" ") },
    { key: "dropped", title: "Dropped", drops: 3, cell: ({ dropped }) => dropped.join(" ") },
    { key: "answers", title: "Answers", figure: true, cell: (each) => countText(each.answers) },
    {
      key: "prompts",
      title: "Prompts",
      figure: true,
      drops: 1,
      cell: (each) => countText(each.prompts),
    },
    { key: "mentions", title: `Names ${brand}`, figure: true, cell: rate("mentions") },
    { key: "citations", title: `Cites ${brand}`, figure: true, cell: rate("citations") },
    {
      key: "seen",
      title: "Last seen",
      figure: true,
      drops: 2,
      cell: ({ lastSeenAt }) => dateText(lastSeenAt),
    },
  ];
}

import type { CitationLifeResponse, LifeGrouping } from "@sightline/client";
import { countText, intervalText, percentText } from "../../data/format.ts";
import { providerName } from "../../data/names.ts";
import { useCitationLife } from "../../data/queries.ts";
import type { ViewQuestion } from "../../data/use-question.ts";
import { Segments } from "../../parts/button.tsx";
import { Panel } from "../../parts/panel.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { CopyMenu } from "../copy-menu.tsx";
import { emptyText } from "../empty-texts.tsx";
import { kindTexts } from "./source-class.tsx";
import { plainAddress } from "./source-columns.tsx";
import { lifeGroupings, narrow, type SourceView } from "./source-view.ts";
import css from "./sources.module.css";

type Life = CitationLifeResponse["groups"][number];

/** Groups that are listed. */
const listed = 100;

const groupingTexts: Readonly<Record<LifeGrouping, string>> = {
  class: "Kinds",
  provider: "Providers",
  domain: "Domains",
  page: "Pages",
};

interface LivesProps {
  readonly question: ViewQuestion;
  readonly list: SourceView;
}

/** How long citations last, and what was won and lost. */
export function Lives({ question, list: { lifeBy: by } }: LivesProps) {
  const { filters } = question;
  const asked = { by, filters, limit: listed };
  const query = useCitationLife(asked);
  const copied = {
    path: "/v1/insights/citation-life",
    call: "insights.citationLife",
    body: asked,
    command: ["life", "--by", by, "--limit", String(listed)],
  } as const;
  return (
    <Panel
      title="Life of citations"
      tools={
        <>
          <Segments<LifeGrouping>
            label="Grouped by"
            options={lifeGroupings.map((each) => [each, groupingTexts[each]])}
            value={by}
            onChange={(chosen) => narrow({ life: chosen === "class" ? "" : chosen })}
          />
          <CopyMenu question={copied} />
        </>
      }
      query={query}
      flush
      minHeight={480}
      emptyOf={({ empty }) => emptyText(empty)}
      partialOf={({ groups, total }) =>
        total > groups.length
          ? `Of ${countText(total)}, the ${countText(groups.length)} with the most citations.`
          : null
      }
    >
      {(reply) => (
        <>
          <p className={css["explained"]}>
            A citation is a page in the answers of one provider to one prompt. It is lost when the
            page is missing on two days of answers in a row. Half are lost by the median day.
          </p>
          <Table
            caption="Life of citations"
            columns={columnsOf(reply.by)}
            rows={[{ key: "", ...reply.all }, ...reply.groups]}
            keyOf={({ key }) => key}
            isPlain
          />
        </>
      )}
    </Panel>
  );
}

function nameOf(by: string, key: string): string {
  if (key === "") return "All citations";
  if (by === "class") return kindTexts[key] ?? key;
  return by === "provider" ? providerName(key) : plainAddress(key);
}

function columnsOf(by: string): readonly Column<Life>[] {
  return [
    { key: "key", title: "Of", cell: ({ key }) => nameOf(by, key) },
    { key: "citations", title: "Citations", figure: true, cell: (e) => countText(e.citations) },
    { key: "won", title: "Won", figure: true, cell: ({ won }) => countText(won) },
    { key: "lost", title: "Lost", figure: true, cell: ({ lost }) => countText(lost) },
    {
      key: "median",
      title: "Median",
      figure: true,
      cell: ({ medianDays }) => (medianDays === null ? "–" : `${countText(medianDays)} d`),
    },
    {
      key: "survival",
      title: "After 28 days",
      figure: true,
      cell: ({ survival28: { value, interval } }) => {
        const bounds = intervalText("mentions", interval);
        return `${percentText(value)}${bounds === null ? "" : ` (${bounds})`}`;
      },
    },
  ];
}

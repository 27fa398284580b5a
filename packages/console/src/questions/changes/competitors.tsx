import type { InsightsSummaryResponse, MetricName } from "@sightline/client";
import { metricTexts } from "../../data/names.ts";
import { datesOfRange, type Range } from "../../data/period.ts";
import type { Reply } from "../../data/queries.ts";
import { BreakableText } from "../../parts/breakable.tsx";
import { type Empty, Panel } from "../../parts/panel.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { openEvidence } from "../open-evidence.ts";
import { ChangeButton, ChangeMark, comparedOf } from "./change.tsx";
import { verdictWord } from "./change-text.ts";
import { Side } from "./contribution-table.tsx";
import css from "./moved.module.css";
import { type CompetitorRow, competitorRows } from "./moved-rows.ts";

interface CompetitorsProps {
  readonly summary: Reply<InsightsSummaryResponse>;
  readonly metric: MetricName;
  readonly compared: Range;
}

/** Lines that are shown; the leaderboard has all. */
const rowsMax = 5;

/** How the same value of each competitor changed, by its own verdict. */
export function Competitors({ summary, metric, compared }: CompetitorsProps) {
  return (
    <Panel
      title="Competitors' own changes"
      query={summary}
      minHeight={360}
      flush
      emptyOf={(reply) => {
        const found = competitorRows({ reply, metric, before: datesOfRange(compared) });
        return found.length > 0 ? null : noCompetitors;
      }}
    >
      {(reply) => {
        const found = competitorRows({ reply, metric, before: datesOfRange(compared) });
        return (
          <>
            <p className={css["explained"]}>
              {`The same value of competitors, each with its own change and verdict. They are no ` +
                `parts of the change: an answer can count for several.`}
              {found.length > rowsMax ? " The leaderboard has all of them." : null}
            </p>
            <Table
              caption="Changes of competitors"
              columns={competitorColumns(metric, reply)}
              rows={found.slice(0, rowsMax)}
              keyOf={({ id }) => id}
            />
          </>
        );
      }}
    </Panel>
  );
}

const noCompetitors: Empty = {
  title: "No competitor to compare",
  text: "None is tracked, or none has a value in both periods.",
};

function competitorColumns(
  metric: MetricName,
  reply: InsightsSummaryResponse,
): readonly Column<CompetitorRow>[] {
  const { role, title } = metricTexts[metric];
  const side = (of: "before" | "after", head: string): Column<CompetitorRow> => ({
    key: of,
    title: head,
    figure: true,
    cell: ({ id, name, ...row }) => (
      <Side
        side={row[of]}
        name={`${head}, ${name}`}
        open={({ evidence }) => {
          if (evidence !== null) openEvidence({ role, entityId: id, ...evidence });
        }}
      />
    ),
  });
  return [
    { key: "name", title: "Competitor", cell: ({ name }) => <BreakableText text={name} /> },
    side("before", "Before"),
    side("after", "Now"),
    {
      key: "change",
      title: "Own change",
      figure: true,
      cell: ({ id, name, change, effectivePrompts }) => (
        <ChangeButton
          of={{
            ...comparedOf(reply),
            title: `${title} of ${name}`,
            metric,
            change,
            effectivePrompts,
          }}
          why={{ metric, entityId: id }}
          className={css["own"]}
        >
          <ChangeMark metric={metric} change={change} />
          <span>{verdictWord(change)}</span>
        </ChangeButton>
      ),
    },
  ];
}

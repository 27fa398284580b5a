import type { CollectionsResponse } from "@sightline/client";
import { countOf, dateText } from "../data/format.ts";
import type { Reply } from "../data/queries.ts";
import { Panel } from "../parts/panel.tsx";
import { Table } from "../parts/table.tsx";
import css from "./collection.module.css";
import { GuideLink } from "./guide-link.tsx";

type Slot = CollectionsResponse["next"][number];

/** A workspace has up to 100 cadences; those that come first tell enough. */
const shownMax = 10;

/** When the workspace's cadences come next. */
export function NextSlots({ list }: { readonly list: Reply<CollectionsResponse> }) {
  return (
    <Panel
      title="What comes next"
      query={list}
      flush
      minHeight={89}
      emptyOf={({ next }) => (next.length === 0 ? empty : null)}
      partialOf={({ next, collectors }) => {
        const more = next.length - shownMax;
        if (collectors === 0) return "As long as no process collects, nothing is asked then.";
        return more <= 0 ? null : `The first ${shownMax}; ${countOf(more, "more")} not shown.`;
      }}
    >
      {({ next }) => (
        <Table
          caption="What comes next, the soonest first"
          rows={next.slice(0, shownMax)}
          keyOf={({ cron, timeZone }) => `${cron} ${timeZone}`}
          columns={[
            {
              ...{ key: "at", title: "Next time (UTC)" },
              cell: ({ at }: Slot) => dateText(at, "instant").replace(" UTC", ""),
            },
            {
              ...{ key: "cron", title: "Schedule" },
              cell: ({ cron, timeZone }) => (
                <>
                  <code className={css["cron"]}>{cron}</code>
                  <div className="small quiet">{timeZone}</div>
                </>
              ),
            },
          ]}
        />
      )}
    </Panel>
  );
}

const empty = {
  title: "No schedule",
  text: "The workspace file names no time, so providers are asked only when somebody asks now.",
  actions: <GuideLink at="#a-first-sweep" text="How a schedule is declared" />,
};

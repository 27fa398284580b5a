import type { CollectionsResponse } from "@sightline/client";
import { useDraft } from "../accounts/draft-store.ts";
import { useScope } from "../data/account.ts";
import { countOf, dateText } from "../data/format.ts";
import type { Reply } from "../data/queries.ts";
import { changeOwn, useView } from "../data/use-view.ts";
import { Button } from "../parts/button.tsx";
import { Panel } from "../parts/panel.tsx";
import { Missing, Notice } from "../parts/refused.tsx";
import { Table } from "../parts/table.tsx";
import { AskDrawer } from "./ask-drawer.tsx";
import css from "./collection.module.css";
import { VendorCredentials } from "./credentials.tsx";
import { GuideLink } from "./guide-link.tsx";
import { PlanCard, PlanDrawer } from "./plan-form.tsx";
import { useCollections, usePublished } from "./queries.ts";
import { Spend } from "./spend.tsx";
import { Sweeps } from "./sweeps.tsx";
import { Vendors } from "./vendors.tsx";

/** What providers were asked, what is asked by itself, what comes next, and a way to ask now. */
export function Collection() {
  const mayManage = useScope("manage");
  const list = useCollections(mayManage);
  const editor = useDraft();
  const { own } = useView();
  usePublished(list.data);
  if (!mayManage)
    return <Missing scope="manage" what="Asking providers, and seeing how it goes," />;
  return (
    <>
      <NobodyCollects data={list.data} />
      <Sweeps
        list={list}
        open={own["open"] ?? null}
        tools={
          <Button kind="primary" onClick={() => changeOwn({ ask: "now" })}>
            Ask now
          </Button>
        }
      />
      {editor === null ? null : <PlanCard editor={editor} />}
      {/* Nothing is known: the first panel says why, once. */}
      {list.data === undefined && list.error !== null ? null : (
        <>
          <NextSlots list={list} />
          <Vendors list={list} />
          <VendorCredentials />
          <Spend list={list} />
        </>
      )}
      {own["ask"] === "now" ? <AskDrawer onClose={() => changeOwn({ ask: "" })} /> : null}
      {own["ask"] === "plan" && editor !== null ? <PlanDrawer editor={editor} /> : null}
    </>
  );
}

/** Says that nothing is asked, and how to switch it on. */
function NobodyCollects({ data }: { readonly data: CollectionsResponse | undefined }) {
  if (data === undefined || data.collectors > 0) return null;
  return (
    <Notice>
      No process collects, so nothing is asked. Store a credential of a vendor below, or set one
      such as <code>SIGHTLINE_OPENAI_KEY</code> where the service runs, and start it again. It must
      not run with <code>--collect off</code>. <GuideLink text="How collection works" />
    </Notice>
  );
}

type Slot = CollectionsResponse["next"][number];

/** A workspace has up to 100 cadences; those that come first tell enough. */
const shownMax = 10;

/** When the workspace's cadences come next. */
function NextSlots({ list }: { readonly list: Reply<CollectionsResponse> }) {
  return (
    <Panel
      title="What comes next"
      query={list}
      flush
      minHeight={89}
      emptyOf={({ next }) => (next.length === 0 ? empty : null)}
      partialOf={({ next, collectors }) => {
        const more = next.length - shownMax;
        if (collectors === 0) return "No process collects, so nothing is asked at these times.";
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
              key: "at",
              title: "Next time (UTC)",
              cell: ({ at }: Slot) => dateText(at, "instant").replace(" UTC", ""),
            },
            {
              key: "cron",
              title: "Schedule",
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
  text: "Providers are queried only on request. Choose a schedule in “What is asked”.",
};

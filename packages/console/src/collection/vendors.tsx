import type { CollectionsResponse } from "@sightline/client";
import { countText, dateText } from "../data/format.ts";
import type { Reply } from "../data/queries.ts";
import { Panel } from "../parts/panel.tsx";
import { Table } from "../parts/table.tsx";
import { Tag, type TagKind } from "../parts/tag.tsx";
import css from "./collection.module.css";
import { nextTryText, vendorName } from "./vendor-names.ts";

type Vendor = CollectionsResponse["vendors"][number];

/** The state of each vendor. */
export function Vendors({ list }: { readonly list: Reply<CollectionsResponse> }) {
  return (
    <Panel
      title="Vendors"
      query={list}
      flush
      minHeight={320}
      tools={list.data === undefined ? null : <Collectors count={list.data.collectors} />}
    >
      {({ vendors }) => (
        <Table
          caption="Vendors and their state"
          rows={vendors}
          keyOf={({ vendor }) => vendor}
          columns={[
            {
              key: "vendor",
              title: "Vendor",
              cell: (each: Vendor) => (
                <>
                  {vendorName(each.vendor)}
                  <Why vendor={each} />
                </>
              ),
            },
            { key: "state", title: "State", cell: (each) => <State vendor={each} /> },
            {
              key: "requests",
              title: "Requests since the start",
              figure: true,
              drops: 1,
              cell: ({ requests }) => countText(requests),
            },
            {
              key: "failed",
              title: "Failed",
              figure: true,
              drops: 2,
              cell: ({ failed }) => countText(failed),
            },
          ]}
        />
      )}
    </Panel>
  );
}

function Collectors({ count }: { readonly count: number }) {
  if (count === 0) return <Tag kind="doubt">no process collects</Tag>;
  return (
    <span className="small quiet">
      {count === 1 ? "1 process collects" : `${countText(count)} processes collect`}
    </span>
  );
}

function Why({ vendor: { reason, lastError } }: { readonly vendor: Vendor }) {
  if (reason === null && lastError === null) return null;
  return (
    <div className={css["why"]}>
      {reason === null ? null : <p>{reason}</p>}
      {lastError === null || lastError.reason === reason ? null : (
        <p>
          Last error, {dateText(lastError.at, "instant")}: {lastError.reason}
        </p>
      )}
    </div>
  );
}

const states: Readonly<Record<string, readonly [kind: TagKind, text: string]>> = {
  ready: ["better", "ready"],
  "no-credential": ["plain", "no key"],
  waiting: ["doubt", "waiting"],
  stopped: ["worse", "stopped"],
  suspicious: ["worse", "suspicious"],
};

function State({ vendor: { state, until } }: { readonly vendor: Vendor }) {
  const [kind, text] = states[state] ?? ["plain", state];
  return (
    <>
      <Tag kind={kind}>{text}</Tag>
      {until === null ? null : <div className="small quiet">{nextTryText(until, Date.now())}</div>}
    </>
  );
}

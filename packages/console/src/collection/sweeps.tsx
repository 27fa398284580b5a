import { ApiError, type CollectionsResponse, type ListedCollection } from "@sightline/client";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useAccount } from "../data/account.ts";
import { faultText } from "../data/fault-text.ts";
import { countOf, countText, dateText, dollarsText } from "../data/format.ts";
import { useChange } from "../data/managed.ts";
import { type Reply, repliesOf } from "../data/queries.ts";
import { changeOwn } from "../data/use-view.ts";
import { Button } from "../parts/button.tsx";
import { Expander } from "../parts/expander.tsx";
import { ConfirmDialog } from "../parts/form-dialog.tsx";
import { Panel } from "../parts/panel.tsx";
import { Refused } from "../parts/refused.tsx";
import { announce } from "../parts/save.ts";
import { type Column, Table } from "../parts/table.tsx";
import { Tag } from "../parts/tag.tsx";
import css from "./collection.module.css";
import { collectionsName } from "./queries.ts";
import { SweepParts } from "./sweep-parts.tsx";
import { slotText, sweepStateOf } from "./sweep-state.ts";

interface SweepsProps {
  readonly list: Reply<CollectionsResponse>;
  /** The id of the sweep whose parts are shown. */
  readonly open: string | null;
  readonly tools: ReactNode;
}

/** The latest sweeps, newest first, each with its parts behind it. */
export function Sweeps({ list, open, tools }: SweepsProps) {
  const [cancelled, setCancelled] = useState<ListedCollection | null>(null);
  return (
    <>
      <Panel
        title="Sweeps"
        query={list}
        tools={tools}
        flush
        minHeight={93}
        emptyOf={({ collections }) => (collections.length === 0 ? empty : null)}
        partialOf={({ collections }) => {
          if (list.error !== null) {
            const at = dateText(list.dataUpdatedAt, "instant");
            return `This is how it was on ${at}. It could not be read again: ${said(list.error)}`;
          }
          if (collections.length < listedMax) return null;
          return "Older sweeps are not listed: these are the latest.";
        }}
      >
        {({ collections }) => (
          <Table
            caption="Sweeps, newest first"
            rows={collections}
            keyOf={({ id }) => id}
            columns={columnsOf(open, setCancelled)}
            detailOf={(sweep) => (sweep.id === open ? <SweepParts sweep={sweep} /> : null)}
          />
        )}
      </Panel>
      {cancelled === null ? null : (
        <CancelDialog sweep={cancelled} onClose={() => setCancelled(null)} />
      )}
    </>
  );
}

/** What went wrong, in the service's words. */
function said(error: Error): string {
  if (!(error instanceof ApiError)) return faultText(error);
  const { detail, requestId } = error;
  return requestId === null ? detail : `${detail} Request ${requestId}`;
}

/** As many as the service lists. */
const listedMax = 50;

const empty = {
  title: "No sweeps yet",
  text:
    "A sweep asks all prompts of one scheduled time. Ask now, or choose a schedule in " +
    "“What is asked”.",
};

const sources: Readonly<Record<string, string>> = { schedule: "by schedule", now: "on request" };

function columnsOf(
  open: string | null,
  onCancel: (sweep: ListedCollection) => void,
): readonly Column<ListedCollection>[] {
  return [
    {
      key: "slot",
      title: "Time (UTC)",
      cell: (sweep) => (
        <Expander
          isOpen={sweep.id === open}
          onToggle={() => changeOwn({ open: sweep.id === open ? "" : sweep.id })}
        >
          {slotText(sweep)}
          <span className={css["about"]}>{sources[sweep.source] ?? sweep.source}</span>
        </Expander>
      ),
    },
    {
      key: "state",
      title: "State",
      cell: (sweep) => <State sweep={sweep} onCancel={() => onCancel(sweep)} />,
    },
    {
      key: "done",
      title: "Answered",
      figure: true,
      drops: 2,
      repeats: true,
      cell: ({ done, jobs }) => `${countText(done)} of ${countText(jobs)}`,
    },
    {
      key: "missing",
      title: "Missing",
      figure: true,
      drops: 1,
      explained: "missing",
      cell: ({ missing, endedAt }) =>
        endedAt === null ? `${countText(missing)} so far` : countText(missing),
    },
    {
      key: "spent",
      title: "Spent",
      figure: true,
      cell: ({ spentDollars }) => dollarsText(spentDollars),
    },
  ];
}

interface StateProps {
  readonly sweep: ListedCollection;
  readonly onCancel: () => void;
}

/** How a sweep stands; on a phone, how many are answered too. */
function State({ sweep, onCancel }: StateProps) {
  const { jobs, done, endedAt, cancelledAt } = sweep;
  const { kind, text, isUnderWay } = sweepStateOf(sweep);
  return (
    <span className={css["state"]}>
      <Tag kind={kind}>{text}</Tag>
      <span className={css["answered"]}>
        {countText(done)} of {countText(jobs)}
      </span>
      {isUnderWay ? (
        <progress
          className={css["progress"]}
          aria-label={`Answered, of the sweep of ${slotText(sweep)}`}
          max={jobs}
          value={done}
        />
      ) : null}
      {endedAt !== null || cancelledAt !== null ? null : (
        <Button aria-label={`Cancel the sweep of ${slotText(sweep)}`} onClick={onCancel}>
          Cancel
        </Button>
      )}
    </span>
  );
}

interface CancelDialogProps {
  readonly sweep: ListedCollection;
  readonly onClose: () => void;
}

/** Asks before the rest of a sweep is given up. */
function CancelDialog({ sweep, onClose }: CancelDialogProps) {
  const account = useAccount();
  const queries = useQueryClient();
  const { failure, run } = useChange(async ({ client }) => {
    const { done } = await client.collections.cancel(sweep.id);
    announce(`Cancelled. ${countOf(done, "question")} answered.`);
    void queries.invalidateQueries({ queryKey: repliesOf(account, collectionsName) });
    onClose();
  });
  return (
    <ConfirmDialog
      title="Cancel this sweep?"
      action="Cancel the sweep"
      keep="Keep asking"
      onConfirm={run}
      onClose={onClose}
    >
      <p>
        Nothing more is asked for the sweep of {slotText(sweep)} UTC. What is under way ends, and
        may still cost; what was answered counts.
      </p>
      <Refused error={failure} />
    </ConfirmDialog>
  );
}

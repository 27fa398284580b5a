import type { ListedDelivery, ListedHook } from "@sightline/client";
import { useQuery } from "@tanstack/react-query";
import { useAccount } from "../data/account.ts";
import { countOf, dateText } from "../data/format.ts";
import { type Reply, repliesOf } from "../data/queries.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Panel } from "../parts/panel.tsx";
import { Table } from "../parts/table.tsx";
import { Tag, type TagKind } from "../parts/tag.tsx";

interface DeliveriesProps {
  readonly hook: ListedHook;
  readonly onClose: () => void;
}

/** What was sent to a webhook, and what became of it. */
export function Deliveries({ hook, onClose }: DeliveriesProps) {
  const deliveries = useDeliveries(hook.id);
  return (
    <Dialog title={`Deliveries to ${hook.name || hook.url}`} onClose={onClose} drawer>
      <Panel
        title="The last 30 days, newest first"
        query={deliveries}
        flush
        emptyOf={(list) => (list.length === 0 ? empty : null)}
      >
        {(list) => (
          <Table
            caption="Deliveries"
            rows={list}
            keyOf={({ id }) => id}
            columns={[
              {
                key: "at",
                title: "Created (UTC)",
                cell: ({ createdAt }) => dateText(createdAt, "instant").replace(" UTC", ""),
              },
              { key: "event", title: "Event", cell: ({ event }) => event },
              { key: "state", title: "State", cell: (each) => <State delivery={each} /> },
              { key: "last", title: "Last attempt", cell: (each) => <Last delivery={each} /> },
            ]}
          />
        )}
      </Panel>
    </Dialog>
  );
}

/** What was sent to a webhook, newest first. */
function useDeliveries(hookId: string): Reply<readonly ListedDelivery[]> {
  const account = useAccount();
  return useQuery<readonly ListedDelivery[], Error, readonly ListedDelivery[], readonly unknown[]>({
    queryKey: [...repliesOf(account, "hooks"), hookId],
    queryFn: ({ signal }) => account.client.hooks.deliveries(hookId, { signal }),
  });
}

const empty = {
  title: "Nothing was sent yet",
  text: "The digest is sent weekly, a move when a value moves. Send a test to check the webhook.",
};

const kinds: Readonly<Record<string, TagKind>> = { delivered: "better", failed: "worse" };

function State({ delivery: { state, nextAttemptAt } }: { readonly delivery: ListedDelivery }) {
  return (
    <>
      <Tag kind={kinds[state] ?? "doubt"}>{state}</Tag>
      {nextAttemptAt === null ? null : (
        <div className="small quiet">again {dateText(nextAttemptAt, "instant")}</div>
      )}
    </>
  );
}

function Last({ delivery: { attempts } }: { readonly delivery: ListedDelivery }) {
  const last = attempts.at(-1);
  if (last === undefined) return <span className="quiet">none yet</span>;
  return (
    <>
      {last.error ?? `status ${last.status}`}, {last.durationMs} ms
      <div className="small quiet">{countOf(attempts.length, "attempt")}</div>
    </>
  );
}

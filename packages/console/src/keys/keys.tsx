import type { ListedKey } from "@sightline/client";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Account, useAccount, useScope } from "../data/account.ts";
import { countText, dateText, nothing } from "../data/format.ts";
import { useManaged } from "../data/managed.ts";
import { type Reply, repliesOf } from "../data/queries.ts";
import { changeOwn, useView } from "../data/use-view.ts";
import { Button } from "../parts/button.tsx";
import { Panel } from "../parts/panel.tsx";
import { Missing } from "../parts/refused.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Tag } from "../parts/tag.tsx";
import { type Ticked, TickedBar, tickColumn, useTicked } from "../parts/ticked.tsx";
import { type CreatedKeys, KeyDialog } from "./key-dialog.tsx";
import css from "./keys.module.css";
import { CreatedDialog, RevokeDialog } from "./several-keys.tsx";

/** The account's API keys. */
export function Keys() {
  const mayManage = useScope("manage");
  const keys = useKeys(mayManage);
  const account = useAccount();
  const queries = useQueryClient();
  const { own } = useView();
  const [creating, setCreating] = useState<"one" | "several" | null>(null);
  const [created, setCreated] = useState<CreatedKeys | null>(null);
  const [revoked, setRevoked] = useState<readonly ListedKey[]>([]);
  const ticked = useTicked<ListedKey>(({ keyId }) => keyId);
  const all = own["keys"] === "all";
  const refetch = () => void queries.invalidateQueries({ queryKey: repliesOf(account, "keys") });
  if (!mayManage) return <Missing scope="manage" what="Listing and creating keys" />;
  return (
    <>
      <Panel
        title="API keys"
        query={keys}
        flush
        tools={
          <>
            <Button
              kind="plain"
              aria-pressed={all}
              onClick={() => changeOwn({ keys: all ? "" : "all" })}
            >
              {all ? "Hide ended keys" : "Show ended keys"}
            </Button>
            <Button onClick={() => setCreating("several")}>Create several</Button>
            <Button icon="plus" onClick={() => setCreating("one")}>
              Create key
            </Button>
          </>
        }
        emptyOf={(list) => (list.some((key) => all || !isEnded(key)) ? null : empty)}
      >
        {(list) => (
          <>
            <TickedBar rows={list.filter((key) => !isEnded(key))} ticked={ticked} noun="key">
              <Button
                kind="danger"
                onClick={() => setRevoked(list.filter((key) => !isEnded(key) && ticked.has(key)))}
              >
                Revoke selected
              </Button>
            </TickedBar>
            <Table
              caption="API keys, newest first"
              rows={list.filter((key) => all || !isEnded(key)).toReversed()}
              keyOf={({ keyId }) => keyId}
              columns={columnsOf(ticked, (key) => setRevoked([key]))}
            />
          </>
        )}
      </Panel>
      {creating === null ? null : (
        <KeyDialog
          isSeveral={creating === "several"}
          onCreated={(keys) => {
            setCreating(null);
            setCreated(keys);
            refetch();
          }}
          onClose={() => setCreating(null)}
        />
      )}
      {created === null ? null : (
        <CreatedDialog created={created} onClose={() => setCreated(null)} />
      )}
      {revoked.length === 0 ? null : (
        <RevokeDialog keys={revoked} onDone={refetch} onClose={() => setRevoked([])} />
      )}
    </>
  );
}

/** The keys, oldest first; not asked for without the scope `manage`. */
function useKeys(enabled: boolean): Reply<readonly ListedKey[]> {
  const ask = ({ client }: Account, signal: AbortSignal) => client.keys.list({ signal });
  return useManaged({ name: "keys", ask, enabled });
}

const empty = { title: "No key is valid", text: "Create one key per program." };

function isEnded({ revokedAt, expiresAt }: ListedKey): boolean {
  return revokedAt !== null || (expiresAt !== null && Date.parse(expiresAt) <= Date.now());
}

function columnsOf(
  ticked: Ticked<ListedKey>,
  onRevoke: (key: ListedKey) => void,
): readonly Column<ListedKey>[] {
  return [
    // An ended key cannot be revoked.
    tickColumn({ ticked, nameOf: (key) => (isEnded(key) ? null : key.name || key.keyId) }),
    {
      key: "name",
      title: "Name",
      cell: ({ name, keyId, person }) => (
        <>
          <div>{name || "without a name"}</div>
          <code className={css["keyId"]}>{keyId}</code>
          {person === null ? null : <div className="small quiet">of {person}</div>}
        </>
      ),
    },
    {
      key: "scopes",
      title: "Scopes",
      drops: 4,
      explained: "scopes",
      cell: ({ scopes }) => scopes.join(", "),
    },
    {
      key: "used",
      title: "Last use",
      drops: 3,
      cell: ({ lastUsedAt }) =>
        lastUsedAt === null ? (
          <span className="quiet">never</span>
        ) : (
          dateText(lastUsedAt, "instant")
        ),
    },
    {
      key: "limits",
      title: "Limits",
      drops: 1,
      cell: ({ rate, quota }) => limitsText(rate, quota),
    },
    {
      key: "calls",
      title: "Calls today",
      figure: true,
      drops: 2,
      cell: ({ callsToday, quota }) => callsText(callsToday, quota),
    },
    { key: "state", title: "Valid", drops: 5, cell: (key) => <State item={key} /> },
    {
      key: "revoke",
      title: <span className="visually-hidden">Revoke</span>,
      figure: true,
      cell: (key) =>
        isEnded(key) ? null : (
          <Button aria-label={`Revoke ${key.name || key.keyId}`} onClick={() => onRevoke(key)}>
            Revoke
          </Button>
        ),
    },
  ];
}

function limitsText(rate: ListedKey["rate"], quota: ListedKey["quota"]): string {
  const day = typeof quota === "number" ? `${countText(quota)} a day` : quota;
  const said = [rate, day].filter((each) => each !== null);
  return said.length === 0 ? "the service's" : said.join(", ");
}

/** A key without a quota of its own has the service's, which only its own calls are told. */
function callsText(calls: ListedKey["callsToday"], quota: ListedKey["quota"]): string {
  if (calls === null) return nothing;
  return typeof quota === "number"
    ? `${countText(calls)} of ${countText(quota)}`
    : countText(calls);
}

function State({ item: { revokedAt, expiresAt } }: { readonly item: ListedKey }) {
  if (revokedAt !== null) return <Tag>revoked {dateText(revokedAt)}</Tag>;
  if (expiresAt === null) return <span>until revoked</span>;
  if (Date.parse(expiresAt) <= Date.now()) return <Tag>expired {dateText(expiresAt)}</Tag>;
  return <span>until {dateText(expiresAt)}</span>;
}

import type { CreatedKeyResponse, ListedKey } from "@sightline/client";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Account, useAccount, useScope } from "../data/account.ts";
import { countText, dateText, nothing } from "../data/format.ts";
import { useChange, useManaged } from "../data/managed.ts";
import { type Reply, repliesOf } from "../data/queries.ts";
import { changeOwn, useView } from "../data/use-view.ts";
import { Button } from "../parts/button.tsx";
import { ConfirmDialog, SecretDialog } from "../parts/form-dialog.tsx";
import { Panel } from "../parts/panel.tsx";
import { Missing, Refused } from "../parts/refused.tsx";
import { announce } from "../parts/save.ts";
import { type Column, Table } from "../parts/table.tsx";
import { Tag } from "../parts/tag.tsx";
import { KeyDialog } from "./key-dialog.tsx";
import css from "./keys.module.css";

/** The account's API keys. */
export function Keys() {
  const mayManage = useScope("manage");
  const keys = useKeys(mayManage);
  const account = useAccount();
  const queries = useQueryClient();
  const { own } = useView();
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<CreatedKeyResponse | null>(null);
  const [revoked, setRevoked] = useState<ListedKey | null>(null);
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
            <Button icon="plus" onClick={() => setCreating(true)}>
              Create key
            </Button>
          </>
        }
        emptyOf={(list) => (list.some((key) => all || !isEnded(key)) ? null : empty)}
      >
        {(list) => (
          <Table
            caption="API keys, newest first"
            rows={list.filter((key) => all || !isEnded(key)).toReversed()}
            keyOf={({ keyId }) => keyId}
            columns={columnsOf(setRevoked)}
          />
        )}
      </Panel>
      {isCreating ? (
        <KeyDialog
          onCreated={(key) => {
            setCreating(false);
            setCreated(key);
            refetch();
          }}
          onClose={() => setCreating(false)}
        />
      ) : null}
      {created === null ? null : (
        <SecretDialog
          title={`The key ${created.name || created.keyId}`}
          secret={created.key}
          onClose={() => setCreated(null)}
        />
      )}
      {revoked === null ? null : (
        <RevokeDialog item={revoked} onDone={refetch} onClose={() => setRevoked(null)} />
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

function columnsOf(onRevoke: (key: ListedKey) => void): readonly Column<ListedKey>[] {
  return [
    {
      key: "name",
      title: "Name",
      cell: ({ name, keyId }) => (
        <>
          <div>{name || "without a name"}</div>
          <code className={css["keyId"]}>{keyId}</code>
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

interface RevokeDialogProps {
  readonly item: ListedKey;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function RevokeDialog({ item, onDone, onClose }: RevokeDialogProps) {
  const { name, keyId, lastUsedAt } = item;
  const { failure, run } = useChange(async ({ client }) => {
    await client.keys.revoke(keyId);
    announce("Revoked.");
    onDone();
    onClose();
  });
  const used = lastUsedAt === null ? nothing : dateText(lastUsedAt, "instant");
  return (
    <ConfirmDialog
      title={`Revoke ${name || keyId}?`}
      action="Revoke"
      onConfirm={run}
      onClose={onClose}
    >
      <p>
        Its sessions end immediately, including those of browsers that signed in with it. A revoked
        key never works again.
      </p>
      <p className="quiet">Last use: {lastUsedAt === null ? "never" : used}</p>
      <Refused error={failure} />
    </ConfirmDialog>
  );
}

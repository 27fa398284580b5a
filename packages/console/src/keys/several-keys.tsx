import type { ListedKey } from "@sightline/client";
import { faultText } from "../data/fault-text.ts";
import { countOf, dateText } from "../data/format.ts";
import { useChange } from "../data/managed.ts";
import { Button } from "../parts/button.tsx";
import { csvOf } from "../parts/csv.ts";
import { ConfirmDialog, KeptDialog, SecretDialog } from "../parts/form-dialog.tsx";
import { Notice, Refused } from "../parts/refused.tsx";
import { announce, copyText, saveFile } from "../parts/save.ts";
import { Table } from "../parts/table.tsx";
import type { CreatedKeys } from "./key-dialog.tsx";
import css from "./keys.module.css";

interface CreatedDialogProps {
  readonly created: CreatedKeys;
  readonly onClose: () => void;
}

/** Keys that were created, this once: read, copied as one list, or saved as a file. */
export function CreatedDialog({ created: { keys, left, failure }, onClose }: CreatedDialogProps) {
  const [only, ...others] = keys;
  if (only !== undefined && others.length === 0 && failure === null) {
    const title = `The key ${only.name || only.keyId}`;
    return <SecretDialog title={title} secret={only.key} onClose={onClose} />;
  }
  const list = keys.map(({ name, key }) => `${name}\t${key}\n`).join("");
  const rows = [
    ["name", "key id", "key", "scopes", "expires at"],
    ...keys.map(({ name, keyId, key, scopes, expiresAt }) => {
      return [name, keyId, key, scopes.join(" "), expiresAt];
    }),
  ];
  return (
    <KeptDialog title={countOf(keys.length, "new key")} those="them" onClose={onClose}>
      {failure === null ? null : (
        <Notice>
          Not created, or created by a reply that was lost: {left.join(", ")}. {faultText(failure)}
        </Notice>
      )}
      <div className={css["ways"]}>
        <Button icon="copy" onClick={() => void copyText(list)}>
          Copy all
        </Button>
        <Button icon="download" onClick={() => saveFile("keys.csv", csvOf(rows, "plain"))}>
          Save as a file
        </Button>
      </div>
      <Table
        caption="New keys"
        isPlain
        rows={keys}
        keyOf={({ keyId }) => keyId}
        columns={[
          { key: "name", title: "Name", cell: ({ name }) => name },
          {
            key: "secret",
            title: "Key",
            cell: ({ key }) => (
              <code className={css["secret"]} data-secret>
                {key}
              </code>
            ),
          },
        ]}
      />
    </KeptDialog>
  );
}

interface RevokeDialogProps {
  readonly keys: readonly ListedKey[];
  readonly onDone: () => void;
  readonly onClose: () => void;
}

const nameOf = ({ name, keyId }: ListedKey): string => name || keyId;
const usedMs = ({ lastUsedAt }: ListedKey): number =>
  lastUsedAt === null ? 0 : Date.parse(lastUsedAt);

/** Asks before keys are revoked. Those that were, before another one failed, are. */
export function RevokeDialog({ keys, onDone, onClose }: RevokeDialogProps) {
  const { failure, run } = useChange(async ({ client }) => {
    // The key of this session is the one used last: revoked before others, it would end the work.
    const order = keys.toSorted((one, other) => usedMs(one) - usedMs(other));
    try {
      for (const { keyId } of order) await client.keys.revoke(keyId);
    } finally {
      onDone();
    }
    announce("Revoked.");
    onClose();
  });
  const [only, ...others] = keys;
  const isOne = only !== undefined && others.length === 0;
  const several = countOf(keys.length, "key");
  return (
    <ConfirmDialog
      title={isOne ? `Revoke ${nameOf(only)}?` : `Revoke ${several}?`}
      action={isOne ? "Revoke" : `Revoke ${several}`}
      onConfirm={run}
      onClose={onClose}
    >
      <p>
        {isOne ? "Its" : "Their"} sessions end immediately, including those of browsers that signed
        in with {isOne ? "it" : "them"}. A revoked key never works again.
      </p>
      <ul className={css["revoked"]}>
        {keys.map((key) => (
          <li key={key.keyId}>
            {isOne ? null : <strong>{nameOf(key)}: </strong>}
            <span className="quiet">
              last use {key.lastUsedAt === null ? "never" : dateText(key.lastUsedAt, "instant")}
            </span>
          </li>
        ))}
      </ul>
      <Refused error={failure} />
    </ConfirmDialog>
  );
}

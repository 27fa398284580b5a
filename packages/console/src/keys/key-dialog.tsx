import type { CreatedKeyResponse, Scope } from "@sightline/client";
import { useState } from "react";
import { useAccount } from "../data/account.ts";
import { useChange } from "../data/managed.ts";
import { CheckField, CheckGroup, Field, inputClass } from "../parts/fields.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { Refused } from "../parts/refused.tsx";

interface KeyDialogProps {
  readonly onCreated: (key: CreatedKeyResponse) => void;
  readonly onClose: () => void;
}

const scopeTexts: readonly (readonly [Scope, string])[] = [
  ["read", "ask for numbers, sources and answers"],
  ["import", "record answers, list imports"],
  ["manage", "change what is tracked, keys and answers"],
  ["accounts", "create other accounts"],
];

const validities = [
  ["90d", "90 days"],
  ["30d", "30 days"],
  ["365d", "365 days"],
  ["", "Until it is revoked"],
] as const;

/** A new key: what it may do, and for how long. */
export function KeyDialog({ onCreated, onClose }: KeyDialogProps) {
  const own = useAccount().session?.scopes ?? [];
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<readonly Scope[]>(["read"]);
  const [expiresIn, setExpiresIn] = useState("90d");
  const { failure, isRunning, run } = useChange(async ({ client }) => {
    const request = { name: name.trim(), scopes: [...scopes], expiresIn: expiresIn || null };
    onCreated(await client.keys.create(request));
  });
  return (
    <FormDialog
      title="Create a key"
      action="Create"
      isReady={!isRunning && scopes.length > 0}
      onSubmit={() => void run()}
      onClose={onClose}
    >
      <Field label="Name" hint="Its purpose: one key per program.">
        {(field) => (
          <input
            {...field}
            className={inputClass}
            maxLength={500}
            placeholder="weekly report"
            // biome-ignore lint/a11y/noAutofocus: the dialog was opened to fill this in
            autoFocus
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      <ScopesField own={own} scopes={scopes} onChange={setScopes} />
      <Field label="Valid">
        {(field) => (
          <select
            {...field}
            className={inputClass}
            value={expiresIn}
            onChange={({ target }) => setExpiresIn(target.value)}
          >
            {validities.map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Refused error={failure} />
    </FormDialog>
  );
}

interface ScopesFieldProps {
  /** Those of this session: a key gets no others. */
  readonly own: readonly Scope[];
  readonly scopes: readonly Scope[];
  readonly onChange: (scopes: readonly Scope[]) => void;
}

function ScopesField({ own, scopes, onChange }: ScopesFieldProps) {
  return (
    <CheckGroup title="Scopes">
      {scopeTexts.map(([scope, text]) => (
        <CheckField
          key={scope}
          checked={scopes.includes(scope)}
          disabled={!own.includes(scope)}
          onChange={(checked) => {
            const others = scopes.filter((each) => each !== scope);
            onChange(checked ? [...others, scope] : others);
          }}
        >
          <strong>{scope}</strong>: {text}
          {own.includes(scope) ? null : " (this session lacks it)"}
        </CheckField>
      ))}
    </CheckGroup>
  );
}

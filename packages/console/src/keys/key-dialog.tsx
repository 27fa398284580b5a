import type { CreatedKeyResponse, KeyRequest, Scope, Sightline } from "@sightline/client";
import { useState } from "react";
import { useAccount } from "../data/account.ts";
import { countOf } from "../data/format.ts";
import { useChange } from "../data/managed.ts";
import { ChoiceField } from "../parts/choice-field.tsx";
import { CheckField, CheckGroup, Field, inputClass } from "../parts/fields.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { Refused } from "../parts/refused.tsx";

/** Keys that were created together. */
export interface CreatedKeys {
  readonly keys: readonly CreatedKeyResponse[];
  /** The names of those that were not, or whose reply was lost. */
  readonly left: readonly string[];
  /** Why; null: all were created. */
  readonly failure: Error | null;
}

interface KeyDialogProps {
  /** Keys for several names: one on each line. */
  readonly isSeveral: boolean;
  readonly onCreated: (created: CreatedKeys) => void;
  readonly onClose: () => void;
}

/** More in one go are a mistake: the lines are of something else. */
const keysMax = 100;

const scopeTexts: readonly (readonly [Scope, string])[] = [
  ["read", "ask for numbers, sources and answers"],
  ["import", "record answers, list imports"],
  ["manage", "change what is tracked, keys and answers"],
  ["people", "invite people, change roles"],
  ["accounts", "create other accounts"],
];

const validities = [
  ["90d", "90 days"],
  ["30d", "30 days"],
  ["365d", "365 days"],
  ["", "Until it is revoked"],
] as const;

/** A new key, or several: what they may do, and for how long. */
export function KeyDialog({ isSeveral, onCreated, onClose }: KeyDialogProps) {
  const own = useAccount().session?.scopes ?? [];
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<readonly Scope[]>(["read"]);
  const [expiresIn, setExpiresIn] = useState("90d");
  const names = isSeveral ? namesOf(name) : [name.trim()];
  const { failure, isRunning, run } = useChange(async ({ client }) => {
    const may = { scopes: [...scopes], expiresIn: expiresIn || null };
    onCreated(await createdFor(client, names, may));
  });
  const isFew = names.length > 0 && names.length <= keysMax;
  return (
    <FormDialog
      title={isSeveral ? "Create several keys" : "Create a key"}
      action={isSeveral && isFew ? `Create ${countOf(names.length, "key")}` : "Create"}
      isReady={!isRunning && scopes.length > 0 && isFew}
      onSubmit={() => void run()}
      // While keys are made, nobody else will ever be told of them.
      onClose={() => (isRunning ? undefined : onClose())}
    >
      {isSeveral ? (
        <NamesField text={name} count={names.length} onChange={setName} />
      ) : (
        <Field label="Name" hint="Its purpose: one key per program.">
          {(field) => (
            <input
              {...field}
              className={inputClass}
              maxLength={nameCharactersMax}
              placeholder="weekly report"
              // biome-ignore lint/a11y/noAutofocus: the dialog was opened to fill this in
              autoFocus
              value={name}
              onChange={({ target }) => setName(target.value)}
            />
          )}
        </Field>
      )}
      <ScopesField own={own} scopes={scopes} onChange={setScopes} />
      <ChoiceField label="Valid" value={expiresIn} options={validities} onChange={setExpiresIn} />
      <Refused error={failure} />
    </FormDialog>
  );
}

const nameCharactersMax = 500;

/** The names of a pasted list, each once. */
function namesOf(text: string): readonly string[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim().slice(0, nameCharactersMax));
  return [...new Set(lines.filter((line) => line !== ""))];
}

/** Creates keys one after the other; what was created before a failure is not lost with it. */
async function createdFor(
  client: Sightline,
  names: readonly string[],
  may: Pick<KeyRequest, "scopes" | "expiresIn">,
): Promise<CreatedKeys> {
  const keys: CreatedKeyResponse[] = [];
  for (const [place, name] of names.entries()) {
    try {
      keys.push(await client.keys.create({ name, ...may }));
    } catch (error) {
      if (keys.length === 0) throw error;
      const failure = error instanceof Error ? error : new Error(String(error));
      return { keys, left: names.slice(place), failure };
    }
  }
  return { keys, left: [], failure: null };
}

interface NamesFieldProps {
  readonly text: string;
  readonly count: number;
  readonly onChange: (text: string) => void;
}

function NamesField({ text, count, onChange }: NamesFieldProps) {
  const fault = count > keysMax ? `${countOf(count, "name")}: at most ${keysMax} in one go.` : null;
  return (
    <Field label="Names, one on each line" hint="A key for each." fault={fault}>
      {(field) => (
        <textarea
          {...field}
          className={inputClass}
          rows={6}
          // biome-ignore lint/a11y/noAutofocus: the dialog was opened to fill this in
          autoFocus
          value={text}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
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

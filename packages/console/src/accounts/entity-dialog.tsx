import { useState } from "react";
import { CheckField, Field, inputClass, TagField } from "../parts/fields.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import type { DraftEntity, ItemState } from "./draft.ts";

interface EntityDialogProps {
  readonly entity: DraftEntity;
  readonly kind: "brand" | "competitor";
  readonly state: ItemState;
  readonly onDone: (entity: DraftEntity) => void;
  readonly onClose: () => void;
}

/** The names and domains of the brand or a competitor. Nothing is saved yet when it closes. */
export function EntityDialog({ entity, kind, state, onDone, onClose }: EntityDialogProps) {
  const [edited, setEdited] = useState(entity);
  const change = (part: Partial<DraftEntity>) => setEdited({ ...edited, ...part });
  const isNew = state === "new" && entity.name === "";
  return (
    <FormDialog
      title={isNew ? "Add a competitor" : `Edit ${entity.name}`}
      action={isNew ? "Add" : "Done"}
      isReady={edited.name.trim() !== ""}
      onSubmit={() => onDone({ ...edited, name: edited.name.trim() })}
      onClose={onClose}
    >
      <Field
        label="Name"
        hint={
          edited.id !== undefined && edited.name !== entity.name
            ? "Its history stays: it is known by its id, not by its name."
            : "It is mentioned by this name and by its aliases."
        }
      >
        {(field) => (
          <input
            {...field}
            className={inputClass}
            maxLength={500}
            // biome-ignore lint/a11y/noAutofocus: the dialog was opened to fill this in
            autoFocus
            value={edited.name}
            onChange={({ target }) => change({ name: target.value })}
          />
        )}
      </Field>
      <CheckField
        checked={edited.caseSensitive}
        onChange={(caseSensitive) => change({ caseSensitive })}
      >
        The name counts only as it is written here, such as “Arc” and not “arc”
      </CheckField>
      <TagField
        label="Aliases"
        hint="Other names that count as mentions. Enter adds one; Aa: only as it is written."
        placeholder={kind === "brand" ? "Acme Labs" : "Globex Corporation"}
        values={edited.aliases}
        cases
        onChange={(aliases) => change({ aliases })}
      />
      <TagField
        label="Domains"
        hint="Citations of these hosts and their subdomains are its own. A path narrows one."
        placeholder={kind === "brand" ? "acme.example" : "globex.example"}
        values={edited.domains.map((name) => ({ name, caseSensitive: false }))}
        onChange={(values) => change({ domains: values.map(({ name }) => name) })}
      />
      <TagField
        label="Not a mention"
        hint="Phrases that hold one of its names and do not mean it, such as “spar penge” for Spar."
        placeholder="Phrase"
        values={edited.except.map((name) => ({ name, caseSensitive: false }))}
        onChange={(values) => change({ except: values.map(({ name }) => name) })}
      />
    </FormDialog>
  );
}

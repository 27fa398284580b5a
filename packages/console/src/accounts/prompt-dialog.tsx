import { useState } from "react";
import { CheckField, Field, inputClass } from "../parts/fields.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import type { DraftPrompt, DraftTopic } from "./draft.ts";

interface PromptDialogProps {
  readonly prompt: DraftPrompt;
  readonly topics: readonly DraftTopic[];
  readonly onDone: (prompt: DraftPrompt) => void;
  readonly onClose: () => void;
}

/** A prompt: its text, its topic, and whether it names the brand. */
export function PromptDialog({ prompt, topics, onDone, onClose }: PromptDialogProps) {
  const [edited, setEdited] = useState(prompt);
  const change = (part: Partial<DraftPrompt>) => setEdited({ ...edited, ...part });
  const isReworded = prompt.id !== undefined && edited.text !== prompt.text;
  return (
    <FormDialog
      title="Edit prompt"
      action="Done"
      isReady={edited.text.trim() !== ""}
      onSubmit={() => onDone(edited)}
      onClose={onClose}
    >
      <Field
        label="Text"
        hint={
          isReworded
            ? "It keeps the answers to the old text. For another question, add a prompt."
            : undefined
        }
      >
        {(field) => (
          <textarea
            {...field}
            className={inputClass}
            rows={3}
            maxLength={20_000}
            // biome-ignore lint/a11y/noAutofocus: the dialog was opened to fill this in
            autoFocus
            value={edited.text}
            onChange={({ target }) => change({ text: target.value })}
          />
        )}
      </Field>
      <TopicField topics={topics} value={edited.topic} onChange={(topic) => change({ topic })} />
      <Field label="Branded" hint="Branded prompts name the brand, and so say little of its reach.">
        {(field) => (
          <select
            {...field}
            className={inputClass}
            value={String(edited.branded ?? "")}
            onChange={({ target: { value } }) =>
              change({ branded: value === "" ? null : value === "true" })
            }
          >
            <option value="">By its text: yes when it names the brand</option>
            <option value="true">Yes</option>
            <option value="false">No</option>
          </select>
        )}
      </Field>
      <CheckField checked={edited.paused} onChange={(paused) => change({ paused })}>
        Paused: no longer asked; its answers count on
      </CheckField>
    </FormDialog>
  );
}

interface TopicFieldProps {
  readonly topics: readonly DraftTopic[];
  /** A key; null: none. */
  readonly value: string | null;
  readonly onChange: (topic: string | null) => void;
}

/** One of the topics, or none. */
export function TopicField({ topics, value, onChange }: TopicFieldProps) {
  return (
    <Field label="Topic">
      {(field) => (
        <select
          {...field}
          className={inputClass}
          value={value ?? ""}
          onChange={({ target }) => onChange(target.value === "" ? null : target.value)}
        >
          <option value="">None</option>
          {topics.map(({ key, name }) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

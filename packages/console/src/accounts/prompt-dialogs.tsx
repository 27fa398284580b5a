import { useMemo, useState } from "react";
import { countOf } from "../data/format.ts";
import { ChoiceField } from "../parts/choice-field.tsx";
import { CheckField, Field, inputClass } from "../parts/fields.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { type Draft, type DraftPrompt, type DraftTopic, withPasted } from "./draft.ts";
import { PasteField, usePaste } from "./paste-field.tsx";
import { type Speller, tagsOfText } from "./prompt-tags.ts";

interface PromptDialogProps {
  readonly prompt: DraftPrompt;
  readonly topics: readonly DraftTopic[];
  /** Writes tags as other prompts have them. */
  readonly spelled: Speller;
  readonly onDone: (prompt: DraftPrompt) => void;
  readonly onClose: () => void;
}

/** A prompt: its text, its topic, and whether it names the brand. */
export function PromptDialog({ prompt, topics, spelled, onDone, onClose }: PromptDialogProps) {
  const [edited, setEdited] = useState(prompt);
  const [tags, setTags] = useState(prompt.tags.join(", "));
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
            ? "The prompt keeps the answers to its old text. For another question, add a prompt."
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
      <Field label="Tags" hint="Separated by commas. A prompt may have up to 20.">
        {(field) => (
          <input
            {...field}
            className={inputClass}
            value={tags}
            onChange={({ target }) => {
              setTags(target.value);
              change({ tags: spelled(tagsOfText(target.value)) });
            }}
          />
        )}
      </Field>
      <ChoiceField
        label="Branded"
        hint="Branded prompts name the brand, so they say little about its reach."
        value={String(edited.branded ?? "")}
        options={[
          ["", "By its text: yes when it names the brand"],
          ["true", "Yes"],
          ["false", "No"],
        ]}
        onChange={(value) => change({ branded: value === "" ? null : value === "true" })}
      />
      <CheckField checked={edited.paused} onChange={(paused) => change({ paused })}>
        Paused: no longer asked; its answers still count
      </CheckField>
    </FormDialog>
  );
}

interface TopicFieldProps {
  readonly topics: readonly DraftTopic[];
  /** A key; null: none. */
  readonly value: string | null;
  readonly onChange: (topic: string | null) => void;
  readonly label?: string;
}

/** One of the topics, or none. */
function TopicField({ topics, value, onChange, label = "Topic" }: TopicFieldProps) {
  return (
    <ChoiceField
      label={label}
      value={value ?? ""}
      options={[["", "None"], ...topics.map(({ key, name }) => [key, name] as const)]}
      onChange={(chosen) => onChange(chosen === "" ? null : chosen)}
    />
  );
}

interface AddPromptsDialogProps {
  readonly draft: Draft;
  readonly onDone: (draft: Draft) => void;
  readonly onClose: () => void;
}

/** New prompts: a line each, or columns of a spreadsheet, which may bring topics along. */
export function AddPromptsDialog({ draft, onDone, onClose }: AddPromptsDialogProps) {
  const known = useMemo(() => draft.prompts.map(({ text }) => text), [draft.prompts]);
  const paste = usePaste(known);
  const [topic, setTopic] = useState<string | null>(null);
  const { prompts } = paste.read;
  const hasOwn = prompts.some((each) => each.topic !== null);
  return (
    <FormDialog
      title="Add prompts"
      action={prompts.length === 0 ? "Add" : `Add ${countOf(prompts.length, "prompt")}`}
      isReady={prompts.length > 0}
      onSubmit={() => {
        onDone(withPasted(draft, prompts, topic));
        onClose();
      }}
      onClose={onClose}
    >
      <PasteField {...paste} />
      <TopicField
        topics={draft.topics}
        value={topic}
        onChange={setTopic}
        label={hasOwn ? "Topic of prompts without one" : "Topic"}
      />
    </FormDialog>
  );
}

import { useState } from "react";
import { countOf } from "../data/format.ts";
import { CheckField, Field, inputClass } from "../parts/fields.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { type Draft, type DraftPrompt, type DraftTopic, plainPrompt } from "./draft.ts";

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
      <Field
        label="Branded"
        hint="Branded prompts name the brand, so they say little about its reach."
      >
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
}

/** One of the topics, or none. */
function TopicField({ topics, value, onChange }: TopicFieldProps) {
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

interface AddPromptsDialogProps {
  readonly draft: Draft;
  readonly onDone: (draft: Draft) => void;
  readonly onClose: () => void;
}

/** New prompts, one on each line. */
export function AddPromptsDialog({ draft, onDone, onClose }: AddPromptsDialogProps) {
  const [text, setText] = useState("");
  const [topic, setTopic] = useState<string | null>(null);
  const { fresh, known } = newTexts(draft, text);
  return (
    <FormDialog
      title="Add prompts"
      action={fresh.length === 0 ? "Add" : `Add ${countOf(fresh.length, "prompt")}`}
      isReady={fresh.length > 0}
      onSubmit={() => {
        const added = fresh.map((each) => plainPrompt(each, topic));
        onDone({ ...draft, prompts: [...added, ...draft.prompts] });
        onClose();
      }}
      onClose={onClose}
    >
      <Field
        label="Prompts, one per line"
        hint={
          known === 0
            ? "As buyers would ask. Prompts without the brand's name say most about its reach."
            : `${countOf(known, "line")} skipped: the prompt exists already.`
        }
      >
        {(field) => (
          <textarea
            {...field}
            className={inputClass}
            rows={8}
            placeholder="What is the best two-person tent?"
            // biome-ignore lint/a11y/noAutofocus: the dialog was opened to fill this in
            autoFocus
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        )}
      </Field>
      <TopicField topics={draft.topics} value={topic} onChange={setTopic} />
    </FormDialog>
  );
}

/** The lines that are no prompt yet, each once, and how many are. */
function newTexts({ prompts }: Draft, text: string) {
  const there = new Set(prompts.map((prompt) => prompt.text));
  const lines = text.split("\n").map((line) => line.trim());
  const given = [...new Set(lines.filter((line) => line !== ""))];
  const fresh = given.filter((line) => !there.has(line));
  return { fresh, known: given.length - fresh.length };
}

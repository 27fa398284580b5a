import { useState } from "react";
import { countOf } from "../data/format.ts";
import { Field, inputClass } from "../parts/fields.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { type Draft, plainPrompt } from "./draft.ts";
import { TopicField } from "./prompt-dialog.tsx";

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
        label="Prompts, one on each line"
        hint={
          known === 0
            ? "As a buyer would ask an assistant; without the brand's name they say most."
            : `${countOf(known, "line")} left out: such a prompt is there already.`
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

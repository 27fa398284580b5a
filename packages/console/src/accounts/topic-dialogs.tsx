import { useState } from "react";
import { countOf } from "../data/format.ts";
import { Button } from "../parts/button.tsx";
import { ChoiceField } from "../parts/choice-field.tsx";
import { CheckField, CheckGroup, Field, inputClass } from "../parts/fields.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { type Draft, type DraftTopic, newTopics, withoutTopics, withTopics } from "./draft.ts";
import css from "./tracked.module.css";

interface TopicDialogProps {
  readonly topic: DraftTopic;
  readonly promptsCount: number;
  readonly onDone: (topic: DraftTopic) => void;
  readonly onRemove: (topic: DraftTopic) => void;
  readonly onClose: () => void;
}

/** A topic: its name, and a way to remove it. */
export function TopicDialog({ topic, promptsCount, onDone, onRemove, onClose }: TopicDialogProps) {
  const [name, setName] = useState(topic.name);
  return (
    <FormDialog
      title={`Edit ${topic.name}`}
      action="Done"
      isReady={name.trim() !== ""}
      onSubmit={() => onDone({ ...topic, name: name.trim() })}
      onClose={onClose}
      apart={
        <Button kind="danger" className={css["apart"]} onClick={() => onRemove(topic)}>
          Remove topic
        </Button>
      }
    >
      <Field
        label="Name"
        hint={
          promptsCount === 0
            ? "Assign prompts to the topic once it exists."
            : `${countOf(promptsCount, "prompt")} keep the topic when its name changes.`
        }
      >
        {(field) => (
          <input
            {...field}
            className={inputClass}
            maxLength={500}
            // biome-ignore lint/a11y/noAutofocus: the dialog was opened to fill this in
            autoFocus
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
    </FormDialog>
  );
}

interface TopicsDialogProps {
  readonly draft: Draft;
  readonly onDone: (draft: Draft) => void;
  readonly onClose: () => void;
}

/** New topics: a name on each line. */
export function AddTopicsDialog({ draft, onDone, onClose }: TopicsDialogProps) {
  const [text, setText] = useState("");
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const added = newTopics(draft, lines);
  const known = lines.length - added.length;
  return (
    <FormDialog
      title="Add topics"
      action={added.length === 0 ? "Add" : `Add ${countOf(added.length, "topic")}`}
      isReady={added.length > 0}
      onSubmit={() => {
        onDone(withTopics(draft, added));
        onClose();
      }}
      onClose={onClose}
    >
      <Field
        label="Names, one on each line"
        hint={
          known === 0
            ? "Assign prompts to the topics once they exist."
            : `${countOf(known, "line")} left out: there already, or twice in the list.`
        }
      >
        {(field) => (
          <textarea
            {...field}
            className={inputClass}
            rows={5}
            // biome-ignore lint/a11y/noAutofocus: the dialog was opened to fill this in
            autoFocus
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        )}
      </Field>
    </FormDialog>
  );
}

const remove = "remove";

/** Merges the ticked topics into one, or removes them. */
export function SeveralTopicsDialog({ draft, onDone, onClose }: TopicsDialogProps) {
  const { topics, prompts } = draft;
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [into, setInto] = useState("");
  const toggle = (key: string, isTicked: boolean) => {
    const others = [...ticked].filter((each) => each !== key);
    setTicked(new Set(isTicked ? [...others, key] : others));
  };
  const gone = topics.filter(({ key }) => ticked.has(key) && key !== into);
  const countIn = (key: string) => prompts.filter(({ topic }) => topic === key).length;
  const moved = gone.reduce((sum, { key }) => sum + countIn(key), 0);
  const isRemoval = into === remove;
  const target = topics.find(({ key }) => key === into)?.name ?? "";
  const verb = isRemoval ? "Remove" : "Merge";
  return (
    <FormDialog
      title="Edit several topics"
      action={
        gone.length === 0 || into === "" ? "Done" : `${verb} ${countOf(gone.length, "topic")}`
      }
      isReady={gone.length > 0 && into !== ""}
      onSubmit={() => {
        onDone(withoutTopics(draft, ticked, isRemoval ? null : into));
        onClose();
      }}
      onClose={onClose}
    >
      <CheckGroup title="Topics">
        {topics.map(({ key, name }) => (
          <CheckField
            key={key}
            checked={ticked.has(key)}
            onChange={(isTicked) => toggle(key, isTicked)}
          >
            {name} <span className="quiet">{countOf(countIn(key), "prompt")}</span>
          </CheckField>
        ))}
      </CheckGroup>
      <ChoiceField
        label="What happens to them"
        hint={hintOf({ isChosen: into !== "" && gone.length > 0, isRemoval, moved, target })}
        value={into}
        options={[
          ["", "Choose …"],
          [remove, "Remove them: their prompts have no topic"],
          ...topics.map(({ key, name }) => [key, `Merge into ${name}`] as const),
        ]}
        onChange={setInto}
      />
    </FormDialog>
  );
}

interface HintParts {
  readonly isChosen: boolean;
  readonly isRemoval: boolean;
  readonly moved: number;
  readonly target: string;
}

function hintOf({ isChosen, isRemoval, moved, target }: HintParts): string {
  if (!isChosen) return "Nothing is saved before you review it.";
  const prompts = countOf(moved, "prompt");
  return isRemoval ? `${prompts} without a topic then.` : `${prompts} go to ${target}.`;
}

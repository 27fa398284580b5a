import { useState } from "react";
import { countOf, countText } from "../data/format.ts";
import { Button } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { Field, inputClass } from "../parts/fields.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { type DraftTopic, newKey } from "./draft.ts";
import { Removed, StateTag } from "./draft-items.tsx";
import type { DraftEditor } from "./draft-store.ts";
import css from "./tracked.module.css";

interface TopicsProps {
  readonly editor: DraftEditor;
  readonly mayChange: boolean;
}

/** The topics that prompts belong to. */
export function Topics({ editor, mayChange }: TopicsProps) {
  const { draft, changes, change } = editor;
  const { topics, prompts } = draft;
  const [edited, setEdited] = useState<DraftTopic | null>(null);
  const done = (topic: DraftTopic) => {
    const at = topics.findIndex(({ key }) => key === topic.key);
    change({ ...draft, topics: at < 0 ? [...topics, topic] : topics.with(at, topic) });
    setEdited(null);
  };
  const remove = ({ key }: DraftTopic) => {
    change({ ...draft, topics: topics.filter((each) => each.key !== key) });
    setEdited(null);
  };
  const promptsOf = ({ key }: DraftTopic) => prompts.filter(({ topic }) => topic === key).length;
  return (
    <Card
      title={`Topics · ${countText(topics.length)}`}
      text="Groups of prompts, to filter by and to compare."
      tools={
        mayChange ? (
          <Button icon="plus" onClick={() => setEdited({ key: newKey(), id: undefined, name: "" })}>
            Add topic
          </Button>
        ) : null
      }
    >
      {topics.length === 0 ? (
        <p className={css["none"]}>No topics yet. Topics are optional.</p>
      ) : (
        <ul className={css["topics"]} aria-label="Topics">
          {topics.map((topic) => (
            <li key={topic.key}>
              <button
                type="button"
                className={css["topic"]}
                disabled={!mayChange}
                onClick={() => setEdited(topic)}
              >
                {topic.name}
                <span className="quiet">{countText(promptsOf(topic))}</span>
                <StateTag state={changes.stateOf(topic)} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <Removed
        items={changes.removed.topics}
        nameOf={({ name }) => name}
        onRestore={(topic) => change({ ...draft, topics: [...topics, topic] })}
      />
      {edited === null ? null : (
        <TopicDialog
          topic={edited}
          promptsCount={promptsOf(edited)}
          onDone={done}
          onRemove={topics.some(({ key }) => key === edited.key) ? remove : null}
          onClose={() => setEdited(null)}
        />
      )}
    </Card>
  );
}

interface TopicDialogProps {
  readonly topic: DraftTopic;
  readonly promptsCount: number;
  readonly onDone: (topic: DraftTopic) => void;
  readonly onRemove: ((topic: DraftTopic) => void) | null;
  readonly onClose: () => void;
}

function TopicDialog({ topic, promptsCount, onDone, onRemove, onClose }: TopicDialogProps) {
  const [name, setName] = useState(topic.name);
  return (
    <FormDialog
      title={onRemove === null ? "Add a topic" : `Edit ${topic.name}`}
      action={onRemove === null ? "Add" : "Done"}
      isReady={name.trim() !== ""}
      onSubmit={() => onDone({ ...topic, name: name.trim() })}
      onClose={onClose}
      apart={
        onRemove === null ? null : (
          <Button kind="danger" className={css["apart"]} onClick={() => onRemove(topic)}>
            Remove topic
          </Button>
        )
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

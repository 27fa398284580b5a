import { useState } from "react";
import { countText } from "../data/format.ts";
import { Button } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { type DraftTopic, withoutTopics } from "./draft.ts";
import { Removed, StateTag } from "./draft-items.tsx";
import type { DraftEditor } from "./draft-store.ts";
import { AddTopicsDialog, SeveralTopicsDialog, TopicDialog } from "./topic-dialogs.tsx";
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
  const [opened, setOpened] = useState<"add" | "several" | null>(null);
  const done = (topic: DraftTopic) => {
    const at = topics.findIndex(({ key }) => key === topic.key);
    change({ ...draft, topics: at < 0 ? [...topics, topic] : topics.with(at, topic) });
    setEdited(null);
  };
  const remove = ({ key }: DraftTopic) => {
    change(withoutTopics(draft, new Set([key]), null));
    setEdited(null);
  };
  const close = () => setOpened(null);
  const promptsOf = ({ key }: DraftTopic) => prompts.filter(({ topic }) => topic === key).length;
  return (
    <Card
      title={`Topics · ${countText(topics.length)}`}
      text="Groups of prompts, to filter by and to compare."
      tools={
        mayChange ? (
          <>
            {topics.length === 0 ? null : (
              <Button onClick={() => setOpened("several")}>Edit several</Button>
            )}
            <Button icon="plus" onClick={() => setOpened("add")}>
              Add topics
            </Button>
          </>
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
          onRemove={remove}
          onClose={() => setEdited(null)}
        />
      )}
      {opened === "add" ? (
        <AddTopicsDialog draft={draft} onDone={change} onClose={close} />
      ) : opened === "several" ? (
        <SeveralTopicsDialog draft={draft} onDone={change} onClose={close} />
      ) : null}
    </Card>
  );
}

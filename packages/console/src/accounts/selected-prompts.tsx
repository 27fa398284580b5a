import { useId, useState } from "react";
import { Button } from "../parts/button.tsx";
import { type Ticked, TickedBar } from "../parts/ticked.tsx";
import type { Draft, DraftPrompt } from "./draft.ts";
import { retagged, type TagEdit, tagsOfPrompts, tagsOfText } from "./prompt-tags.ts";
import css from "./tracked.module.css";

interface SelectedPromptsProps {
  readonly draft: Draft;
  /** Those that the search finds: what nobody sees is not changed. */
  readonly found: readonly DraftPrompt[];
  readonly ticked: Ticked<DraftPrompt>;
  readonly onChange: (draft: Draft) => void;
}

/** What can be done with many prompts: tick all that are found, set topic and tags, pause them. */
export function SelectedPrompts({ draft, found, ticked, onChange }: SelectedPromptsProps) {
  const selected = found.filter(ticked.has);
  const isSelected = new Set(selected.map(({ key }) => key));
  const done = (prompts: readonly DraftPrompt[]) => {
    onChange({ ...draft, prompts });
    ticked.clear();
  };
  const edit = (part: Partial<Pick<DraftPrompt, "topic" | "paused">>) =>
    done(draft.prompts.map((each) => (isSelected.has(each.key) ? { ...each, ...part } : each)));
  const setTopic = (topic: string | null) => edit({ topic });
  const setPaused = (paused: boolean) => edit({ paused });
  return (
    <TickedBar rows={found} ticked={ticked} noun="prompt">
      <select
        className={css["select"]}
        aria-label="Topic of the selected prompts"
        value=""
        onChange={({ target }) => setTopic(target.value === "none" ? null : target.value)}
      >
        <option value="" disabled>
          Set topic …
        </option>
        {draft.topics.map(({ key, name }) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
        <option value="none">No topic</option>
      </select>
      <TagsOfSelected
        known={tagsOfPrompts(draft.prompts)}
        theirs={tagsOfPrompts(selected)}
        onChange={(tags) => done(retagged(draft.prompts, isSelected, tags))}
      />
      {selected.some(({ paused }) => !paused) ? (
        <Button onClick={() => setPaused(true)}>Pause</Button>
      ) : null}
      {selected.some(({ paused }) => paused) ? (
        <Button onClick={() => setPaused(false)}>Resume</Button>
      ) : null}
      <Button
        kind="danger"
        onClick={() => done(draft.prompts.filter(({ key }) => !isSelected.has(key)))}
      >
        Remove
      </Button>
    </TickedBar>
  );
}

interface TagsOfSelectedProps {
  /** The tags of any prompt. */
  readonly known: readonly string[];
  /** Those that a selected prompt has. */
  readonly theirs: readonly string[];
  readonly onChange: (tags: TagEdit) => void;
}

/** Gives the selected prompts tags that are typed, or takes one that they have. */
function TagsOfSelected({ known, theirs, onChange }: TagsOfSelectedProps) {
  const [text, setText] = useState("");
  const list = useId();
  const add = tagsOfText(text);
  return (
    <>
      <input
        className={css["select"]}
        aria-label="Tags for the selected prompts"
        placeholder="Tags"
        list={list}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <datalist id={list}>
        {known.map((tag) => (
          <option key={tag} value={tag} />
        ))}
      </datalist>
      {add.length === 0 ? null : <Button onClick={() => onChange({ add })}>Add tags</Button>}
      {theirs.length === 0 ? null : (
        <select
          className={css["select"]}
          aria-label="Tag to remove from the selected prompts"
          value=""
          onChange={({ target }) => onChange({ remove: [target.value] })}
        >
          <option value="" disabled>
            Remove tag …
          </option>
          {theirs.map((tag) => (
            <option key={tag} value={tag}>
              {tag}
            </option>
          ))}
        </select>
      )}
    </>
  );
}

import { useState } from "react";
import { countOf } from "../data/format.ts";
import { Button } from "../parts/button.tsx";
import type { Draft, DraftPrompt } from "./draft.ts";
import css from "./tracked.module.css";

/** The prompts that are ticked, by their keys. */
export interface Selection {
  readonly has: (prompt: DraftPrompt) => boolean;
  readonly toggle: (prompts: readonly DraftPrompt[], isTicked: boolean) => void;
  readonly clear: () => void;
}

/** No prompt is ticked at first. */
export function useSelection(): Selection {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  return {
    has: ({ key }) => keys.has(key),
    toggle: (prompts, isTicked) => {
      const toggled = new Set(keys);
      for (const { key } of prompts) {
        if (isTicked) toggled.add(key);
        else toggled.delete(key);
      }
      setKeys(toggled);
    },
    clear: () => setKeys(new Set()),
  };
}

interface SelectedPromptsProps {
  readonly draft: Draft;
  /** Those that the search finds: what nobody sees is not changed. */
  readonly found: readonly DraftPrompt[];
  readonly selection: Selection;
  readonly onChange: (draft: Draft) => void;
}

/** What can be done with many prompts: tick all that are found, give them a topic, pause them. */
export function SelectedPrompts({ draft, found, selection, onChange }: SelectedPromptsProps) {
  const ticked = found.filter(selection.has);
  const isTicked = new Set(ticked.map(({ key }) => key));
  const isAll = ticked.length === found.length && found.length > 0;
  const done = (prompts: readonly DraftPrompt[]) => {
    onChange({ ...draft, prompts });
    selection.clear();
  };
  const edit = (part: Partial<Pick<DraftPrompt, "topic" | "paused">>) =>
    done(draft.prompts.map((each) => (isTicked.has(each.key) ? { ...each, ...part } : each)));
  const setTopic = (topic: string | null) => edit({ topic });
  const setPaused = (paused: boolean) => edit({ paused });
  return (
    <div className={css["selected"]}>
      <label>
        <input
          type="checkbox"
          checked={isAll}
          ref={(box) => {
            if (box !== null) box.indeterminate = ticked.length > 0 && !isAll;
          }}
          onChange={({ target }) => selection.toggle(found, target.checked)}
        />
        {ticked.length === 0
          ? `Select all ${countOf(found.length, "prompt")}`
          : `${countOf(ticked.length, "prompt")} selected`}
      </label>
      {ticked.length === 0 ? null : (
        <>
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
          {ticked.some(({ paused }) => !paused) ? (
            <Button onClick={() => setPaused(true)}>Pause</Button>
          ) : null}
          {ticked.some(({ paused }) => paused) ? (
            <Button onClick={() => setPaused(false)}>Resume</Button>
          ) : null}
          <Button
            kind="danger"
            onClick={() => done(draft.prompts.filter(({ key }) => !isTicked.has(key)))}
          >
            Remove
          </Button>
        </>
      )}
    </div>
  );
}

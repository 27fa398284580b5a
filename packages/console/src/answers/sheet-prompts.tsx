import type { TaggedWorkspaceFile } from "@sightline/client";
import type { UnknownPrompt } from "@sightline/sheets/sheet-file";
import { useId, useState } from "react";
import { draftOf, fileOfDraft, placeIn, withPasted } from "../accounts/draft.ts";
import { useWorkspaceFile } from "../accounts/queries.ts";
import { ReviewDialog } from "../accounts/review-dialog.tsx";
import { useScope } from "../data/account.ts";
import { countOf, countText } from "../data/format.ts";
import { Button } from "../parts/button.tsx";
import { inputClass } from "../parts/fields.tsx";
import { Missing } from "../parts/refused.tsx";
import { Table } from "../parts/table.tsx";
import type { SheetDraft } from "./sheet-draft.ts";
import css from "./sheet-wizard.module.css";

interface UnknownPromptsProps {
  readonly unknownPrompts: readonly UnknownPrompt[];
  readonly workspace: TaggedWorkspaceFile;
  /** Where each may be another way to write a tracked prompt; null: no answers are of them. */
  readonly meant: Meant | null;
  readonly onAdded: () => void;
}

interface Meant {
  readonly draft: SheetDraft;
  readonly onChange: (part: Partial<SheetDraft>) => void;
}

/** Prompts that are not tracked: each is another way to write a tracked one, or is added. */
export function UnknownPrompts(props: UnknownPromptsProps) {
  const { unknownPrompts, workspace, meant, onAdded } = props;
  const mayAdd = useScope("manage");
  const { refetch } = useWorkspaceFile();
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [isReviewed, setReviewed] = useState(false);
  const added = unknownPrompts.filter(
    ({ text }) => meant?.draft.prompts[text] === undefined && !left.has(text),
  );
  // Those of the table with a topic that they alone have; with several, a person must choose.
  const pasted = added.map(({ text, tags, isPaused, topics: [topic = null, ...others] }) => {
    const paused = isPaused === true;
    return { text, topic: others.length === 0 ? topic : null, tags, paused };
  });
  const wanted = withPasted(draftOf(workspace.file), pasted, null);
  const toggle = (text: string, isAdded: boolean) => {
    const others = [...left].filter((each) => each !== text);
    setLeft(new Set(isAdded ? others : [...others, text]));
  };
  return (
    <section className={css["part"]}>
      <h3>Prompts that are not tracked</h3>
      {meant === null ? null : (
        <p className="small quiet">
          The service rejects their answers. Add them here, or choose the tracked prompt that is
          meant.
        </p>
      )}
      <PromptTable {...{ unknownPrompts, workspace, meant, left, toggle, mayAdd }} />
      {mayAdd ? (
        <div>
          <Button icon="plus" disabled={added.length === 0} onClick={() => setReviewed(true)}>
            {`Add ${countOf(added.length, "prompt")} …`}
          </Button>
        </div>
      ) : (
        <Missing scope="manage" what="Adding prompts" />
      )}
      {isReviewed ? (
        <ReviewDialog
          title="Prompts to track"
          file={fileOfDraft(wanted)}
          etag={workspace.etag}
          placeOf={(path) => placeIn(wanted, path)}
          onConflict={async () => {
            await refetch();
          }}
          onSaved={() => {
            setReviewed(false);
            onAdded();
          }}
          onClose={() => setReviewed(false)}
        />
      ) : null}
    </section>
  );
}

interface PromptTableProps {
  readonly unknownPrompts: readonly UnknownPrompt[];
  readonly workspace: TaggedWorkspaceFile;
  readonly meant: Meant | null;
  /** Those that are not to be added. */
  readonly left: ReadonlySet<string>;
  readonly toggle: (text: string, isAdded: boolean) => void;
  readonly mayAdd: boolean;
}

/** More are not worth a field each: the column is another one, or all are to be added. */
const promptsShown = 50;

function PromptTable(props: PromptTableProps) {
  const { unknownPrompts, workspace, meant, left, toggle, mayAdd } = props;
  const list = useId();
  const more = unknownPrompts.length - promptsShown;
  const meantOf = ({ text }: UnknownPrompt) => meant?.draft.prompts[text] ?? "";
  return (
    <>
      <datalist id={list}>
        {workspace.file.prompts.map(({ id, text }) => (
          <option key={id} value={text} />
        ))}
      </datalist>
      <Table
        caption="Prompts that are not tracked"
        rows={unknownPrompts.slice(0, promptsShown)}
        keyOf={({ text }) => text}
        columns={[
          {
            key: "add",
            title: "Add",
            cell: (prompt) => (
              <input
                type="checkbox"
                aria-label={`Add ${prompt.text}`}
                disabled={!mayAdd || meantOf(prompt) !== ""}
                checked={mayAdd && meantOf(prompt) === "" && !left.has(prompt.text)}
                onChange={({ target }) => toggle(prompt.text, target.checked)}
              />
            ),
          },
          { key: "prompt", title: "In the file", cell: ({ text }) => <Long text={text} /> },
          { key: "topic", title: "Topic", drops: 1, cell: ({ topics }) => topicText(topics) },
          {
            key: "tags",
            title: "Tags",
            drops: 2,
            cell: ({ tags }) => (tags.length === 0 ? "–" : tags.join(", ")),
          },
          ...(meant === null ? [] : [meantColumn({ ...meant, list })]),
        ]}
      />
      {more > 0 ? <p className="small quiet">And {countText(more)} more.</p> : null}
    </>
  );
}

/** A field in which the tracked prompt is chosen. */
function meantColumn({ draft, onChange, list }: Meant & { readonly list: string }) {
  return {
    key: "meant",
    title: "Or the tracked prompt that is meant",
    cell: ({ text }: UnknownPrompt) => (
      <input
        className={inputClass}
        list={list}
        aria-label={`Tracked prompt for ${text}`}
        value={draft.prompts[text] ?? ""}
        onChange={({ target }) => onChange({ prompts: withMeant(draft, text, target.value) })}
      />
    ),
  };
}

function topicText(topics: readonly string[]): string {
  if (topics.length === 0) return "–";
  return topics.length === 1 ? topics.join("") : `none, since it has several: ${topics.join(", ")}`;
}

function Long({ text }: { readonly text: string }) {
  return <span className={css["long"]}>{text}</span>;
}

function withMeant({ prompts }: SheetDraft, prompt: string, meant: string) {
  const others = Object.entries(prompts).filter(([each]) => each !== prompt);
  return Object.fromEntries(meant === "" ? others : [...others, [prompt, meant]]);
}

interface FoundPromptsProps {
  readonly title: string;
  readonly prompts: readonly UnknownPrompt[];
  readonly workspace: TaggedWorkspaceFile;
  readonly onAdded: () => void;
}

/** The prompts of an export without answers: those that are not tracked can be. */
export function FoundPrompts({ title, prompts, workspace, onAdded }: FoundPromptsProps) {
  const tracked = new Set(workspace.file.prompts.map(({ text }) => text));
  const unknownPrompts = prompts.filter(({ text }) => !tracked.has(text));
  return (
    <>
      <p role="status">
        This export of {title} has no answers. {countOf(prompts.length, "prompt")} of it,{" "}
        {countText(prompts.length - unknownPrompts.length)} tracked.
      </p>
      {unknownPrompts.length === 0 ? null : (
        <UnknownPrompts {...{ unknownPrompts, workspace, onAdded }} meant={null} />
      )}
    </>
  );
}

import { useMemo, useState } from "react";
import { useAccountName } from "../data/account.ts";
import { countOf, countText } from "../data/format.ts";
import { useWorkspace } from "../data/queries.ts";
import { changeOwn, useView } from "../data/use-view.ts";
import { Button, IconButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { type Cell, saveCsv } from "../parts/csv.ts";
import { CsvMenu } from "../parts/csv-menu.tsx";
import { Nothing } from "../parts/panel.tsx";
import { Table } from "../parts/table.tsx";
import { Tag } from "../parts/tag.tsx";
import { type Ticked, tickColumn, useTicked } from "../parts/ticked.tsx";
import { type Draft, type DraftPrompt, withPrompt } from "./draft.ts";
import { Removed, StateTag } from "./draft-items.tsx";
import type { DraftEditor } from "./draft-store.ts";
import { AddPromptsDialog, PromptDialog } from "./prompt-dialogs.tsx";
import { spellerOf } from "./prompt-tags.ts";
import { SelectedPrompts } from "./selected-prompts.tsx";
import { Topics } from "./topics.tsx";
import css from "./tracked.module.css";

interface PromptsProps {
  readonly editor: DraftEditor;
  readonly mayChange: boolean;
}

const noPrompts = {
  title: "No prompts yet",
  text: "Add what buyers ask before they choose, such as: What is the best tent for two?",
};

/** Rows on a page of the table. */
const pageRows = 50;

/** Topics, and the prompts that are asked. */
export function Prompts({ editor, mayChange }: PromptsProps) {
  const { draft, changes, change } = editor;
  const { prompts, topics } = draft;
  const { own } = useView();
  const account = useAccountName(draft.brand.name);
  const saved = {
    name: `${account.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "-")}-prompts`,
    about: [`Prompts · ${account}`],
  };
  const [edited, setEdited] = useState<DraftPrompt | null>(null);
  const [isAdding, setAdding] = useState(false);
  const ticked = useTicked<DraftPrompt>(({ key }) => key);
  const search = own["find"] ?? "";
  const found = foundPrompts(draft, search, own["topic"] ?? "");
  const pagesCount = Math.max(1, Math.ceil(found.length / pageRows));
  const page = Math.min(Math.max(1, Number(own["at"]) || 1), pagesCount);
  const shown = found.slice((page - 1) * pageRows, page * pageRows);
  const done = (prompt: DraftPrompt) => {
    change(withPrompt(draft, prompt));
    setEdited(null);
  };
  const remove = ({ key }: DraftPrompt) =>
    change({ ...draft, prompts: prompts.filter((each) => each.key !== key) });
  return (
    <>
      <Topics editor={editor} mayChange={mayChange} />
      <Card
        title={`Prompts · ${countText(prompts.length)}`}
        text="The questions that assistants are asked. Each answer counts for its prompt."
        tools={
          <>
            {prompts.length === 0 ? null : (
              <CsvMenu onSave={(form) => saveCsv({ ...saved, rows: promptRows(draft) }, form)} />
            )}
            {mayChange ? (
              <Button icon="plus" onClick={() => setAdding(true)}>
                Add prompts
              </Button>
            ) : null}
          </>
        }
      >
        {prompts.length === 0 ? (
          <Nothing {...noPrompts} />
        ) : (
          <>
            <PromptSearch draft={draft} search={search} topic={own["topic"] ?? ""} />
            {mayChange ? <SelectedPrompts {...{ draft, found, ticked }} onChange={change} /> : null}
            <PromptTable
              {...{ draft, shown, changes, remove, ticked }}
              onEdit={setEdited}
              mayChange={mayChange}
            />
            {found.length === 0 ? (
              <p className={css["none"]}>No prompt matches.</p>
            ) : (
              <Paging page={page} pagesCount={pagesCount} count={found.length} />
            )}
          </>
        )}
        <Removed
          items={changes.removed.prompts}
          nameOf={({ text }) => text}
          onRestore={(prompt) => change({ ...draft, prompts: [...prompts, prompt] })}
        />
      </Card>
      {edited === null ? null : (
        <PromptDialog
          prompt={edited}
          topics={topics}
          spelled={spellerOf(prompts.filter(({ key }) => key !== edited.key))}
          onDone={done}
          onClose={() => setEdited(null)}
        />
      )}
      {isAdding ? (
        <AddPromptsDialog draft={draft} onDone={change} onClose={() => setAdding(false)} />
      ) : null}
    </>
  );
}

/** All prompts as they are edited, in columns that *Add prompts* reads. */
function promptRows({ prompts, topics }: Draft): readonly (readonly Cell[])[] {
  const names = new Map(topics.map(({ key, name }) => [key, name]));
  return [
    ["prompt", "topic", "tags", "branded", "paused"],
    ...prompts.map(({ text, topic, tags, branded, paused }) => {
      return [text, names.get(topic ?? "") ?? null, tags.join("; ") || null, branded, paused];
    }),
  ];
}

/** Those with all words of the search, of a topic by its key; `none`: without one. */
function foundPrompts({ prompts }: Draft, search: string, topic: string): readonly DraftPrompt[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return prompts.filter((prompt) => {
    if (topic !== "" && (prompt.topic ?? "none") !== topic) return false;
    const text = prompt.text.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

interface PromptSearchProps {
  readonly draft: Draft;
  readonly search: string;
  readonly topic: string;
}

function PromptSearch({ draft, search, topic }: PromptSearchProps) {
  return (
    <div className={css["finding"]}>
      <input
        type="search"
        className={css["search"]}
        aria-label="Search prompts"
        placeholder="Search"
        value={search}
        onChange={({ target }) => changeOwn({ find: target.value, at: "" }, { replace: true })}
      />
      <select
        className={css["select"]}
        aria-label="Topic of the prompts shown"
        value={topic}
        onChange={({ target }) => changeOwn({ topic: target.value, at: "" }, { replace: true })}
      >
        <option value="">All topics</option>
        {draft.topics.map(({ key, name }) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
        <option value="none">Without a topic</option>
      </select>
    </div>
  );
}

interface PromptTableProps {
  readonly draft: Draft;
  readonly shown: readonly DraftPrompt[];
  readonly changes: DraftEditor["changes"];
  readonly mayChange: boolean;
  readonly ticked: Ticked<DraftPrompt>;
  readonly onEdit: (prompt: DraftPrompt) => void;
  readonly remove: (prompt: DraftPrompt) => void;
}

function PromptTable(props: PromptTableProps) {
  const { draft, shown, changes, mayChange, ticked, onEdit, remove } = props;
  const { data } = useWorkspace();
  const names = new Map(draft.topics.map(({ key, name }) => [key, name]));
  const byText = useMemo(
    () => new Map(data?.prompts.map(({ id, branded }) => [id, branded])),
    [data],
  );
  return (
    <div className={css["prompts"]}>
      <Table
        caption="Prompts"
        rows={shown}
        keyOf={({ key }) => key}
        columns={[
          ...(mayChange ? [tickColumn({ ticked, nameOf: ({ text }: DraftPrompt) => text })] : []),
          {
            key: "text",
            main: true,
            title: "Prompt",
            cell: (prompt) => (
              <span className={css["name"]}>
                {mayChange ? (
                  <button type="button" className={css["link"]} onClick={() => onEdit(prompt)}>
                    {prompt.text}
                  </button>
                ) : (
                  prompt.text
                )}
                {prompt.paused ? <Tag>paused</Tag> : null}
                <StateTag state={changes.stateOf(prompt)} />
              </span>
            ),
          },
          {
            key: "topic",
            drops: 2,
            title: "Topic",
            cell: ({ topic }) => names.get(topic ?? "") ?? <span className="quiet">–</span>,
          },
          ...(shown.some(({ tags }) => tags.length > 0)
            ? [
                {
                  key: "tags",
                  drops: 2,
                  title: "Tags",
                  cell: ({ tags }: DraftPrompt) =>
                    tags.length === 0 ? <span className="quiet">–</span> : tags.join(", "),
                },
              ]
            : []),
          {
            key: "branded",
            title: "Branded",
            drops: 1,
            explained: "branded",
            cell: ({ id, branded }) => <Branded set={branded} byText={byText.get(id ?? "")} />,
          },
          ...(mayChange
            ? [
                {
                  key: "remove",
                  title: <span className="visually-hidden">Remove</span>,
                  figure: true,
                  cell: (prompt: DraftPrompt) => (
                    <IconButton
                      icon="close"
                      label={`Remove ${prompt.text}`}
                      onClick={() => remove(prompt)}
                    />
                  ),
                },
              ]
            : []),
        ]}
      />
    </div>
  );
}

interface BrandedProps {
  /** Null: it follows from the text. */
  readonly set: boolean | null;
  /** What follows from the text; undefined: it is not saved yet. */
  readonly byText: boolean | undefined;
}

function Branded({ set, byText }: BrandedProps) {
  const word = (branded: boolean) => (branded ? "yes" : "no");
  if (set !== null) return <Tag>{word(set)}, set by hand</Tag>;
  return <span className="quiet">{byText === undefined ? "by its text" : word(byText)}</span>;
}

interface PagingProps {
  readonly page: number;
  readonly pagesCount: number;
  readonly count: number;
}

function Paging({ page, pagesCount, count }: PagingProps) {
  if (pagesCount === 1) return null;
  const first = (page - 1) * pageRows + 1;
  const last = Math.min(count, page * pageRows);
  return (
    <div className={css["paging"]}>
      <span>
        {countText(first)}–{countText(last)} of {countOf(count, "prompt")}
      </span>
      <Button
        icon="left"
        disabled={page === 1}
        aria-label="Previous page"
        onClick={() => changeOwn({ at: String(page - 1) })}
      />
      <Button
        icon="right"
        disabled={page === pagesCount}
        aria-label="Next page"
        onClick={() => changeOwn({ at: String(page + 1) })}
      />
    </div>
  );
}

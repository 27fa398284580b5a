import type { UntrackedNamesResponse } from "@sightline/client";
import { plainEntity, withAlias, withEntity, withIgnored } from "../../accounts/draft.ts";
import { type DraftEditor, useDraft } from "../../accounts/draft-store.ts";
import { SaveBar } from "../../accounts/save-bar.tsx";
import { useScope } from "../../data/account.ts";
import { sent } from "../../data/filters.ts";
import { countText, intervalText, percentText, valueText } from "../../data/format.ts";
import { useAnswer } from "../../data/queries.ts";
import type { ViewQuestion } from "../../data/use-question.ts";
import { changeOwn, changeView } from "../../data/use-view.ts";
import { Button } from "../../parts/button.tsx";
import { Expander } from "../../parts/expander.tsx";
import { Pager, pageOf, pageRows } from "../../parts/pager.tsx";
import { Panel } from "../../parts/panel.tsx";
import { Menu } from "../../parts/popover.tsx";
import { Missing } from "../../parts/refused.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Tag } from "../../parts/tag.tsx";
import { CopyMenu } from "../copy-menu.tsx";
import { emptyText } from "../empty-texts.tsx";
import { type GrowingList, useGrowing } from "../use-growing.ts";
import { turnTo } from "./prompt-view.ts";
import css from "./prompts.module.css";

type Part = UntrackedNamesResponse;
type Name = Part["names"][number];

/** Names of one call. */
const perCall = 100;

function nameList({ filters }: ViewQuestion): GrowingList<Part, string> {
  const asked = { filters, limit: perCall };
  return {
    key: ["names", asked],
    first: "",
    fetch: (client, cursor, signal) =>
      client.insights.names(sent({ ...asked, ...(cursor === "" ? {} : { cursor }) }), { signal }),
    next: ({ nextCursor }) => nextCursor,
  };
}

/** Names that answers have and nobody tracks, and what can be done with each. */
export function NameList({ question }: { readonly question: ViewQuestion }) {
  const { own } = question.view;
  const wanted = (pageOf(own["p"], Number.MAX_SAFE_INTEGER) + 1) * pageRows;
  const { data, error, isPlaceholderData, refetch } = useGrowing(nameList(question), (parts) => {
    return parts.length * perCall < wanted;
  });
  const editor = useDraft();
  const open = own["open"] ?? null;
  return (
    <>
      <Missing scope="manage" what="Tracking and ignoring names" />
      <Panel
        title="Names that nobody tracks"
        tools={<CopyMenu question={copiedNames(question)} />}
        query={{ data: data?.pages, error, isPlaceholderData, refetch }}
        flush
        minHeight={480}
        emptyOf={([first]) =>
          emptyText(first?.empty ?? null) ?? (first?.total === 0 ? noNames : null)
        }
      >
        {(parts) => {
          const [first] = parts;
          const total = first?.total ?? 0;
          const page = pageOf(own["p"], total);
          const rows = parts.flatMap(({ names }) => names);
          return (
            <>
              <p className={css["searched"]}>{alone(first)}</p>
              <Table
                caption="Names that nobody tracks"
                columns={columnsOf(question, open)}
                rows={rows.slice(page * pageRows, (page + 1) * pageRows)}
                keyOf={({ name }) => name}
                detailOf={(row) =>
                  row.name === open ? <Detail {...{ row, question, editor }} /> : null
                }
              />
              <Pager noun="name" {...{ total, page }} onPage={turnTo} />
            </>
          );
        }}
      </Panel>
      {editor === null ? null : <SaveBar editor={editor} />}
    </>
  );
}

const noNames = {
  title: "No other names",
  text: "No name that is not tracked or ignored stands in answers to two prompts of the period.",
};

/** How many answers name only names of the list. */
function alone(first: Part | undefined): string {
  const { value = null, interval = null } = first?.onlyUnknown ?? {};
  const bounds = intervalText("mentions", interval);
  const of = bounds === null ? "" : ` (${bounds})`;
  return `${percentText(value)}${of} of all answers have a name of this list and no tracked one.`;
}

function copiedNames({ filters }: ViewQuestion) {
  return {
    path: "/v1/insights/names",
    call: "insights.names",
    body: { filters, limit: perCall },
    command: ["names", "--limit", String(perCall)],
  } as const;
}

function entityName({ workspace: { brand, competitors } }: ViewQuestion, id: string): string {
  return [brand, ...competitors].find((each) => each.id === id)?.name ?? "a tracked name";
}

function columnsOf(question: ViewQuestion, open: string | null): readonly Column<Name>[] {
  return [
    {
      key: "name",
      title: "Name",
      cell: ({ name, aliasOf }) => (
        <Expander
          isOpen={name === open}
          onToggle={() => changeOwn({ open: name === open ? "" : name }, { replace: true })}
        >
          {name}
          {aliasOf === null ? null : (
            <span className={css["about"]}>Looks like {entityName(question, aliasOf)}</span>
          )}
        </Expander>
      ),
    },
    { key: "answers", title: "Answers", figure: true, cell: (each) => countText(each.answers) },
    {
      key: "prompts",
      title: "Prompts",
      figure: true,
      drops: 2,
      cell: (each) => countText(each.prompts),
    },
    {
      key: "place",
      title: "Mean place",
      figure: true,
      drops: 3,
      cell: ({ meanPlace }) => valueText("rank", meanPlace),
    },
    { key: "domain", title: "Domain", drops: 1, cell: ({ domain }) => domain ?? "" },
  ];
}

interface DetailProps {
  readonly row: Name;
  readonly question: ViewQuestion;
  readonly editor: DraftEditor | null;
}

/** An example of a name, and what can be done with it. */
function Detail({ row, question, editor }: DetailProps) {
  return (
    <div className={css["name"]}>
      {row.example === null ? null : <Example example={row.example} />}
      {editor === null ? null : <Actions {...{ row, question, editor }} />}
    </div>
  );
}

/** Characters on each side of an example. */
const around = 160;

function Example({ example }: { readonly example: NonNullable<Name["example"]> }) {
  const { answerId, start, end } = example;
  const { data, isPlaceholderData } = useAnswer(answerId);
  const text = data?.text ?? null;
  return (
    <figure>
      <blockquote aria-busy={data === undefined || isPlaceholderData}>
        {text === null || isPlaceholderData ? (
          "…"
        ) : (
          <>
            {start > around ? "… " : ""}
            {text.slice(Math.max(0, start - around), start)}
            <mark>{text.slice(start, end)}</mark>
            {text.slice(end, end + around)}
            {end + around < text.length ? " …" : ""}
          </>
        )}
      </blockquote>
      <Button onClick={() => changeView({ evidence: anyAnswer, answer: answerId })}>
        Open the answer
      </Button>
    </figure>
  );
}

const anyAnswer = { role: "any", entityId: null, dates: null, promptId: null, part: null } as const;

/** All three edit the draft of what is tracked: it is reviewed before it is saved. */
function Actions({ row, question, editor }: DetailProps & { readonly editor: DraftEditor }) {
  const mayChange = useScope("manage");
  const { draft, change } = editor;
  const { name, domain, aliasOf } = row;
  const { brand, competitors } = question.workspace;
  const is = stateIn(editor, name);
  if (is !== null) return <Tag>{is}</Tag>;
  const likely = [brand, ...competitors].toSorted(
    (a, b) => Number(b.id === aliasOf) - Number(a.id === aliasOf),
  );
  return (
    <div className={css["actions"]} role="group" aria-label={`What to do with ${name}`}>
      <Button
        kind={aliasOf === null ? "primary" : "normal"}
        disabled={!mayChange}
        onClick={() => change(withEntity(draft, newEntity(name, domain)))}
      >
        Track
      </Button>
      <Menu
        label={`Alias of whom ${name} is`}
        trigger={(props) => (
          <Button kind={aliasOf === null ? "normal" : "primary"} disabled={!mayChange} {...props}>
            Alias of …
          </Button>
        )}
        groups={[
          likely.map((each) => ({
            text: each.name,
            onSelect: () => change(withAlias(draft, each.id, name)),
          })),
        ]}
      />
      <Button disabled={!mayChange} onClick={() => change(withIgnored(draft, name))}>
        Ignore
      </Button>
    </div>
  );
}

function newEntity(name: string, domain: string | null) {
  return { ...plainEntity(name), domains: domain === null ? [] : [domain] };
}

/** What the draft does with a name already; null: nothing. */
function stateIn({ draft }: DraftEditor, name: string): string | null {
  if (draft.ignoredNames?.includes(name)) return "Ignored once it is saved";
  const entity = [draft.brand, ...draft.competitors].find((each) =>
    [each.name, ...each.aliases.map((alias) => alias.name)].includes(name),
  );
  if (entity === undefined) return null;
  return entity.name === name
    ? "Tracked once it is saved"
    : `Alias of ${entity.name} once it is saved`;
}

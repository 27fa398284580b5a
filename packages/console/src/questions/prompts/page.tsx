import { useAccount, useAccountName } from "../../data/account.ts";
import { faultText } from "../../data/fault-text.ts";
import { countText } from "../../data/format.ts";
import { fetched, later } from "../../data/later.ts";
import { useWorkspace } from "../../data/queries.ts";
import { useViewQuestion, type ViewQuestion } from "../../data/use-question.ts";
import { changeView, clearFilters } from "../../data/use-view.ts";
import { Button } from "../../parts/button.tsx";
import { Chip, OptionList } from "../../parts/chip.tsx";
import type { CsvForm } from "../../parts/csv.ts";
import { CsvMenu } from "../../parts/csv-menu.tsx";
import { FilterBar } from "../../parts/filter-bar.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { Pager, pageOf, pageRows } from "../../parts/pager.tsx";
import { type Empty, Failure, Panel } from "../../parts/panel.tsx";
import { told } from "../../parts/save.ts";
import { SearchField } from "../../parts/search-field.tsx";
import { Table } from "../../parts/table.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { CopyMenu } from "../copy-menu.tsx";
import { emptyText } from "../empty-texts.tsx";
import {
  copiedPrompts,
  type PromptPart,
  promptSummaries,
  promptsIn,
  promptsOf,
} from "../prompt-summaries.ts";
import { useGrowing } from "../use-growing.ts";
import { promptColumns } from "./prompt-columns.tsx";
import { PromptDetail } from "./prompt-detail.tsx";
import { type PromptRow, promptRows } from "./prompt-rows.ts";
import { narrow, type PromptView, promptViewOf, sortBy, turnTo } from "./prompt-view.ts";
import css from "./prompts.module.css";
import { QueryList } from "./query-list.tsx";
import { useStability } from "./use-stability.ts";

/** The prompts: how the brand stands in the answers to each. */
export function PromptsPage() {
  const workspace = useWorkspace();
  const question = useViewQuestion();
  if (workspace.error !== null && question === null) {
    return <Failure error={workspace.error} retry={workspace.refetch} />;
  }
  return (
    <>
      <PageHead title="Prompts" of={question?.workspace.brand.name} shared={question} />
      {question === null ? (
        <div className={css["filters"]} />
      ) : (
        // The list is of one period; what an opened prompt says of its change is of two.
        <FilterBar question={question} alone={promptViewOf(question.view).open === null} />
      )}
      {question === null ? null : <PromptTabs question={question} />}
    </>
  );
}

const tabs = [
  ["prompts", "Prompts"],
  ["queries", "Queries"],
  ["names", "Names"],
] as const;

const NameList = later(async () => (await import("./name-list.tsx")).NameList);

function PromptTabs({ question }: { readonly question: ViewQuestion }) {
  const chosen = question.view.own["tab"];
  const tab = chosen === "queries" || chosen === "names" ? chosen : "prompts";
  return (
    <Tabs
      label="Prompts"
      tabs={tabs}
      value={tab}
      onChange={(next) => narrow({ tab: next === "prompts" ? "" : next })}
    >
      {tab === "queries" ? (
        <QueryList question={question} />
      ) : tab === "names" ? (
        <NameList question={question} />
      ) : (
        <PromptList question={question} />
      )}
    </Tabs>
  );
}

/** Every prompt, and how the brand or a competitor stands in its answers. */
function PromptList({ question }: { readonly question: ViewQuestion }) {
  const { workspace } = question;
  const list = listOf(question);
  const prompts = promptsOf(question);
  const { data, error, isPlaceholderData, refetch, hasNextPage } = useGrowing(
    prompts.length === 0 ? null : promptSummaries(question, list.entityId ?? workspace.brand.id),
    () => true,
  );
  // Without a prompt nothing is asked, and nothing is what there is to show.
  const parts = prompts.length === 0 ? [] : data?.pages;
  const rows = promptRows({
    prompts: promptsIn(prompts, parts ?? []),
    workspace,
    list,
    groups: parts?.flatMap(({ groups }) => groups) ?? [],
  });
  const page = pageOf(list.page, rows.length);
  const all = workspace.prompts.length;
  const shown = rows.slice(page * pageRows, (page + 1) * pageRows);
  const stability = useStability(question, isPlaceholderData ? [] : shown);
  const save = useSave(question, rows);
  return (
    <Panel
      title={
        <>
          Prompts <span className={css["count"]}>{countText(prompts.length)}</span>
        </>
      }
      tools={
        <PromptTools
          {...{ question, list }}
          onSave={rows.length === 0 || isPlaceholderData ? null : (form) => told(save(form))}
        />
      }
      query={{ data: parts, error, isPlaceholderData, refetch }}
      flush
      minHeight={480}
      emptyOf={(given) => {
        if (all === 0) return noPrompts;
        if (prompts.length === 0) return noneOfThem;
        return nothingIn(given) ?? (rows.length === 0 ? noMatch : null);
      }}
      partialOf={() => {
        if (error !== null) return `Some prompts are missing: ${faultText(error)}`;
        return hasNextPage ? "More prompts are being loaded." : null;
      }}
    >
      {() => (
        <>
          <Table
            caption="Prompts"
            columns={promptColumns({ list, stability })}
            rows={shown}
            keyOf={({ prompt }) => prompt.id}
            sorting={list.sorting}
            onSort={sortBy}
            detailOf={(row) =>
              row.prompt.id === list.open ? (
                <PromptDetail question={question} row={row} entityId={list.entityId} />
              ) : null
            }
          />
          <Pager noun="prompt" total={rows.length} page={page} onPage={turnTo}>
            {rows.length === all ? null : `of ${countText(all)} in all`}
          </Pager>
        </>
      )}
    </Panel>
  );
}

/** What the address says; who is tracked no more has no values, so the brand's are shown. */
function listOf({ view, workspace: { competitors } }: ViewQuestion): PromptView {
  const list = promptViewOf(view);
  const isThere = competitors.some(({ id }) => id === list.entityId);
  return isThere ? list : { ...list, entityId: null };
}

function useSave(question: ViewQuestion, rows: readonly PromptRow[]) {
  const { client } = useAccount();
  const owner = useAccountName(question.workspace.brand.name);
  return async (form: CsvForm) => {
    const { savePrompts } = await fetched(() => import("./save-prompts.ts"));
    await savePrompts({ client, owner, question, rows }, form);
  };
}

/** Why there are no summaries; null: some answers pass the filters. */
function nothingIn(parts: readonly PromptPart[]): Empty | null {
  const hasAnswers = ({ empty }: PromptPart) => empty === null || empty.reason === "uninformative";
  return parts.some(hasAnswers) ? null : emptyText(parts[0]?.empty ?? null);
}

interface PromptToolsProps extends EntityChipProps {
  /** Null: there is nothing to save. */
  readonly onSave: ((form: CsvForm) => void) | null;
}

function PromptTools({ question, list, onSave }: PromptToolsProps) {
  const { brand } = question.workspace;
  return (
    <>
      <SearchField of="prompts" value={list.search} onChange={(q) => narrow({ q })} />
      <EntityChip question={question} list={list} />
      <VisibleChip list={list} />
      <CsvMenu disabled={onSave === null} onSave={(form) => onSave?.(form)} />
      <CopyMenu question={copiedPrompts(question.filters, list.entityId ?? brand.id)} />
    </>
  );
}

const noPrompts: Empty = {
  title: "No prompts yet",
  text: "Prompts are the questions that assistants are asked. Add the first one in the setup.",
  actions: (
    <Button kind="primary" onClick={() => changeView({ page: "setup", own: {} })}>
      Add prompts
    </Button>
  ),
};

const noneOfThem: Empty = {
  title: "No prompt passes the filters",
  text: "No prompt has this topic and kind. Remove a filter.",
  actions: <Button onClick={clearFilters}>Clear filters</Button>,
};

const noMatch: Empty = {
  title: "Nothing matches",
  text: "No prompt matches the search.",
  actions: <Button onClick={() => narrow({ q: "", visible: "", p: "" })}>Show all prompts</Button>,
};

interface EntityChipProps {
  readonly question: ViewQuestion;
  readonly list: PromptView;
}

/** Whose values the list shows. */
function EntityChip({ question: { workspace }, list: { entityId } }: EntityChipProps) {
  const { brand, competitors } = workspace;
  const chosen = competitors.find(({ id }) => id === entityId);
  return (
    <Chip name="Values of" value={chosen?.name ?? null} plain={brand.name}>
      {(close) => (
        <OptionList
          name="Values of"
          options={[brand, ...competitors].map(({ id, name }) => ({ value: id, text: name }))}
          chosen={[chosen?.id ?? brand.id]}
          onChange={([id]) => narrow({ of: id === undefined || id === brand.id ? "" : id })}
          single
          close={close}
        />
      )}
    </Chip>
  );
}

const visibleTexts = { yes: "Visible", no: "Never visible" } as const;

function VisibleChip({ list: { visible } }: Pick<EntityChipProps, "list">) {
  const chosen = visible === null ? null : visible ? "yes" : "no";
  return (
    <Chip name="Show" value={chosen === null ? null : visibleTexts[chosen]}>
      {(close) => (
        <OptionList
          name="Show"
          options={[
            { value: "", text: "All prompts" },
            { value: "yes", text: "Visible in an answer" },
            { value: "no", text: "Never visible" },
          ]}
          chosen={[chosen ?? ""]}
          onChange={([value]) => narrow({ visible: value ?? "" })}
          single
          close={close}
        />
      )}
    </Chip>
  );
}

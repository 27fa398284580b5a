import { useWorkspace } from "../../data/queries.ts";
import { useViewQuestion, type ViewQuestion } from "../../data/use-question.ts";
import { FilterBar } from "../../parts/filter-bar.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { Failure } from "../../parts/panel.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { Gaps } from "./gaps.tsx";
import { Lives } from "./lives.tsx";
import { SourceList } from "./source-list.tsx";
import { chooseTab, sourceViewOf } from "./source-view.ts";
import css from "./sources.module.css";

/** What answers cite: domains, pages, and where competitors are cited and the brand is not. */
export function SourcesPage() {
  const workspace = useWorkspace();
  const question = useViewQuestion();
  if (workspace.error !== null && question === null) {
    return <Failure error={workspace.error} retry={workspace.refetch} />;
  }
  // Gaps and lives are those of one period.
  const isOne = question !== null && ["gaps", "life"].includes(sourceViewOf(question.view).tab);
  return (
    <>
      <PageHead title="Sources" of={question?.workspace.brand.name} shared={question} />
      {question === null ? (
        <div className={css["filters"]} />
      ) : (
        <FilterBar question={question} alone={isOne} />
      )}
      {question === null ? null : <SourceTabs question={question} />}
    </>
  );
}

const tabs = [
  ["domains", "Domains"],
  ["pages", "Pages"],
  ["gaps", "Gaps"],
  ["life", "Life"],
] as const;

function SourceTabs({ question }: { readonly question: ViewQuestion }) {
  const list = sourceViewOf(question.view);
  return (
    <Tabs label="Sources" tabs={tabs} value={list.tab} onChange={chooseTab}>
      {list.tab === "life" ? (
        <Lives question={question} list={list} />
      ) : list.tab === "gaps" ? (
        <Gaps question={question} list={list} />
      ) : (
        <SourceList
          key={list.tab}
          question={question}
          groupBy={list.tab === "domains" ? "domain" : "url"}
          list={list}
        />
      )}
    </Tabs>
  );
}

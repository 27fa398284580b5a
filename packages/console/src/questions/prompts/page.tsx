import { useWorkspace } from "../../data/queries.ts";
import { useViewQuestion } from "../../data/use-question.ts";
import { FilterBar } from "../../parts/filter-bar.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { Failure } from "../../parts/panel.tsx";
import { PromptList } from "./prompt-list.tsx";
import css from "./prompts.module.css";

/** The prompts: how the brand stands in the answers to each. */
export function PromptsPage() {
  const workspace = useWorkspace();
  const question = useViewQuestion();
  if (workspace.error !== null && question === null) {
    return <Failure error={workspace.error} retry={workspace.refetch} />;
  }
  return (
    <>
      <PageHead title="Prompts" of={question?.workspace.brand.name} />
      {question === null ? (
        <div className={css["filters"]} />
      ) : (
        <FilterBar question={question} alone />
      )}
      {question === null ? null : <PromptList question={question} />}
    </>
  );
}

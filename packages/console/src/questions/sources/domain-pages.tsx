import { useState } from "react";
import { countOf, countText } from "../../data/format.ts";
import { copiedSources, type ListedSource, pageList } from "../../data/sources.ts";
import { useGrowing } from "../../data/use-growing.ts";
import type { ViewQuestion } from "../../data/use-question.ts";
import { Button } from "../../parts/button.tsx";
import { CopyMenu } from "../../parts/copy-menu.tsx";
import { Failure, Interrupted } from "../../parts/panel.tsx";
import { Table } from "../../parts/table.tsx";
import { CitingAnswers } from "./citing-answers.tsx";
import { barOf, sourceColumns } from "./source-columns.tsx";
import { openPageOf } from "./source-view.ts";
import css from "./sources.module.css";

interface DomainPagesProps {
  readonly question: ViewQuestion;
  readonly domain: ListedSource;
  /** The page whose answers are open. */
  readonly openPage: string | null;
}

/** Pages that are shown before all are asked for. */
const shownFirst = 10;

/** The pages of a domain, the most cited first. */
export function DomainPages({ question, domain, openPage }: DomainPagesProps) {
  const [showsAll, setShowsAll] = useState(false);
  const reply = useGrowing(pageList(question, domain.source), () => showsAll);
  const { data, error, isPlaceholderData, isFetching, hasNextPage, refetch } = reply;
  const isThere = data !== undefined && !isPlaceholderData;
  const pages = isThere ? data.pages.flatMap(({ sources }) => sources) : [];
  if (error !== null && pages.length === 0) return <Failure error={error} retry={refetch} />;
  const total = isThere ? (data.pages[0]?.pagination.total ?? 0) : 0;
  const shown = showsAll ? pages : pages.slice(0, shownFirst);
  const isGrowing = !isThere || (showsAll && isFetching);
  return (
    <div className={css["inner"]} aria-busy={isGrowing}>
      <Table
        caption={`Cited pages of ${domain.source}`}
        columns={sourceColumns({
          ...{ question, groupBy: "url", openSource: openPage, onOpen: openPageOf },
          domain: domain.source,
        })}
        rows={shown}
        keyOf={({ source }) => source}
        barOf={(each) => barOf(each, pages[0]?.share ?? 1)}
        detailOf={(page) =>
          page.source === openPage ? (
            <CitingAnswers question={question} groupBy="url" source={page} side="all" />
          ) : null
        }
      />
      <div className={css["foot"]}>
        {error !== null && hasNextPage ? <Interrupted error={error} retry={refetch} /> : null}
        <span className="quiet">
          {isThere ? countOf(total, "page") : "Loading its pages …"}
          {showsAll && !hasNextPage && pages.length < total
            ? `, the ${countText(pages.length)} most cited`
            : ""}
        </span>
        {!showsAll && total > shown.length ? (
          <Button kind="plain" onClick={() => setShowsAll(true)}>
            Show all {countText(total)}
          </Button>
        ) : null}
        <CopyMenu
          question={copiedSources(question, "url", domain.source)}
          label="Copy the pages as"
        />
      </div>
    </div>
  );
}

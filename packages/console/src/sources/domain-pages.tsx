import { useState } from "react";
import { countOf, countText } from "../data/format.ts";
import { isPageOf, type ListedSource, sourceList } from "../data/sources.ts";
import { useGrowing } from "../data/use-growing.ts";
import type { ViewQuestion } from "../data/use-question.ts";
import { Button } from "../parts/button.tsx";
import { Failure } from "../parts/panel.tsx";
import { Table } from "../parts/table.tsx";
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

/**
 * The pages of a domain. The service lists pages of all domains, so they are looked through until
 * their citations add up to the domain's.
 */
export function DomainPages({ question, domain, openPage }: DomainPagesProps) {
  const [showsAll, setShowsAll] = useState(false);
  const its = (sources: readonly ListedSource[]) =>
    sources.filter(({ source }) => isPageOf(source, domain.source));
  const reply = useGrowing(sourceList(question, "url"), (parts) => {
    return citationsOf(its(parts.flatMap(({ sources }) => sources))) < domain.citations;
  });
  const { data, error, isPlaceholderData, isFetching, hasNextPage, refetch } = reply;
  const isThere = data !== undefined && !isPlaceholderData;
  const pages = isThere ? its(data.pages.flatMap(({ sources }) => sources)) : [];
  if (error !== null && pages.length === 0) return <Failure error={error} retry={refetch} />;
  const left = domain.citations - citationsOf(pages);
  const isGrowing = !isThere || (left > 0 && isFetching);
  const shown = showsAll ? pages : pages.slice(0, shownFirst);
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
      <p className={css["foot"]}>
        {isGrowing ? (
          <span className="quiet">Looking for its pages …</span>
        ) : (
          <span className="quiet">
            {countOf(pages.length, "page")}
            {left > 0 && !hasNextPage
              ? `; ${countText(left)} citations are of pages beyond the most cited ones`
              : ""}
          </span>
        )}
        {pages.length > shown.length ? (
          <Button kind="plain" onClick={() => setShowsAll(true)}>
            Show all {countText(pages.length)}
          </Button>
        ) : null}
      </p>
    </div>
  );
}

const citationsOf = (sources: readonly ListedSource[]): number =>
  sources.reduce((sum, { citations }) => sum + citations, 0);

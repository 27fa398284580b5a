import type { Grouping } from "@sightline/client";
import { useState } from "react";
import { countOf, countText } from "../../data/format.ts";
import type { ViewQuestion } from "../../data/use-question.ts";
import { Button } from "../../parts/button.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Failure, Interrupted } from "../../parts/panel.tsx";
import { AnswerList } from "../answer-list.tsx";
import {
  type CitingPart,
  citingAnswers,
  evidenceOf,
  type ListedAnswer,
} from "../citing-answers.ts";
import { copiedAnswers } from "../copied-answers.ts";
import { CopyMenu } from "../copy-menu.tsx";
import type { CitingQuestion, CitingSide, ListedSource } from "../source-questions.ts";
import { useGrowing } from "../use-growing.ts";
import css from "./sources.module.css";

interface CitingAnswersProps {
  readonly question: ViewQuestion;
  readonly groupBy: Grouping;
  readonly source: ListedSource;
  readonly side: CitingSide;
}

const shownFirst = 10;
const shownMore = 40;

const answersOf = (parts: readonly CitingPart[]): readonly ListedAnswer[] =>
  parts.flatMap(({ answers }) => answers);

/** The answers that cite a source, newest first; each opens in the evidence. */
export function CitingAnswers({ question, groupBy, source, side }: CitingAnswersProps) {
  const { workspace, filters } = question;
  const { brand, competitors } = workspace;
  const [shown, setShown] = useState(shownFirst);
  const counts = {
    all: source.answers,
    withoutBrand: source.withCompetitorOnly,
    withoutCompetitor: source.withBrandOnly,
  };
  const count = counts[side];
  const asked: CitingQuestion = {
    source: source.source,
    groupBy,
    side,
    filters,
    count,
    brandId: brand.id,
    competitorIds: competitors.map(({ id }) => id),
  };
  const list = citingAnswers(asked);
  const reply = useGrowing(
    count === 0 ? null : list,
    (parts) => answersOf(parts).length < Math.min(shown, count),
  );
  const { data, error, isPlaceholderData, isFetching, hasNextPage, refetch } = reply;
  const parts = data === undefined || isPlaceholderData ? [] : data.pages;
  const found = answersOf(parts);
  const answers = found.slice(0, shown);
  if (error !== null && answers.length === 0) return <Failure error={error} retry={refetch} />;
  return (
    <div className={css["inner"]} aria-busy={isFetching}>
      <AnswerList answers={answers} prompts={workspace.prompts} />
      <div className={css["foot"]}>
        {error !== null && hasNextPage ? <Interrupted error={error} retry={refetch} /> : null}
        <span className="quiet">
          {answers.length >= count
            ? countOf(count, "answer")
            : `${countText(answers.length)} of ${countOf(count, "answer")}, newest first`}
          {isFetching ? "; looking for more …" : ""}
        </span>
        {found.length > shown || (hasNextPage && !isFetching && error === null) ? (
          <Button kind="plain" onClick={() => setShown(shown + shownMore)}>
            Show more
          </Button>
        ) : null}
        <CopyMenu question={copiedAnswers(evidenceOf(asked))} label="Copy the answers as" />
        {groupBy === "url" ? (
          <a className={css["visit"]} href={source.source} target="_blank" rel="noreferrer">
            Visit the page
            <Icon name="out" />
          </a>
        ) : null}
      </div>
    </div>
  );
}

import type { WorkspaceResponse } from "@sightline/client";
import type { ReactNode } from "react";
import { dateText } from "../data/format.ts";
import { changeView } from "../data/use-view.ts";
import { ProviderLabel } from "../parts/provider-label.tsx";
import { RegionLabel } from "../parts/region-label.tsx";
import css from "./answer-list.module.css";
import type { ListedAnswer } from "./citing-answers.ts";

interface AnswerListProps {
  readonly answers: readonly ListedAnswer[];
  readonly prompts: WorkspaceResponse["prompts"];
  /** Where all are of one prompt: what is said of an answer in its place. */
  readonly noteOf?: (id: string) => ReactNode;
}

/** Answers, each of which opens in the evidence, among those of its prompt. */
export function AnswerList({ answers, prompts, noteOf }: AnswerListProps) {
  return (
    <ul className={css["list"]} aria-label="Answers">
      {answers.map(({ id, promptId, provider, region, answeredAt }) => (
        <li key={id}>
          <button
            type="button"
            className={css["answer"]}
            data-answer={id}
            onClick={() =>
              changeView({
                evidence: { role: "any", entityId: null, dates: null, promptId, part: null },
                answer: id,
              })
            }
          >
            <span className={css["when"]}>{dateText(answeredAt, "instant")}</span>
            <span className={css["where"]}>
              <ProviderLabel provider={provider} />
              {region === null ? null : <RegionLabel code={region} />}
            </span>
            {noteOf === undefined ? (
              <span className={css["prompt"]}>
                {prompts.find((prompt) => prompt.id === promptId)?.text ?? promptId}
              </span>
            ) : (
              <span className={css["note"]}>{noteOf(id)}</span>
            )}
          </button>
        </li>
      ))}
    </ul>
  );
}

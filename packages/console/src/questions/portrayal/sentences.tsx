import type { EvidenceAnswer, PortrayalFlag } from "@sightline/client";
import { useMemo } from "react";
import { countText, dateText } from "../../data/format.ts";
import { flagTitles } from "../../data/names.ts";
import { useEvidence } from "../../data/queries.ts";
import type { ViewQuestion } from "../../data/use-question.ts";
import { changeView } from "../../data/use-view.ts";
import { Panel } from "../../parts/panel.tsx";
import { ProviderLabel } from "../../parts/provider-label.tsx";
import { copiedAnswers } from "../copied-answers.ts";
import { CopyMenu } from "../copy-menu.tsx";
import { MorePages, plainOf } from "../evidence/answer-list.tsx";
import { useShownEntities } from "../evidence/drawer.tsx";
import { EntityContext, Marked, removedText } from "../evidence/marked.tsx";
import css from "./portrayal.module.css";
import { flagDefinitions } from "./portrayal-texts.ts";
import { type SaidSentence, saidSentences } from "./said-sentences.ts";

interface SentencesProps {
  readonly question: ViewQuestion;
  readonly flag: PortrayalFlag;
  readonly entity: { readonly id: string; readonly name: string };
}

const ofAll = { promptId: null };

/** What answers say of an entity, newest first: its name and the words that say so are marked. */
export function Sentences({ question, flag, entity }: SentencesProps) {
  const asked = { role: flag, entityId: entity.id, filters: question.filters, limit: 20 };
  const pages = useEvidence(asked);
  const entities = useShownEntities({ ...question, address: ofAll });
  const answers = pages.data?.pages.flatMap((page) => page.answers) ?? [];
  return (
    <EntityContext value={entities}>
      <Panel
        title={`${entity.name}: ${flagTitles[flag].toLowerCase()}`}
        query={pages}
        flush
        minHeight={240}
        className={css["sentences"]}
        tools={<CopyMenu label="Copy the sentences as" question={copiedAnswers(asked)} />}
        emptyOf={() =>
          answers.length > 0
            ? null
            : { title: "No such answer", text: `None of the period. ${flagDefinitions[flag]}` }
        }
      >
        {() => (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
          <div className={css["scroll"]} tabIndex={0} role="region" aria-label="Sentences">
            <ol>
              {answers.map((answer) => (
                <li key={answer.id}>
                  <Sentence {...{ answer, flag, question }} entityId={entity.id} />
                </li>
              ))}
            </ol>
            <MorePages pages={pages} />
          </div>
        )}
      </Panel>
    </EntityContext>
  );
}

interface SentenceProps extends Pick<SentencesProps, "question" | "flag"> {
  readonly answer: EvidenceAnswer;
  readonly entityId: string;
}

function Sentence({ answer, flag, entityId, question }: SentenceProps) {
  const { id, promptId, provider, answeredAt, textRemoved } = answer;
  const { shown, left } = useMemo(
    () => saidSentences(answer, entityId, flag),
    [answer, entityId, flag],
  );
  const { prompts } = question.workspace;
  return (
    <button
      type="button"
      className={css["sentence"]}
      onClick={() =>
        changeView({
          evidence: { role: flag, entityId, dates: null, promptId: null, part: null },
          answer: id,
        })
      }
    >
      {textRemoved ? <span className="quiet">{removedText}</span> : null}
      {shown.map((said) => (
        <Said key={said.start} said={said} answer={answer} />
      ))}
      {left === 0 ? null : <span className={css["about"]}>{countText(left)} more</span>}
      <span className={css["meta"]}>
        <ProviderLabel provider={provider} />
        <span>{dateText(answeredAt)}</span>
        <span>{prompts.find((prompt) => prompt.id === promptId)?.text ?? promptId}</span>
      </span>
    </button>
  );
}

interface SaidProps {
  readonly said: SaidSentence;
  readonly answer: EvidenceAnswer;
}

/** A sentence with its marks, and the pages behind it. */
function Said({ said: { text, mentions, cues, citations }, answer }: SaidProps) {
  const plain = useMemo(() => plainOf({ text, mentions, cues }), [text, mentions, cues]);
  const pages = new Set(citations.map((place) => answer.citations[place]?.domain ?? null));
  const domains = [...pages].filter((domain) => domain !== null);
  return (
    <span className={css["said"]}>
      <Marked {...plain} />
      {domains.length === 0 ? null : (
        <span className={css["pages"]}>Behind it: {domains.join(", ")}</span>
      )}
    </span>
  );
}

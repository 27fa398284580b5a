import type {
  EvidenceAnswer,
  EvidenceQuestion,
  PortrayalFlag,
  WorkspaceResponse,
} from "@sightline/client";
import { useMemo, useState } from "react";
import { useAccount, useAccountName } from "../../data/account.ts";
import { countText, dateText } from "../../data/format.ts";
import { fetched } from "../../data/later.ts";
import { flagOf, sampleModel } from "../../data/names.ts";
import type { useEvidence } from "../../data/queries.ts";
import { changeView } from "../../data/use-view.ts";
import { Button } from "../../parts/button.tsx";
import type { CsvForm } from "../../parts/csv.ts";
import { CsvMenu } from "../../parts/csv-menu.tsx";
import { Interrupted, Panel } from "../../parts/panel.tsx";
import { ProviderLabel } from "../../parts/provider-label.tsx";
import { RegionLabel } from "../../parts/region-label.tsx";
import { told } from "../../parts/save.ts";
import { Tag } from "../../parts/tag.tsx";
import { copiedAnswers } from "../copied-answers.ts";
import { CopyMenu } from "../copy-menu.tsx";
import css from "./evidence.module.css";
import { Marked, removedText } from "./marked.tsx";
import {
  type Cued,
  cuesOf,
  excerptOf,
  layersOf,
  type MarkedText,
  windowOf,
} from "./marked-text.ts";
import { plainText, recordedText, richTextOf } from "./rich-text.ts";

interface MorePagesProps {
  readonly pages: ReturnType<typeof useEvidence>;
}

/** How many answers of a list are there, and what brings the next ones. */
export function MorePages({ pages }: MorePagesProps) {
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = pages;
  const listed = data?.pages.reduce((sum, page) => sum + page.answers.length, 0) ?? 0;
  return (
    <div className={css["more"]}>
      {countText(listed)} of {countText(data?.pages[0]?.total ?? 0)}
      {isFetchNextPageError ? (
        <Interrupted error={pages.error} retry={fetchNextPage} />
      ) : hasNextPage ? (
        <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {isFetchingNextPage ? "Loading …" : "Show more"}
        </Button>
      ) : null}
    </div>
  );
}

interface AnswerListProps {
  readonly pages: ReturnType<typeof useEvidence>;
  /** What they reply to. */
  readonly asked: EvidenceQuestion;
  readonly workspace: WorkspaceResponse;
  /** Around whose first mention a text is shown; null: anybody's. */
  readonly entityId: string | null;
  /** What the list is of, in a sentence, and what that means. */
  readonly title: string;
  readonly definition: string;
}

/** The answers behind a value, newest first. */
export function AnswerList(props: AnswerListProps) {
  const { pages, asked, workspace, entityId, title, definition } = props;
  const { client } = useAccount();
  const owner = useAccountName(workspace.brand.name);
  const [isSaving, setSaving] = useState(false);
  const save = async (form: CsvForm) => {
    const { saveAnswers } = await fetched(() => import("./save-answers.ts"));
    await saveAnswers({ client, owner, workspace, asked, title, definition, form });
  };
  const { data } = pages;
  const answers = data?.pages.flatMap((page) => page.answers) ?? [];
  const total = data?.pages[0]?.total ?? 0;
  return (
    <Panel
      title="Answers"
      query={pages}
      minHeight={320}
      flush
      tools={
        <>
          <span className="small quiet">
            newest first<span className={css["byKeys"]}>; j and k move</span>
          </span>
          <CsvMenu
            disabled={total === 0 || isSaving}
            onSave={(form) => {
              setSaving(true);
              told(save(form).finally(() => setSaving(false)));
            }}
          />
          <CopyMenu question={copiedAnswers(asked)} />
        </>
      }
      emptyOf={() =>
        answers.length > 0
          ? null
          : { title: "No answers", text: "No answer of these days and filters counts here." }
      }
    >
      {() => (
        <>
          <ol>
            {answers.map((answer) => (
              <li key={answer.id}>
                <Entry {...{ answer, workspace, entityId }} flag={flagOf(asked.role)} />
              </li>
            ))}
          </ol>
          <MorePages pages={pages} />
        </>
      )}
    </Panel>
  );
}

interface EntryProps extends Pick<AnswerListProps, "workspace" | "entityId"> {
  readonly answer: EvidenceAnswer;
  /** Whose words are marked too; null: the answers are listed for something else. */
  readonly flag: PortrayalFlag | null;
}

function Entry({ answer, workspace, entityId, flag }: EntryProps) {
  const { id, promptId } = answer;
  const excerpt = useMemo(() => {
    return plainExcerpt(
      answer,
      entityId,
      flag === null ? [] : cuesOf(answer.mentions, entityId, flag),
    );
  }, [answer, entityId, flag]);
  return (
    <button
      type="button"
      className={css["answer"]}
      data-answer={id}
      onClick={() => changeView({ answer: id })}
    >
      <span className={css["meta"]}>
        <ProviderLabel provider={answer.provider} />
        {answer.region === null ? null : <RegionLabel code={answer.region} />}
        <span>{dateText(answer.answeredAt, "instant")}</span>
        {answer.model === sampleModel ? <Tag kind="doubt">Sample, invented</Tag> : null}
        {answer.citations.length === 0 ? null : <span>{citationsText(answer)}</span>}
      </span>
      <span className={css["question"]}>
        {workspace.prompts.find((prompt) => prompt.id === promptId)?.text ?? promptId}
      </span>
      <span className={css["excerpt"]}>
        {answer.textRemoved ? (
          <span className="quiet">{removedText}</span>
        ) : (
          <Marked {...excerpt} />
        )}
      </span>
    </button>
  );
}

/** The words around a mention, or around what is said of it, without signs of Markdown. */
function plainExcerpt(
  { text, mentions }: EvidenceAnswer,
  entityId: string | null,
  cues: readonly Cued[],
): MarkedText {
  return excerptOf(plainOf(windowOf({ text, mentions, cues }, entityId)), entityId);
}

/** A text without signs of Markdown, and its marks in it. */
export function plainOf(part: MarkedText): MarkedText {
  const layers = layersOf(part.text, part.mentions, [], part.cues);
  const nodes = richTextOf(part.text, layers) ?? recordedText(part.text);
  return plainText(nodes, layers);
}

function citationsText({ citations }: EvidenceAnswer): string {
  const counted = citations.filter((each) => each.counted).length;
  return `${counted} citation${counted === 1 ? "" : "s"}`;
}

import { type ReactNode, useState } from "react";
import { type DraftEntity, plainEntity, withEntity } from "../accounts/draft.ts";
import { type DraftEditor, useDraft } from "../accounts/draft-store.ts";
import { EntityDialog } from "../accounts/entities.tsx";
import { AddPromptsDialog } from "../accounts/prompt-dialogs.tsx";
import { useWorkspaceFile } from "../accounts/queries.ts";
import { SaveBar } from "../accounts/save-bar.tsx";
import { sampleAnswers } from "../answers/sample-answers.ts";
import { useUploads } from "../answers/uploads.ts";
import { useScope } from "../data/account.ts";
import { countOf } from "../data/format.ts";
import { sampleSource } from "../data/names.ts";
import { changeView } from "../data/use-view.ts";
import { plainView } from "../data/view.ts";
import { Button } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { Icon } from "../parts/icon.tsx";
import { Failure } from "../parts/panel.tsx";
import { Missing } from "../parts/refused.tsx";
import css from "./start.module.css";

/** The first steps in place of a page that has no numbers to show, with what is not saved. */
export function FirstSteps() {
  const editor = useDraft();
  const { error, refetch } = useWorkspaceFile();
  if (error !== null) return <Failure error={error} retry={refetch} />;
  if (editor === null) return <div aria-busy="true" />;
  return (
    <>
      <Start editor={editor} answersCount={0} />
      <SaveBar editor={editor} />
    </>
  );
}

const openTab = (own: Readonly<Record<string, string>>): void => changeView({ page: "setup", own });

interface StartProps {
  readonly editor: DraftEditor;
  /** Answers that count. */
  readonly answersCount: number;
}

/** What is to be done until there is something to see, step by step. */
export function Start({ editor, answersCount }: StartProps) {
  const { draft, changes, change } = editor;
  const { brand, competitors, prompts } = draft;
  const mayManage = useScope("manage");
  const [edited, setEdited] = useState<DraftEntity | null>(null);
  const [isAdding, setAdding] = useState(false);
  const isBrandWhole = brand.domains.length > 0;
  const done = [isBrandWhole, competitors.length > 0, prompts.length > 0, answersCount > 0];
  const next = done.indexOf(false);
  return (
    <Card
      title={answersCount > 0 ? "Everything is set up" : "Set up in four steps"}
      text="Then every page has something to show."
    >
      <Missing scope="manage" what="Changing what is tracked" />
      <ol className={css["steps"]}>
        <Step
          isDone={isBrandWhole}
          isNext={next === 0}
          title={`Name the brand: ${brand.name}`}
          text="Add its other names and its domains so that every mention and citation counts."
        >
          <Button disabled={!mayManage} onClick={() => setEdited(brand)}>
            Names and domains
          </Button>
        </Step>
        <Step
          isDone={competitors.length > 0}
          isNext={next === 1}
          title={countedTitle(competitors.length, "competitor", "Name competitors")}
          text="Brands your buyers compare you with. Start with three to eight."
        >
          <Button icon="plus" disabled={!mayManage} onClick={() => setEdited(plainEntity())}>
            Add competitor
          </Button>
        </Step>
        <Step
          isDone={prompts.length > 0}
          isNext={next === 2}
          title={countedTitle(prompts.length, "prompt", "Write the first prompts")}
          text="What buyers ask an assistant before they choose."
        >
          <Button icon="plus" disabled={!mayManage} onClick={() => setAdding(true)}>
            Add prompts
          </Button>
        </Step>
        <AnswersStep
          isNext={next === 3}
          count={answersCount}
          isReady={prompts.length > 0 && changes.count === 0}
        />
      </ol>
      {edited === null ? null : (
        <EntityDialog
          entity={edited}
          kind={edited.key === brand.key ? "brand" : "competitor"}
          state={edited.id === undefined ? "new" : "same"}
          onDone={(entity) => {
            change(withEntity(draft, entity));
            setEdited(null);
          }}
          onClose={() => setEdited(null)}
        />
      )}
      {isAdding ? (
        <AddPromptsDialog draft={draft} onDone={change} onClose={() => setAdding(false)} />
      ) : null}
    </Card>
  );
}

const countedTitle = (count: number, noun: string, none: string): string =>
  count === 0 ? none : countOf(count, noun);

interface AnswersStepProps {
  readonly isNext: boolean;
  readonly count: number;
  /** There are prompts, and they are saved. */
  readonly isReady: boolean;
}

function AnswersStep({ isNext, count, isReady }: AnswersStepProps) {
  const mayImport = useScope("import");
  const mayManage = useScope("manage");
  const { data } = useWorkspaceFile();
  const { begin } = useUploads();
  const trySample = () => {
    if (data === undefined) return;
    const content = sampleAnswers(data.file, Date.now());
    void begin([{ name: sampleSource, content }]);
    openTab({ tab: "imports" });
  };
  return (
    <Step
      isDone={count > 0}
      isNext={isNext}
      title={count === 0 ? "Bring in answers" : `${countOf(count, "answer")} count`}
      text={
        isReady || count > 0
          ? "Import a file of answers, or have the providers asked, with your keys and after an " +
            "estimate. To look around first, load invented sample answers: one import to undo."
          : "Save the prompts first: answers name the prompt that they answer."
      }
    >
      {count > 0 ? (
        <Button kind="primary" onClick={() => changeView({ page: "overview", own: plainView.own })}>
          See the overview
        </Button>
      ) : (
        <>
          <Button
            icon="upload"
            disabled={!mayImport || !isReady}
            onClick={() => openTab({ tab: "imports" })}
          >
            Import answers
          </Button>
          <Button
            disabled={!mayManage || !isReady}
            onClick={() => openTab({ tab: "collection", ask: "now" })}
          >
            Ask providers
          </Button>
          <Button disabled={!mayImport || !isReady} onClick={trySample}>
            Try sample answers
          </Button>
        </>
      )}
    </Step>
  );
}

interface StepProps {
  readonly isDone: boolean;
  readonly isNext: boolean;
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
}

function Step({ isDone, isNext, title, text, children }: StepProps) {
  return (
    <li className={`${css["step"]} ${isNext ? css["next"] : ""}`}>
      <span className={isDone ? css["done"] : css["open"]}>
        {isDone ? <Icon name="check" /> : null}
        <span className="visually-hidden">{isDone ? "Done" : "To do"}</span>
      </span>
      <div className={css["what"]}>
        <h3>{title}</h3>
        <p>{text}</p>
      </div>
      <div className={css["actions"]}>{children}</div>
    </li>
  );
}

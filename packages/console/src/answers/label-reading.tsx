import type { LabelMetric, RecordedAnswerResponse, WorkspaceResponse } from "@sightline/client";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { useScope } from "../data/account.ts";
import { countText, dateText } from "../data/format.ts";
import { flagOf, providerName, regionName } from "../data/names.ts";
import { useAnswer } from "../data/queries.ts";
import { Breakable } from "../parts/breakable.tsx";
import { Button } from "../parts/button.tsx";
import { Failure } from "../parts/panel.tsx";
import { Refused } from "../parts/refused.tsx";
import { EntityContext, removedText } from "../questions/evidence/marked.tsx";
import { RichText, useLight, useShownText } from "../questions/evidence/rich-text-view.tsx";
import { actOfKey, type LabelAct, labelQuestion, nextUnsaid, type Said } from "./label-texts.ts";
import css from "./labels.module.css";
import { type Drawn, type Labelling, useLabels } from "./use-labels.ts";

interface ReadingProps {
  readonly labelling: Labelling;
  readonly drawn: Drawn;
  readonly workspace: WorkspaceResponse;
  /** Of the entity. */
  readonly name: string;
}

/** One answer after the other, with one question. */
export function Reading({ labelling, drawn, workspace, name }: ReadingProps) {
  const ids = useMemo(() => drawn.sample.map(({ answerId }) => answerId), [drawn]);
  const labels = useLabels(labelling, drawn.said, ids.length);
  const [at, setAt] = useState(() => nextUnsaid(ids, drawn.said, 0) ?? 0);
  const mayLabel = useScope("import");
  const id = ids[at] ?? null;
  const answer = useAnswer(id);
  const next = nextUnsaid(ids, labels.said, at + 1);
  useAnswer(next === null ? null : (ids[next] ?? null)); // fetched while this one is read
  const isThere = answer.data?.id === id && !answer.isPlaceholderData;
  const value = id === null ? undefined : labels.said.get(id);
  const act = (wanted: LabelAct): void => {
    if (wanted === "back") setAt(Math.max(0, at - 1));
    else if (wanted === "skip") setAt(Math.min(ids.length - 1, at + 1));
    else if (!mayLabel) return;
    else if (wanted === "undo") {
      const undone = labels.undo();
      if (undone !== null) setAt(Math.max(0, ids.indexOf(undone)));
    } else if (id !== null && isThere) {
      labels.say(id, wanted === "yes");
      setAt(nextUnsaid(ids, new Map([...labels.said, [id, true]]), at + 1) ?? at);
    }
  };
  useActKeys(act);
  const question = labelQuestion(labelling.metric, name);
  return (
    <>
      <Progress ids={ids} said={labels.said} at={at} />
      {answer.error !== null && !isThere ? (
        <Failure error={answer.error} retry={answer.refetch} />
      ) : answer.data === undefined ? (
        <p aria-busy="true">Loading …</p>
      ) : (
        <Answer
          answer={answer.data}
          isLate={!isThere}
          workspace={workspace}
          {...labelling}
          name={name}
        />
      )}
      <div className={css["ask"]}>
        <div className={css["question"]}>
          <strong id="label-question">{question.text}</strong>
          <p className="small quiet">{question.hint}</p>
        </div>
        <Refused error={labels.failure} />
        <div className={css["acts"]} role="group" aria-labelledby="label-question">
          <Act act="yes" keyName="y" {...{ onAct: act, value }} disabled={!mayLabel}>
            Yes
          </Act>
          <Act act="no" keyName="n" {...{ onAct: act, value }} disabled={!mayLabel}>
            No
          </Act>
          <Act act="skip" keyName="s" onAct={act} disabled={at >= ids.length - 1}>
            Skip
          </Act>
          <Act act="back" keyName="←" onAct={act} disabled={at === 0}>
            Back
          </Act>
          <Act act="undo" keyName="u" onAct={act} disabled={!mayLabel || !labels.canUndo}>
            Undo
          </Act>
        </div>
      </div>
    </>
  );
}

interface ActProps {
  readonly act: LabelAct;
  readonly keyName: string;
  readonly onAct: (act: LabelAct) => void;
  /** What was said of the answer; undefined: nothing. */
  readonly value?: boolean | undefined;
  readonly disabled: boolean;
  readonly children: ReactNode;
}

/** A button and its key. It stays where it has the focus, also while it cannot be pressed. */
function Act({ act, keyName, onAct, value, disabled, children }: ActProps) {
  const isAnswer = act === "yes" || act === "no";
  return (
    <Button
      aria-keyshortcuts={keyName === "←" ? "ArrowLeft" : keyName}
      aria-disabled={disabled}
      {...(isAnswer ? { "aria-pressed": value === (act === "yes") } : {})}
      className={css[act] ?? ""}
      onClick={() => {
        if (!disabled) onAct(act);
      }}
    >
      {children}
      <span aria-hidden="true">
        <kbd>{keyName}</kbd>
      </span>
    </Button>
  );
}

/** How far the labeller is, also for those who do not see the bar. */
function Progress({ ids, said, at }: { ids: readonly string[]; said: Said; at: number }) {
  const done = ids.filter((id) => said.has(id)).length;
  const own = said.get(ids[at] ?? "");
  const text =
    done === ids.length
      ? `All ${countText(ids.length)} answers are labelled.`
      : `Answer ${countText(at + 1)} of ${countText(ids.length)}, ${countText(done)} labelled.`;
  return (
    <div className={css["progress"]}>
      <progress aria-label="Labelled answers" max={ids.length} value={done} />
      <p role="status">
        {text}
        {own === undefined ? null : ` You said ${own ? "yes" : "no"} of this one.`}
      </p>
    </div>
  );
}

interface AnswerProps {
  readonly answer: RecordedAnswerResponse;
  /** The answer before, until the next one is there. */
  readonly isLate: boolean;
  readonly workspace: WorkspaceResponse;
  readonly entityId: string;
  readonly metric: LabelMetric;
  readonly name: string;
}

/**
 * An answer without what the service found in it, which would be followed. Only where it is asked
 * what is said of an entity, its name is marked: that it is there was decided before.
 */
function Answer({ answer, isLate, workspace, entityId, metric, name }: AnswerProps) {
  const isOfFlag = flagOf(metric) !== null;
  const plain = useMemo(() => {
    const own = answer.mentions.filter((mention) => isOfFlag && mention.entityId === entityId);
    const mentions = own.map((mention) => ({ ...mention, cues: [] }));
    return { text: answer.text, textRemoved: answer.textRemoved, mentions, statements: [] };
  }, [answer, entityId, isOfFlag]);
  const shown = useShownText(plain, false);
  const { lit, lightOf } = useLight(shown);
  const entities = useMemo(() => {
    return new Map([[entityId, { name, color: "var(--accent)" }]]);
  }, [entityId, name]);
  const { promptId, provider, answeredAt, region } = answer;
  const prompt = workspace.prompts.find(({ id }) => id === promptId)?.text;
  const about = [providerName(provider), dateText(answeredAt, "instant")];
  if (region !== null) about.push(regionName(region));
  return (
    <EntityContext value={entities}>
      <article className={css["answer"]} aria-busy={isLate} aria-label="Answer">
        <h3>{prompt ?? "A prompt that is no longer tracked"}</h3>
        <p className="small quiet">{about.join(" · ")}</p>
        {shown === null ? (
          <p className="quiet">{removedText}</p>
        ) : (
          <RichText {...{ shown, lit, lightOf }} onOpen={() => undefined} nameOf={() => ""} />
        )}
        {metric === "citations" ? <Pages answer={answer} /> : null}
      </article>
    </EntityContext>
  );
}

function Pages({ answer: { citations } }: Pick<AnswerProps, "answer">) {
  const pages = [...new Set(citations.filter(({ cited }) => cited).map(({ url }) => url))];
  return (
    <>
      <h4>Cited pages</h4>
      {pages.length === 0 ? <p className="quiet">The answer cites no page.</p> : null}
      <ol className={css["pages"]}>
        {pages.map((url) => (
          <li key={url}>
            <Breakable text={url} />
          </li>
        ))}
      </ol>
    </>
  );
}

/** After g, the next key goes to a page. */
const goneMs = 1_200;

/** What keys do while nothing is typed, and no dialog is open. */
function useActKeys(act: (act: LabelAct) => void): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    let goes = Number.NEGATIVE_INFINITY;
    const pressed = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, target, timeStamp, repeat } = event;
      if (ctrlKey || metaKey || altKey || repeat || isTyped(target)) return;
      const isOfPage = timeStamp - goes < goneMs;
      goes = key === "g" ? timeStamp : Number.NEGATIVE_INFINITY;
      const wanted = actOfKey(key);
      if (wanted === null || isOfPage) return;
      event.preventDefault();
      latest.current(wanted);
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
}

function isTyped(target: EventTarget | null): boolean {
  if (document.querySelector("dialog[open], [popover]:popover-open") !== null) return true;
  return target instanceof HTMLElement && target.matches("input, textarea, select");
}

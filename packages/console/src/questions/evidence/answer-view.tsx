import type { RecordedAnswerResponse, WorkspaceResponse } from "@sightline/client";
import { type ReactNode, useRef, useState } from "react";
import { useScope } from "../../data/account.ts";
import { countOf, dateText } from "../../data/format.ts";
import { useChange, useChanged } from "../../data/managed.ts";
import { flagTitles, providerName, regionName, sampleModel } from "../../data/names.ts";
import { useAnswer } from "../../data/queries.ts";
import { changeOwn, changeView, useView } from "../../data/use-view.ts";
import { Breakable } from "../../parts/breakable.tsx";
import { Button, Segments } from "../../parts/button.tsx";
import { ConfirmDialog } from "../../parts/form-dialog.tsx";
import { Failure } from "../../parts/panel.tsx";
import { Refused } from "../../parts/refused.tsx";
import { announce } from "../../parts/save.ts";
import { Tag } from "../../parts/tag.tsx";
import { plainOf } from "./answer-list.tsx";
import css from "./evidence.module.css";
import { removedText, useEntity } from "./marked.tsx";
import { type LightOf, type Lit, RichText, useLight, useShownText } from "./rich-text-view.tsx";

interface AnswerViewProps {
  readonly id: string;
  readonly workspace: WorkspaceResponse;
}

/** One answer: its text with mentions, the pages behind it, and why each counts. */
export function AnswerView({ id, workspace }: AnswerViewProps) {
  const { data: answer, error, isPlaceholderData, refetch } = useAnswer(id);
  const isRecorded = useView().own["text"] === "recorded";
  const shown = useShownText(answer, isRecorded);
  const { lit, lightOf } = useLight(shown);
  const article = useRef<HTMLElement>(null);
  if (error !== null) return <Failure error={error} retry={refetch} />;
  if (answer === undefined) return <p aria-busy="true">Loading …</p>;
  const prompt = workspace.prompts.find((each) => each.id === answer.promptId)?.text;
  const focus = (selector: string) =>
    article.current?.querySelector<HTMLElement>(selector)?.focus();
  const openCitation = (citation: number) => focus(`[data-citation="${citation}"]`);
  return (
    <article aria-label="Answer" aria-busy={isPlaceholderData} className={css["one"]} ref={article}>
      <h3>{prompt ?? "A prompt that is no longer tracked"}</h3>
      {shown === null ? (
        <p className={`${css["full"]} quiet`}>{removedText}</p>
      ) : (
        <div className={css["full"]}>
          <TextChoice isRecorded={isRecorded} isTooLong={!isRecorded && shown.isRecorded} />
          <RichText
            shown={shown}
            lit={lit}
            lightOf={lightOf}
            onOpen={openCitation}
            nameOf={(citation) => nameOf(answer.citations[citation])}
          />
        </div>
      )}
      <Facts answer={answer} />
      <Citations
        answer={answer}
        lit={lit}
        lightOf={lightOf}
        onOpen={(citation) => focus(`[data-note="${citation}"]`)}
      />
      <Statements answer={answer} lightOf={lightOf} onOpen={openCitation} />
      <Why answer={answer} />
      <RemoveAnswer key={answer.id} answer={answer} />
    </article>
  );
}

const nameOf = (citation: RecordedAnswerResponse["citations"][number] | undefined): string =>
  citation?.domain ?? citation?.url ?? "";

interface TextChoiceProps {
  readonly isRecorded: boolean;
  readonly isTooLong: boolean;
}

function TextChoice({ isRecorded, isTooLong }: TextChoiceProps) {
  return (
    <div className={css["choice"]}>
      <Segments
        label="Form of the text"
        options={[
          ["rendered", "Rendered"],
          ["recorded", "As recorded"],
        ]}
        value={isRecorded ? "recorded" : "rendered"}
        onChange={(form) => changeOwn({ text: form === "recorded" ? form : "" }, { replace: true })}
      />
      {isTooLong ? (
        <span className="small quiet">Shown as recorded: the text has too many parts.</span>
      ) : null}
    </div>
  );
}

interface AnswerProps {
  readonly answer: RecordedAnswerResponse;
}

function Facts({ answer }: AnswerProps) {
  const { provider, model, surface, region, answeredAt, outcome, id, metadata } = answer;
  const facts: readonly (readonly [string, ReactNode])[] = [
    ["Provider", providerName(provider)],
    ["Model", model === sampleModel ? <SampleModel key="sample" /> : (model ?? "not recorded")],
    ["Surface", surface ?? "not recorded"],
    ["Region", region === null ? "none" : `${regionName(region)} (${region})`],
    ["Answered", dateText(answeredAt, "instant")],
    ["Outcome", outcome],
    ...collectionFacts(answer),
  ];
  return (
    <dl className={css["facts"]}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      <div className={css["wide"]}>
        <dt>Id</dt>
        <dd className={css["mono"]}>{id}</dd>
      </div>
      {metadata === null ? null : (
        <div className={css["wide"]}>
          <dt>Metadata</dt>
          <dd className={css["mono"]}>{JSON.stringify(metadata)}</dd>
        </div>
      )}
    </dl>
  );
}

function SampleModel() {
  return (
    <>
      {sampleModel} <Tag kind="doubt">Sample, invented</Tag>
    </>
  );
}

/** How it was collected, as far as that is known. */
function collectionFacts({
  vendor,
  requestedRegion,
  cost,
  searchQueries,
}: RecordedAnswerResponse): readonly (readonly [string, ReactNode])[] {
  const price = cost && `${cost.amount} ${cost.currency}${cost.estimated ? ", estimated" : ""}`;
  const asked = requestedRegion && `${regionName(requestedRegion)} (${requestedRegion})`;
  const searches = searchQueries.length === 0 ? null : searchQueries.join(" · ");
  return [
    ...(vendor === null ? [] : [["Vendor", vendor] as const]),
    ...(asked === null ? [] : [["Asked for region", asked] as const]),
    ...(price === null ? [] : [["Cost", price] as const]),
    ...(searches === null ? [] : [["Searched for", searches] as const]),
  ];
}

interface CitationsProps extends AnswerProps {
  readonly lit: Lit;
  readonly lightOf: LightOf;
  /** Goes to the first sentence of a citation. */
  readonly onOpen: (citation: number) => void;
}

function Citations(props: CitationsProps) {
  const { citations, citationsOmitted, statements } = props.answer;
  const counts = new Map<number, number>();
  for (const place of statements.flatMap((each) => each.citations)) {
    counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  return (
    <>
      <h3 className={css["heading"]}>Citations</h3>
      {citations.length === 0 ? <p className="quiet">The answer cites no page.</p> : null}
      <ol className={css["citations"]}>
        {citations.map((citation, index) => (
          <CitationItem
            // biome-ignore lint/suspicious/noArrayIndexKey: an answer's citations never change
            key={index}
            citation={citation}
            index={index}
            sentences={counts.get(index) ?? 0}
            isLit={props.lit.citations.includes(index)}
            lightOf={props.lightOf}
            onOpen={props.onOpen}
          />
        ))}
      </ol>
      {citationsOmitted > 0 ? <p className="quiet">{citationsOmitted} more are left out.</p> : null}
    </>
  );
}

interface CitationItemProps extends Pick<CitationsProps, "lightOf" | "onOpen"> {
  readonly citation: RecordedAnswerResponse["citations"][number];
  readonly index: number;
  /** How many sentences of the text it stands behind. */
  readonly sentences: number;
  readonly isLit: boolean;
}

function CitationItem({ citation, index, sentences, isLit, lightOf, onOpen }: CitationItemProps) {
  const { url, canonicalUrl, title, entityIds, counted } = citation;
  return (
    <li tabIndex={-1} data-citation={index} data-lit={isLit ? "" : undefined} {...lightOf(index)}>
      <span className={css["place"]}>{index + 1}</span>
      <span>
        {canonicalUrl === null ? (
          <span className={css["url"]}>
            <Breakable text={url} />
          </span>
        ) : (
          <a
            className={css["url"]}
            href={canonicalUrl}
            target="_blank"
            rel="noopener noreferrer nofollow"
          >
            <Breakable text={canonicalUrl} />
          </a>
        )}
        {title === null ? null : <span className={css["raw"]}>{title}</span>}
        {url === canonicalUrl ? null : (
          <span className={css["raw"]}>
            recorded as <Breakable text={url} />
          </span>
        )}
        {sentences === 0 ? null : (
          <button type="button" className={css["passages"]} onClick={() => onOpen(index)}>
            Stands behind {countOf(sentences, "sentence")}
            <span className="visually-hidden"> of the text: go to the first</span>
          </button>
        )}
      </span>
      <span>
        {entityIds.map((id) => (
          <Owner key={id} id={id} />
        ))}
        {counted ? null : <Tag kind="doubt">not counted</Tag>}
      </span>
    </li>
  );
}

/** Each sentence that pages stand behind, with these. */
function Statements({ answer, lightOf, onOpen }: Omit<CitationsProps, "lit">) {
  const { statements, citations, text } = answer;
  const [isOpen, setOpen] = useState(false);
  if (statements.length === 0) return null;
  return (
    <details className={css["why"]} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{countOf(statements.length, "sentence")} with the pages behind</summary>
      <ul>
        {(isOpen ? statements : []).map((statement) => (
          <li key={statement.start} {...lightOf(statement)}>
            <Breakable
              text={
                plainOf({ text: text.slice(statement.start, statement.end), mentions: [] }).text
              }
            />
            <span className={css["behind"]}>
              {statement.citations.map((place) => (
                <button
                  key={place}
                  type="button"
                  className={css["passages"]}
                  onClick={() => onOpen(place)}
                >
                  {place + 1}: {nameOf(citations[place])}
                </button>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}

function Owner({ id }: { readonly id: string }) {
  return <Tag kind="accent">{useEntity(id).name}</Tag>;
}

const reasons: Readonly<Record<string, string>> = {
  not_cited: "the provider retrieved the page and did not cite it",
  not_a_web_url: "it is not the URL of a web page",
  repeated: "the answer cited the same page before",
  not_answered: "the answer itself does not count",
};

function Why({ answer }: AnswerProps) {
  const { mentions, mentionsOmitted, citations, outcome } = answer;
  const remembered = answer.textRemoved ? answer.mentionedEntityIds : [];
  return (
    <details className={css["why"]}>
      <summary>Why is this counted?</summary>
      <ul>
        {outcome === "answered" ? null : (
          <li>The outcome is {outcome}: the answer counts nowhere.</li>
        )}
        {mentions.map(({ entityId, name, start, end, rank }) => (
          <li key={start}>
            <EntityName id={entityId} /> is mentioned, since its name or alias “{name}” stands at
            characters {start} to {end}. It is number {rank} in the order of first mention.
          </li>
        ))}
        {mentions.flatMap(({ entityId, cues }) =>
          cues.map(({ flag, start, end }) => (
            <li key={`${entityId} ${flag} ${start} ${end}`}>
              <EntityName id={entityId} />: {flagTitles[flag]?.toLowerCase() ?? flag}, since “
              {answer.text.slice(start, end)}” stands at characters {start} to {end}.
            </li>
          )),
        )}
        {remembered.map((id, index) => (
          <li key={id}>
            <EntityName id={id} /> was mentioned in the text that was removed. It is number{" "}
            {index + 1} in the order of first mention.
          </li>
        ))}
        {mentionsOmitted > 0 ? <li>{mentionsOmitted} more mentions are left out.</li> : null}
        {citations.map(({ canonicalUrl, url, owners, counted, reason }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an answer's citations never change
          <li key={index}>
            Citation {index + 1} {counted ? "counts" : "does not count"}
            {reason === null ? "" : `: ${reasons[reason] ?? reason}`}.{" "}
            {owners.map(({ entityId, rule }) => (
              <span key={entityId + rule}>
                It is a page of <EntityName id={entityId} />, by the domain {rule}.{" "}
              </span>
            ))}
            {counted && owners.length === 0 ? `No tracked entity owns ` : ""}
            {counted && owners.length === 0 ? <Breakable text={`${canonicalUrl ?? url}.`} /> : null}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Takes a wrong answer out of the record, for those who may. */
function RemoveAnswer({ answer }: AnswerProps) {
  const [isAsked, setAsked] = useState(false);
  const changed = useChanged();
  const { failure, run } = useChange(async ({ client }) => {
    const { deleted } = await client.answers.delete({ ids: [answer.id], dryRun: false });
    announce(deleted === 0 ? "The answer was removed before." : "The answer was removed.");
    changed();
    changeView({ answer: null }, { replace: true });
  });
  if (!useScope("manage")) return null;
  return (
    <div className={css["remove"]}>
      <Button kind="danger" onClick={() => setAsked(true)}>
        Remove this answer…
      </Button>
      {isAsked ? (
        <ConfirmDialog
          title="Remove this answer?"
          action="Remove the answer"
          onConfirm={run}
          onClose={() => setAsked(false)}
        >
          <p>
            The answer of {providerName(answer.provider)} of{" "}
            {dateText(answer.answeredAt, "instant")} is removed for good, with its text and
            citations. All values of its day are computed without it. Only an import of its file
            brings it back.
          </p>
          <p className="quiet">
            The other answers to the prompt stay. Pages keep the previous numbers until the
            remaining answers are recounted.
          </p>
          <Refused error={failure} />
        </ConfirmDialog>
      ) : null}
    </div>
  );
}

function EntityName({ id }: { readonly id: string }) {
  return <strong>{useEntity(id).name}</strong>;
}

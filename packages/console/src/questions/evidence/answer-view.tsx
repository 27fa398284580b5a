import type { RecordedAnswerResponse, WorkspaceResponse } from "@sightline/client";
import type { ReactNode } from "react";
import { dateText } from "../../data/format.ts";
import { providerName, regionName, sampleModel } from "../../data/names.ts";
import { useAnswer } from "../../data/queries.ts";
import { Breakable } from "../../parts/breakable.tsx";
import { Failure } from "../../parts/panel.tsx";
import { Tag } from "../../parts/tag.tsx";
import css from "./evidence.module.css";
import { Marked, removedText, useEntity } from "./marked.tsx";

interface AnswerViewProps {
  readonly id: string;
  readonly workspace: WorkspaceResponse;
}

/** One answer as it was recorded: text with mentions, citations, and why each counts. */
export function AnswerView({ id, workspace }: AnswerViewProps) {
  const { data: answer, error, isPlaceholderData, refetch } = useAnswer(id);
  if (error !== null) return <Failure error={error} retry={refetch} />;
  if (answer === undefined) return <p aria-busy="true">Loading …</p>;
  const prompt = workspace.prompts.find((each) => each.id === answer.promptId)?.text;
  return (
    <article aria-label="Answer" aria-busy={isPlaceholderData} className={css["one"]}>
      <h3>{prompt ?? "A prompt that is no longer tracked"}</h3>
      <p className={css["full"]}>
        {answer.textRemoved ? (
          <span className="quiet">{removedText}</span>
        ) : (
          <Marked text={answer.text} mentions={answer.mentions} />
        )}
      </p>
      <Facts answer={answer} />
      <Citations answer={answer} />
      <Why answer={answer} />
    </article>
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

function Citations({ answer: { citations, citationsOmitted } }: AnswerProps) {
  return (
    <>
      <h3 className={css["heading"]}>Citations</h3>
      {citations.length === 0 ? <p className="quiet">The answer cites no page.</p> : null}
      <ol className={css["citations"]}>
        {citations.map(({ url, canonicalUrl, title, entityIds, counted }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an answer's citations never change
          <li key={index}>
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
            </span>
            <span>
              {entityIds.map((id) => (
                <Owner key={id} id={id} />
              ))}
              {counted ? null : <Tag kind="doubt">not counted</Tag>}
            </span>
          </li>
        ))}
      </ol>
      {citationsOmitted > 0 ? <p className="quiet">{citationsOmitted} more are left out.</p> : null}
    </>
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

function EntityName({ id }: { readonly id: string }) {
  return <strong>{useEntity(id).name}</strong>;
}

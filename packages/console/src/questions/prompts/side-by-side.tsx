import type { EvidenceAnswer } from "@sightline/client";
import { dateText } from "../../data/format.ts";
import { surfaceName } from "../../data/names.ts";
import { useEvidence } from "../../data/queries.ts";
import type { ViewQuestion } from "../../data/use-question.ts";
import { changeView } from "../../data/use-view.ts";
import { Button } from "../../parts/button.tsx";
import { Panel } from "../../parts/panel.tsx";
import { ProviderLabel } from "../../parts/provider-label.tsx";
import { useShownEntities } from "../evidence/drawer.tsx";
import { EntityContext, removedText, useEntity } from "../evidence/marked.tsx";
import { RichText, useLight, useShownText } from "../evidence/rich-text-view.tsx";
import { filtersOfPrompts } from "../prompt-summaries.ts";
import { newestOfEach } from "./newest-of-each.ts";
import css from "./side-by-side.module.css";

/** Among so many newest answers those of each provider and model are looked for. */
const lookedAt = 100;

interface SideBySideProps {
  readonly question: ViewQuestion;
  readonly promptId: string;
}

/** The newest answer of each provider and model to one prompt, in columns. */
export function SideBySide({ question, promptId }: SideBySideProps) {
  const { data, error, refetch } = useEvidence({
    role: "any",
    limit: lookedAt,
    filters: filtersOfPrompts(question.filters, [promptId]),
  });
  const entities = useShownEntities({ ...question, address: { promptId } });
  return (
    <EntityContext value={entities}>
      <Panel
        title="Side by side, by model"
        query={{ data, error, refetch, isPlaceholderData: false }}
        minHeight={320}
      >
        {({ pages: [first] }) => {
          const answers = newestOfEach(first?.answers ?? []);
          return (
            <>
              <div className={css["columns"]}>
                {answers.map((answer) => (
                  <Column key={answer.id} answer={answer} promptId={promptId} />
                ))}
              </div>
              <p className={css["foot"]}>
                The newest answer of each provider and model
                {(first?.total ?? 0) > lookedAt ? `, of the newest ${lookedAt} answers` : ""}.
              </p>
            </>
          );
        }}
      </Panel>
    </EntityContext>
  );
}

interface ColumnProps {
  readonly answer: EvidenceAnswer;
  readonly promptId: string;
}

function Column({ answer, promptId }: ColumnProps) {
  const { id, provider, model, surface, region, answeredAt, citations } = answer;
  const shown = useShownText(answer, false);
  const { lit, lightOf } = useLight(shown);
  const open = () =>
    changeView({
      evidence: { role: "any", entityId: null, dates: null, promptId, part: null },
      answer: id,
    });
  const where = [surface === null ? null : surfaceName(surface), region].filter(
    (each) => each !== null,
  );
  const name = `${provider}, ${model ?? "model not known"}`;
  return (
    <article className={css["column"]} aria-label={name}>
      <header>
        <strong>
          <ProviderLabel provider={provider} />
        </strong>
        <span className={css["model"]}>{model ?? "Model not known"}</span>
        <span className="small quiet">
          {[dateText(answeredAt, "instant"), ...where].join(" · ")}
        </span>
      </header>
      <Entities answer={answer} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <section className={css["text"]} aria-label={`Text of ${name}`} tabIndex={0}>
        {shown === null ? (
          <p className="quiet">{removedText}</p>
        ) : (
          <RichText
            {...{ shown, lit, lightOf }}
            onOpen={open}
            nameOf={(citation) => citations[citation]?.domain ?? citations[citation]?.url ?? ""}
          />
        )}
      </section>
      <Button onClick={open}>Open the answer</Button>
    </article>
  );
}

/** The entities that the answer names, in order, and those that it cites only. */
function Entities({ answer: { mentionedEntityIds, citations } }: Pick<ColumnProps, "answer">) {
  const cited = new Set(citations.flatMap(({ counted, entityIds }) => (counted ? entityIds : [])));
  const citedOnly = [...cited].filter((id) => !mentionedEntityIds.includes(id));
  if (mentionedEntityIds.length + citedOnly.length === 0) {
    return <p className={css["entities"]}>Names and cites nobody tracked</p>;
  }
  return (
    <ol className={css["entities"]} aria-label="Tracked entities">
      {mentionedEntityIds.map((id, place) => (
        <Entity key={id} id={id} note={`${place + 1}${cited.has(id) ? ", cited" : ""}`} />
      ))}
      {citedOnly.map((id) => (
        <Entity key={id} id={id} note="cited only" />
      ))}
    </ol>
  );
}

function Entity({ id, note }: { readonly id: string; readonly note: string }) {
  const { name, color } = useEntity(id);
  return (
    <li style={{ "--mark": color } as React.CSSProperties}>
      {name} <span className="quiet">{note}</span>
    </li>
  );
}

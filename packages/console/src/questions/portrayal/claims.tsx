import type { ClaimsResponse, ListedCollection, PortrayalFlag } from "@sightline/client";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useAccount, useScope } from "../../data/account.ts";
import { countOf, countText, dateText, intervalText, percentText } from "../../data/format.ts";
import { useChanged, useManaged } from "../../data/managed.ts";
import { flagOrder, flagTitles } from "../../data/names.ts";
import { type Reply, repliesOf, useSummary } from "../../data/queries.ts";
import { summaryOf, type ViewQuestion } from "../../data/use-question.ts";
import { changeOwn, changeView } from "../../data/use-view.ts";
import { BreakableText } from "../../parts/breakable.tsx";
import { Button } from "../../parts/button.tsx";
import { Expander } from "../../parts/expander.tsx";
import { type Empty, Panel } from "../../parts/panel.tsx";
import { ProviderLabel } from "../../parts/provider-label.tsx";
import { Missing, Notice } from "../../parts/refused.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Tag, type TagKind } from "../../parts/tag.tsx";
import { claimsFilters, hasOtherFilters, kindTexts, modelSentences } from "./claims-texts.ts";
import css from "./portrayal.module.css";
import { GuideToReader, ReadingDrawer } from "./reading-drawer.tsx";

type Entity = ClaimsResponse["entities"][number];
type Aspect = Entity["aspects"][number];
type Claim = NonNullable<Aspect["claims"]>[number];

/** Aspects that are listed. */
const aspectsListed = 40;

interface ClaimsProps {
  readonly question: ViewQuestion;
  /** Whose aspects are shown. */
  readonly entity: { readonly id: string; readonly name: string };
}

/** What a model read: flags and aspects of each, and the claims themselves. */
export function Claims({ question, entity }: ClaimsProps) {
  const filters = claimsFilters(question.filters);
  const asked = { filters, limit: aspectsListed, quotesOf: entity.id };
  const claims = useManaged<ClaimsResponse>({
    name: `claims ${JSON.stringify(asked)}`,
    ask: ({ client }, signal) => client.insights.claims(asked, { signal }),
  });
  const summary = useSummary(summaryOf({ filters, comparedFilters: null }));
  const answers = summary.data?.groups[0]?.answers ?? null;
  const [isAsking, setAsking] = useState(false);
  const [reading, setReading] = useState<string | null>(null);
  const shared = { claims, entity, onRead: () => setAsking(true) };
  return (
    <div className={css["page"]}>
      {hasOtherFilters(question.filters) ? (
        <Notice>
          Filters by model, surface and tag, and what the view leaves out, do not apply to what a
          model read.
        </Notice>
      ) : null}
      {reading === null ? null : <Progress id={reading} />}
      <Shares {...shared} />
      {claims.data?.reader == null ? null : (
        <>
          <Aspects {...shared} open={question.view.own["aspect"]} />
          <Panel title="How this was read" query={claims} minHeight={120}>
            {({ reader }) =>
              reader === null ? null : (
                <ul className={css["reader"]}>
                  {modelSentences(reader, answers).map((sentence) => (
                    <li key={sentence}>{sentence}</li>
                  ))}
                  <li>
                    <a href="/docs/guide/reading-by-a-model#claims-and-facts">
                      By which rules facts are compared, without a model
                    </a>
                  </li>
                </ul>
              )
            }
          </Panel>
        </>
      )}
      {isAsking ? (
        <ReadingDrawer
          filters={filters}
          onClose={() => setAsking(false)}
          onStarted={(id) => {
            setAsking(false);
            setReading(id);
          }}
        />
      ) : null}
    </div>
  );
}

/** How far a reading is; what it found is shown once it has ended. */
function Progress({ id }: { readonly id: string }) {
  const account = useAccount();
  const changed = useChanged();
  const { data } = useQuery<ListedCollection, Error, ListedCollection, readonly unknown[]>({
    queryKey: [...repliesOf(account, "reading-progress"), id],
    queryFn: ({ signal }) => account.client.collections.get(id, { signal }),
    refetchInterval: ({ state: { data: found } }) => (found?.endedAt == null ? 3_000 : false),
  });
  const isEnded = data !== undefined && data.endedAt !== null;
  useEffect(() => {
    if (isEnded) changed();
  }, [isEnded, changed]);
  if (data === undefined) return null;
  const { done, jobs, missing } = data;
  return (
    <Notice>
      {isEnded
        ? `${countText(done)} of ${countOf(jobs, "request")} gave a reading, ` +
          `${countText(missing)} did not.`
        : `Reading: ${countText(done)} of ${countOf(jobs, "request")}.`}{" "}
      <button
        type="button"
        className={css["opens"]}
        onClick={() => changeView({ page: "setup", own: { tab: "collection", open: id } })}
      >
        See it in Collection
      </button>
    </Notice>
  );
}

interface PartProps {
  readonly claims: Reply<ClaimsResponse>;
  readonly entity: ClaimsProps["entity"];
  readonly onRead: () => void;
}

/** The share of each flag by entity, as the model read it. */
function Shares({ claims, entity, onRead }: PartProps) {
  const mayRead = useScope("manage");
  const isRead = claims.data?.reader != null;
  return (
    <Panel
      title="How a model reads the answers"
      query={claims}
      flush
      minHeight={200}
      tools={mayRead && isRead ? <Button onClick={onRead}>Read answers…</Button> : null}
      emptyOf={({ reader }) => (reader === null ? unread(mayRead, onRead) : null)}
    >
      {({ entities }) => (
        <>
          <Table
            caption="How a model reads the answers on each"
            columns={shareColumns(entity.id)}
            rows={entities.filter(({ praised }) => praised.denominator > 0)}
            keyOf={({ id }) => id}
          />
          <p className={css["foot"]}>
            Of the answers that mention it and were read. A name shows its aspects. Numbers of the
            model are never mixed with those of the rules.
          </p>
        </>
      )}
    </Panel>
  );
}

function unread(mayRead: boolean, onRead: () => void): Empty {
  return {
    title: "No answer of the period was read by a model",
    text:
      "A model of your own, at any endpoint that speaks Chat Completions, can read what answers " +
      "say of price, support and other aspects. It is configured where the service runs, and " +
      "each reading says what it costs first.",
    actions: (
      <>
        {mayRead ? (
          <Button kind="primary" onClick={onRead}>
            Read answers…
          </Button>
        ) : null}
        <GuideToReader />
        <Missing scope="manage" what="Having answers read" />
      </>
    ),
  };
}

function shareColumns(chosenId: string): readonly Column<Entity>[] {
  return [
    {
      key: "name",
      title: "Name",
      cell: ({ id, name }) => (
        <button
          type="button"
          className={css["name"]}
          aria-pressed={id === chosenId}
          onClick={() => changeView({ only: id === chosenId ? [] : [id] })}
        >
          {name}
        </button>
      ),
    },
    ...flagOrder.map((flag, place): Column<Entity> => {
      return {
        key: flag,
        title: flagTitles[flag],
        figure: true,
        drops: flagOrder.length - place,
        cell: (entity) => <Share flag={flag} entity={entity} />,
      };
    }),
    {
      key: "read",
      title: "Answers read",
      figure: true,
      cell: ({ praised }) => countText(praised.denominator),
    },
  ];
}

function Share({ entity, flag }: { readonly entity: Entity; readonly flag: PortrayalFlag }) {
  const { value, interval, numerator } = entity[flag];
  return (
    <>
      <span title={countOf(numerator, "answer")}>{percentText(value)}</span>
      <span className={css["about"]}>{intervalText("mentions", interval) ?? "no interval"}</span>
    </>
  );
}

interface AspectsProps extends PartProps {
  /** The aspect whose claims are shown. */
  readonly open: string | undefined;
}

/** What is said of which aspect of an entity; a row opens its claims. */
function Aspects({ claims, entity, open }: AspectsProps) {
  const found = ({ entities }: ClaimsResponse) => entities.find(({ id }) => id === entity.id);
  return (
    <Panel
      title={`${entity.name}: aspects`}
      query={claims}
      flush
      minHeight={240}
      emptyOf={(reply) =>
        (found(reply)?.aspects.length ?? 0) > 0
          ? null
          : { title: "No aspect", text: `No answer says anything of an aspect of ${entity.name}.` }
      }
      partialOf={(reply) => {
        const more = found(reply)?.moreAspects ?? 0;
        return more === 0 ? null : `${countText(more)} more aspects, in fewer answers.`;
      }}
    >
      {(reply) => (
        <Table
          caption={`Aspects of ${entity.name}`}
          columns={aspectColumns(open)}
          rows={found(reply)?.aspects ?? []}
          keyOf={({ aspect }) => aspect}
          detailOf={(aspect) =>
            aspect.aspect === open ? <ClaimList aspect={aspect} entityId={entity.id} /> : null
          }
        />
      )}
    </Panel>
  );
}

function aspectColumns(open: string | undefined): readonly Column<Aspect>[] {
  return [
    {
      key: "aspect",
      title: "Aspect",
      cell: ({ aspect }) => (
        <Expander
          isOpen={aspect === open}
          onToggle={() => changeOwn({ aspect: aspect === open ? "" : aspect }, { replace: true })}
        >
          {aspect}
        </Expander>
      ),
    },
    {
      key: "said",
      title: "What they say",
      drops: 2,
      cell: ({ kinds }) =>
        kinds
          .map(({ kind, answers }) => `${kindTexts[kind] ?? kind} ${countText(answers)}`)
          .join(", "),
    },
    { key: "facts", title: "Your facts", cell: ({ facts }) => <Compared facts={facts} /> },
    {
      key: "page",
      title: "Page behind most",
      drops: 1,
      cell: ({ pages: [page] }) => (page === undefined ? "–" : <BreakableText text={page.url} />),
    },
    { key: "answers", title: "Answers", figure: true, cell: (each) => countText(each.answers) },
  ];
}

/** How many answers agree with the workspace file. */
function Compared({ facts }: Pick<Aspect, "facts">) {
  if (facts === undefined) return "–";
  const { agrees, differs, unclear, notCompared } = facts;
  const counts: readonly (readonly [number, string, TagKind])[] = [
    [differs, differs === 1 ? "differs" : "differ", "worse"],
    [agrees, agrees === 1 ? "agrees" : "agree", "better"],
    [unclear, "unclear", "plain"],
    [notCompared, "not compared", "doubt"],
  ];
  return (
    <span className={css["tags"]}>
      {counts
        .filter(([count]) => count > 0)
        .map(([count, text, kind]) => (
          <Tag key={text} kind={kind}>
            {countText(count)} {text}
          </Tag>
        ))}
    </span>
  );
}

interface ClaimListProps {
  readonly aspect: Aspect;
  readonly entityId: string;
}

/** The facts of an aspect, and the claims: those that differ first, then the latest. */
function ClaimList({ aspect: { facts, claims = [], answers }, entityId }: ClaimListProps) {
  return (
    <div className={css["claims"]}>
      {facts?.stated.map(({ value, until }) => (
        <p key={`${value} ${until}`} className="small quiet">
          Your workspace file: <strong>{value}</strong>
          {until === undefined ? "" : `, until ${dateText(until)}`}
        </p>
      ))}
      <ol>
        {claims.map((claim) => (
          <li key={`${claim.answerId} ${claim.kind} ${claim.quote}`}>
            <ClaimLine claim={claim} entityId={entityId} />
          </li>
        ))}
      </ol>
      {answers > claims.length ? (
        <p className="small quiet">The latest of {countOf(answers, "answer")}.</p>
      ) : null}
    </div>
  );
}

const verdictTags: Readonly<Record<NonNullable<Claim["verdict"]>, readonly [TagKind, string]>> = {
  agrees: ["better", "agrees"],
  differs: ["worse", "differs"],
  unclear: ["plain", "unclear"],
};

function ClaimLine({ claim, entityId }: { readonly claim: Claim; readonly entityId: string }) {
  const { quote, provider, answeredAt, answerId, kind, verdict, fact, pages } = claim;
  const [tagKind, text] = (verdict && verdictTags[verdict]) ?? ["plain", null];
  return (
    <button
      type="button"
      className={css["sentence"]}
      onClick={() =>
        changeView({
          evidence: { role: "mentioned", entityId, dates: null, promptId: null, part: null },
          answer: answerId,
        })
      }
    >
      <q className={css["said"]}>{quote}</q>
      {pages.length === 0 ? null : (
        <span className={css["pages"]}>Behind it: {pages.join(", ")}</span>
      )}
      <span className={css["meta"]}>
        {text === null ? null : <Tag kind={tagKind}>{text}</Tag>}
        {fact === null ? null : <span>your fact: {fact}</span>}
        <span>{kindTexts[kind] ?? kind}</span>
        <ProviderLabel provider={provider} />
        <span>{dateText(answeredAt)}</span>
      </span>
    </button>
  );
}

import { useCallback, useEffect, useMemo, useRef } from "react";
import { countText, rangeText } from "../../data/format.ts";
import { flagOf, providerName, regionName, surfaceName } from "../../data/names.ts";
import { useEvidence, usePresence, useSummary } from "../../data/queries.ts";
import { summaryOf, type ViewQuestion } from "../../data/use-question.ts";
import { changeView, useView } from "../../data/use-view.ts";
import type { EvidenceAddress, EvidencePart } from "../../data/view.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { countablesOf, lineColors, undrawnColor } from "../charts/chart-data.ts";
import { filterTexts } from "../described.ts";
import { flagDefinitions } from "../portrayal/portrayal-texts.ts";
import { filtersOfPrompts } from "../prompt-summaries.ts";
import { AnswerList } from "./answer-list.tsx";
import { AnswerView } from "./answer-view.tsx";
import css from "./evidence.module.css";
import { EntityContext, type ShownEntity } from "./marked.tsx";
import { PromptList } from "./prompt-list.tsx";
import { isPresenceWay, type Sentence, sentenceOf } from "./sentence.ts";
import { type EvidenceFilters, useEvidenceFilters } from "./use-evidence-question.ts";

const everything: EvidenceAddress = {
  role: "any",
  entityId: null,
  dates: null,
  promptId: null,
  part: null,
};
const close = (): void => changeView({ evidence: null, answer: null });

/** The answers behind a value, from the right edge; its address can be sent to others. */
export function EvidenceDrawer() {
  const { evidence } = useView();
  const question = useEvidenceFilters(evidence ?? everything);
  if (question === null) return null;
  return <Content question={question} />;
}

function Content({ question }: { readonly question: EvidenceFilters }) {
  const { address, ofAnswers, workspace, view } = question;
  const { role, entityId, part } = address;
  const domain = part?.by === "domain" ? part.key : null;
  const url = part?.by === "url" ? part.key : null;
  const source = domain ?? url;
  const entityIds = [entityId ?? workspace.brand.id];
  const portrayal = flagOf(role) !== null;
  const summary = useSummary({ groupBy: "none", portrayal, filters: ofAnswers, entityIds });
  const way = isPresenceWay(role) ? role : null;
  const presence = usePresence(
    way === null || entityId === null ? null : { entityId, filters: ofAnswers },
  );
  const share = way === null || presence.isPlaceholderData ? undefined : presence.data?.[way];
  const asked = {
    role,
    filters: ofAnswers,
    limit: 20,
    ...(entityId === null ? {} : { entityId }),
    ...(domain === null ? {} : { domain }),
    ...(url === null ? {} : { url }),
  };
  const pages = useEvidence(asked);
  const entities = useShownEntities(question);
  const ids = pages.data?.pages.flatMap(({ answers }) => answers.map(({ id }) => id)) ?? [];
  const { fetchNextPage, hasNextPage } = pages;
  const more = useCallback(() => {
    // A key that is held asks many times: once is enough.
    if (hasNextPage) void fetchNextPage({ cancelRefetch: false });
  }, [fetchNextPage, hasNextPage]);
  useListKeys({ ids, open: view.answer, more });
  useReturn(view.answer);
  const total = pages.data?.pages[0]?.total;
  const citing = source === null || total === undefined ? null : { source, total };
  const sentence =
    summary.data === undefined ||
    summary.isPlaceholderData ||
    (source !== null && citing === null) ||
    (way !== null && entityId !== null && share === undefined)
      ? null
      : sentenceOf({ group: summary.data.groups[0], role, entityId, citing, share });
  return (
    <EntityContext value={entities}>
      <Dialog
        drawer
        onClose={close}
        title={sentence?.text ?? "Evidence"}
        about={aboutOf(sentence, question)}
      >
        {view.answer === null ? (
          <div className={css["sections"]}>
            {source === null ? <PromptList question={question} /> : null}
            {address.promptId === null ? null : <ChosenPrompt question={question} />}
            {part === null ? null : <ChosenPart part={part} question={question} />}
            <AnswerList
              {...{ pages, asked, workspace, entityId }}
              title={sentence?.text ?? "Answers"}
              definition={definitions[role]}
            />
          </div>
        ) : (
          <>
            <Back ids={ids} id={view.answer} pages={pages} />
            <AnswerView id={view.answer} workspace={workspace} />
          </>
        )}
      </Dialog>
    </EntityContext>
  );
}

const nobodyAlone: readonly string[] = [];

/** The entities as the chart of the page draws them. */
export function useShownEntities(
  question: ViewQuestion & { readonly address: Pick<EvidenceAddress, "promptId"> },
): ReadonlyMap<string, ShownEntity> {
  const { view, workspace, address } = question;
  // The chart of a prompt draws those with the most hits in its answers, and isolates nobody.
  const promptId = view.page === "prompts" ? address.promptId : null;
  const summary = useSummary(
    promptId === null
      ? summaryOf(question)
      : summaryOf({
          filters: filtersOfPrompts(question.filters, [promptId]),
          comparedFilters: null,
        }),
  );
  const only = promptId === null ? view.only : nobodyAlone;
  const counted = summary.data?.groups[0]?.entities;
  return useMemo(() => {
    const all = [workspace.brand, ...workspace.competitors];
    const hits = counted === undefined ? [] : countablesOf(counted, view.metric);
    const colors = lineColors(hits, only);
    return new Map(
      all.map(({ id, name }) => [id, { name, color: colors.get(id) ?? undrawnColor }]),
    );
  }, [workspace, counted, view.metric, only]);
}

/** What the sentence means, and what it is counted over. */
function aboutOf(sentence: Sentence | null, question: EvidenceFilters): string {
  const days = `${rangeText(question.days)} (UTC)`;
  // The chosen prompt stands below.
  const { promptIds: _, ...others } = question.ofAnswers;
  const filters = question.address.promptId === null ? question.ofAnswers : others;
  const narrowed = [days, ...filterTexts(filters, question.workspace)].join(", ");
  return [sentence?.more, definitions[question.address.role], `${narrowed}.`]
    .filter((each) => each != null)
    .join(" ");
}

const definitions: Readonly<Record<EvidenceAddress["role"], string>> = {
  mentioned: "An answer mentions an entity when one of its names stands in its prose.",
  cited: "An answer cites an entity when it cites a page of one of its domains.",
  visible: "An entity is visible in an answer that mentions or cites it.",
  notVisible: "An entity is not visible in an answer that neither mentions nor cites it.",
  any: "Every answer that counts.",
  both: "One of its names stands in the prose, and a page of one of its domains is cited.",
  mentionedOnly: "One of its names stands in the prose, and no page of its domains is cited.",
  citedOnly: "A page of one of its domains is cited, and none of its names stands in the prose.",
  ...flagDefinitions,
};

function ChosenPrompt({ question: { address, workspace } }: { question: EvidenceFilters }) {
  const { promptId } = address;
  return (
    <p className={css["chosen"]}>
      Only: {workspace.prompts.find(({ id }) => id === promptId)?.text ?? promptId}
      <Button kind="plain" onClick={() => changeView({ evidence: { ...address, promptId: null } })}>
        All prompts
      </Button>
    </p>
  );
}

interface ChosenPartProps {
  readonly part: EvidencePart;
  readonly question: EvidenceFilters;
}

function ChosenPart({ part: { by, key }, question: { address, workspace } }: ChosenPartProps) {
  const names = {
    topic: workspace.topics.find(({ id }) => id === key)?.name ?? key,
    provider: providerName(key),
    region: regionName(key),
    domain: `answers that cite ${key}`,
    url: `answers that cite ${key}`,
    model: key,
    surface: surfaceName(key),
    tag: `the tag ${key}`,
  };
  return (
    <p className={css["chosen"]}>
      Only: {names[by]}
      <Button kind="plain" onClick={() => changeView({ evidence: { ...address, part: null } })}>
        All of this period
      </Button>
    </p>
  );
}

interface BackProps {
  readonly ids: readonly string[];
  readonly id: string;
  readonly pages: ReturnType<typeof useEvidence>;
}

function Back({ ids, id, pages }: BackProps) {
  const at = ids.indexOf(id);
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = pages;
  const isLastLoaded = at === ids.length - 1 && hasNextPage && !isFetchingNextPage;
  useEffect(() => {
    if (isLastLoaded) void fetchNextPage();
  }, [isLastLoaded, fetchNextPage]);
  const go = (to: number) => {
    const next = ids[to];
    if (next !== undefined) changeView({ answer: next }, { replace: true });
  };
  return (
    <div className={css["back"]}>
      <Button kind="plain" icon="left" onClick={() => changeView({ answer: null })}>
        All answers
      </Button>
      {at === -1 ? null : (
        <>
          <span>
            {countText(at + 1)} of {countText(data?.pages[0]?.total ?? ids.length)}
          </span>
          <Button disabled={at === 0} onClick={() => go(at - 1)}>
            Previous
          </Button>
          <Button disabled={at === ids.length - 1} onClick={() => go(at + 1)}>
            Next
          </Button>
        </>
      )}
    </div>
  );
}

/**
 * Gives focus to the answer's entry when its reader is back in the list, which stood elsewhere
 * otherwise, and whose keys would begin at its top. Null: the list is shown.
 */
function useReturn(open: string | null): void {
  const before = useRef(open);
  useEffect(() => {
    const id = before.current;
    before.current = open;
    if (open !== null || id === null) return;
    document.querySelector<HTMLElement>(`[data-answer="${CSS.escape(id)}"]`)?.focus();
  }, [open]);
}

interface ListKeys {
  /** The answers that are loaded, in order. */
  readonly ids: readonly string[];
  /** The answer that is open; null: the list is. */
  readonly open: string | null;
  /** Loads further answers, if there are any. */
  readonly more: () => void;
}

/** j and k move along the answers: their focus in the list, the open answer otherwise. */
function useListKeys({ ids, open, more }: ListKeys): void {
  useEffect(() => {
    const pressed = ({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): void => {
      const step = key === "j" ? 1 : key === "k" ? -1 : 0;
      if (step === 0 || ctrlKey || metaKey || altKey) return;
      if (target instanceof HTMLInputElement) return;
      // A question about the open answer must not become one about the next.
      if (document.querySelectorAll("dialog[open]").length > 1) return;
      const focused = document.activeElement?.getAttribute("data-answer") ?? "";
      const at = ids.indexOf(open ?? focused) + step;
      const next = ids[Math.max(0, Math.min(ids.length - 1, at))];
      if (at >= ids.length - 1) more();
      if (next === undefined) return;
      if (open !== null) changeView({ answer: next }, { replace: true });
      else document.querySelector<HTMLElement>(`[data-answer="${next}"]`)?.focus();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [ids, open, more]);
}

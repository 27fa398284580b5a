import type { InsightsSummaryResponse } from "@sightline/client";
import { useState } from "react";
import { countText } from "../../data/format.ts";
import { useSummary } from "../../data/queries.ts";
import { changeView } from "../../data/use-view.ts";
import { Button } from "../../parts/button.tsx";
import { Panel } from "../../parts/panel.tsx";
import { promptsOf } from "../prompt-summaries.ts";
import css from "./evidence.module.css";
import { hitsOf } from "./sentence.ts";
import type { EvidenceFilters } from "./use-evidence-question.ts";

/** The prompts behind a value, with k of n answers each; a click keeps its answers alone. */
export function PromptList({ question }: { readonly question: EvidenceFilters }) {
  const { address, ofAllPrompts, workspace } = question;
  const { entityId } = address;
  const fits = promptsOf(question).length <= promptsMax;
  const entityIds = [entityId ?? workspace.brand.id];
  const summary = useSummary(fits ? { groupBy: "prompt", filters: ofAllPrompts, entityIds } : null);
  if (!fits) {
    return <p className="quiet">Too many prompts to list. Filter by topic or prompt.</p>;
  }
  return (
    <Panel
      title="Prompts"
      query={summary}
      minHeight={216}
      flush
      emptyOf={({ groups }) =>
        groups.length > 0 ? null : { title: "No prompts", text: "No prompt has answers here." }
      }
      tools={<span className="small quiet">filled as far as answers count</span>}
    >
      {({ groups }) => <Rows groups={groups} address={address} />}
    </Panel>
  );
}

interface RowsProps extends Pick<EvidenceFilters, "address"> {
  readonly groups: InsightsSummaryResponse["groups"];
}

function Rows({ groups, address }: RowsProps) {
  const { role, entityId, promptId } = address;
  const [showsAll, setShowsAll] = useState(false);
  const rows = groups
    .map((group) => {
      const hits = hitsOf(group, { group, role, entityId }) ?? 0;
      return { ...group, hits, share: hits / Math.max(1, group.answers) };
    })
    .sort((a, b) => orderOf(a, b, promptId));
  const shown = showsAll ? rows : rows.slice(0, shownFirst);
  const answers = shown.reduce((sum, each) => sum + each.answers, 0);
  return (
    <div className={css["prompts"]}>
      {shown.map(({ key, name, answers: its, hits }) => (
        <button
          key={key}
          type="button"
          className={css["prompt"]}
          aria-pressed={key === promptId}
          onClick={() => {
            const chosen = key === promptId ? null : key;
            changeView({ evidence: { ...address, promptId: chosen }, answer: null });
          }}
        >
          <span className={css["promptText"]}>{name}</span>
          <span className={css["dots"]}>
            {answers > dotsTotal || its > dotsMax ? (
              <ShareBar share={hits / Math.max(1, its)} />
            ) : (
              <Dots hits={hits} answers={its} />
            )}
          </span>
          <span className={css["ratio"]}>
            {countText(hits)} of {countText(its)}
          </span>
        </button>
      ))}
      {shown.length === rows.length ? null : (
        <div className={css["more"]}>
          {countText(shown.length)} of {countText(rows.length)}
          <Button onClick={() => setShowsAll(true)}>Show all</Button>
        </div>
      )}
    </div>
  );
}

/** Prompts that are drawn at most, a row each. */
const promptsMax = 2_000;
/** Rows before all are asked for: the list scrolls after the first seven. */
const shownFirst = 100;

interface Ratio {
  readonly key: string | null;
  readonly share: number;
  readonly answers: number;
}

/** The chosen prompt first, then by share. */
function orderOf(a: Ratio, b: Ratio, promptId: string | null): number {
  const chosen = Number(b.key === promptId) - Number(a.key === promptId);
  return chosen || b.share - a.share || b.answers - a.answers;
}

interface DotsProps {
  readonly hits: number;
  readonly answers: number;
}

/** Dots of a row; more answers than these become a bar. */
const dotsMax = 96;
/** Dots of all rows, each an element of the page; with more answers all rows have bars. */
const dotsTotal = 2_000;
const perRow = 24;
const stepPx = 8;
const widthPx = perRow * stepPx;

function ShareBar({ share }: { readonly share: number }) {
  return (
    <svg aria-hidden="true" width="100%" height="8" viewBox={`0 0 ${widthPx} 8`}>
      <rect width={widthPx} height="8" rx="4" fill="var(--line)" />
      <rect width={widthPx * share} height="8" rx="4" fill="currentColor" />
    </svg>
  );
}

/** A dot for each answer, filled where it counts. */
function Dots({ hits, answers }: DotsProps) {
  const rows = Math.max(1, Math.ceil(answers / perRow));
  return (
    <svg
      aria-hidden="true"
      width="100%"
      height={rows * stepPx}
      viewBox={`0 0 ${widthPx} ${rows * stepPx}`}
      preserveAspectRatio="xMinYMid meet"
    >
      {Array.from({ length: answers }, (_, index) => (
        <circle
          // biome-ignore lint/suspicious/noArrayIndexKey: a dot is its place
          key={index}
          cx={(index % perRow) * stepPx + 4}
          cy={Math.floor(index / perRow) * stepPx + 4}
          r={index < hits ? 3 : 2.5}
          fill={index < hits ? "currentColor" : "none"}
          stroke={index < hits ? "none" : "var(--line-strong)"}
        />
      ))}
    </svg>
  );
}

import { countText } from "../../data/format.ts";
import { useSummary } from "../../data/queries.ts";
import { changeView } from "../../data/use-view.ts";
import { Panel } from "../../parts/panel.tsx";
import css from "./evidence.module.css";
import { hitsOf } from "./sentence.ts";
import type { EvidenceFilters } from "./use-evidence-question.ts";

/** The prompts behind a value, with k of n answers each; a click keeps its answers alone. */
export function PromptList({ question }: { readonly question: EvidenceFilters }) {
  const { address, ofAllPrompts, workspace } = question;
  const { role, entityId, promptId } = address;
  const fits = promptsOf(question) <= promptsMax;
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
      {({ groups }) => (
        <div className={css["prompts"]}>
          {groups
            .map((group) => {
              const hits = hitsOf(group, { group, role, entityId }) ?? 0;
              return { ...group, hits, share: hits / Math.max(1, group.answers) };
            })
            .sort((a, b) => orderOf(a, b, promptId))
            .map(({ key, name, answers, hits }) => (
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
                <span className={css["promptText"]} title={name}>
                  {name}
                </span>
                <span className={css["dots"]}>
                  <Dots hits={hits} answers={answers} />
                </span>
                <span className={css["ratio"]}>
                  {countText(hits)} of {countText(answers)}
                </span>
              </button>
            ))}
        </div>
      )}
    </Panel>
  );
}

/** Prompts that are drawn at most, a row each. */
const promptsMax = 2_000;

function promptsOf({ view, workspace }: EvidenceFilters): number {
  const { topics, prompts } = view;
  return workspace.prompts.filter(
    ({ id, topicId }) =>
      (prompts.length === 0 || prompts.includes(id)) &&
      (topics.length === 0 || (topicId !== null && topics.includes(topicId))),
  ).length;
}

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

/** Dots at most; more answers than these become a bar. */
const dotsMax = 96;
const perRow = 24;
const stepPx = 8;

/** A dot for each answer, filled where it counts; a bar where there are too many to see. */
function Dots({ hits, answers }: DotsProps) {
  const width = perRow * stepPx;
  if (answers > dotsMax) {
    const part = answers === 0 ? 0 : hits / answers;
    return (
      <svg aria-hidden="true" width="100%" height="8" viewBox={`0 0 ${width} 8`}>
        <rect width={width} height="8" rx="4" fill="var(--line)" />
        <rect width={width * part} height="8" rx="4" fill="currentColor" />
      </svg>
    );
  }
  const rows = Math.max(1, Math.ceil(answers / perRow));
  return (
    <svg
      aria-hidden="true"
      width="100%"
      height={rows * stepPx}
      viewBox={`0 0 ${width} ${rows * stepPx}`}
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

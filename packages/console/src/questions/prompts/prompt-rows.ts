import type { WorkspaceResponse } from "@sightline/client";
import type { Sorting } from "../../parts/table.tsx";
import type { Prompt, PromptGroup } from "../prompt-summaries.ts";
import type { PromptView } from "./prompt-view.ts";

/** The values of an entity. */
type EntityValues = PromptGroup["entities"][number];

/** A prompt, and how an entity stands in its answers. */
export interface PromptRow {
  readonly prompt: Prompt;
  /** Null: it has none. */
  readonly topic: string | null;
  readonly answers: number;
  /** When the newest of them was given. Null: there is none. */
  readonly lastAnsweredAt: string | null;
  /** Null: no answer passes the filters. */
  readonly values: EntityValues | null;
}

interface RowsOf {
  readonly prompts: readonly Prompt[];
  readonly groups: readonly PromptGroup[];
  readonly workspace: WorkspaceResponse;
  readonly list: PromptView;
}

/** The rows of a list, searched, narrowed and in order. */
export function promptRows({ prompts, groups, workspace, list }: RowsOf): readonly PromptRow[] {
  const topics = new Map(workspace.topics.map(({ id, name }) => [id, name]));
  const byPrompt = new Map(groups.map((group) => [group.key, group]));
  const rows = prompts.map((prompt): PromptRow => {
    const group = byPrompt.get(prompt.id);
    return {
      prompt,
      topic: topics.get(prompt.topicId ?? "") ?? null,
      answers: group?.answers ?? 0,
      lastAnsweredAt: group?.lastAnsweredAt ?? null,
      values: group?.entities[0] ?? null,
    };
  });
  return sorted(
    rows.filter((row) => matches(row, list)),
    list.sorting,
  );
}

function matches({ prompt, topic, values }: PromptRow, { search, visible }: PromptView): boolean {
  const text = `${prompt.text} ${topic ?? ""}`.toLowerCase();
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.every((word) => text.includes(word))) return false;
  if (visible === null) return true;
  return values !== null && values.visibility.numerator > 0 === visible;
}

/** Rows without a value stand last in both directions; equal ones by text. */
function sorted(rows: readonly PromptRow[], { key, descending }: Sorting): readonly PromptRow[] {
  const sign = descending ? -1 : 1;
  return [...rows].sort((a, b) => {
    if (key === "prompt") return sign * compareTexts(a, b);
    const [first, second] = [figureOf(a, key), figureOf(b, key)];
    if (first === second) return compareTexts(a, b);
    if (first === null || second === null) return first === null ? 1 : -1;
    return sign * (first - second);
  });
}

const order = new Intl.Collator("en", { numeric: true });
const compareTexts = (a: PromptRow, b: PromptRow): number =>
  order.compare(a.prompt.text, b.prompt.text);

function figureOf({ answers, lastAnsweredAt, values }: PromptRow, key: string): number | null {
  if (key === "answers") return answers;
  if (key === "last") return lastAnsweredAt === null ? null : Date.parse(lastAnsweredAt);
  const metric = metricKeys.find((each) => each === key) ?? "mentions";
  return values?.[metric].value ?? null;
}

const metricKeys = ["mentions", "visibility", "citations", "rank"] as const;

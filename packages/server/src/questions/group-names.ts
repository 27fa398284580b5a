import type { SummaryGrouping } from "@sightline/contract";
import { progressOf } from "../accounts/progress-store.ts";
import { eachInTurns } from "../platform/turns.ts";
import { asksTags } from "./prompt-tags.ts";
import type { QuestionServices } from "./question-services.ts";
import type { NamedGroup } from "./summary/group-part.ts";

/** The revision of the workspace that names groups or says tags; null: nothing in it does. */
export async function revisionOfNames(
  { control }: QuestionServices,
  accountId: string,
  question: Parameters<typeof asksTags>[0],
): Promise<number | null> {
  const { groupBy, by = groupBy } = question;
  if (by !== "topic" && by !== "prompt" && !asksTags(question)) return null;
  return (await progressOf(control, accountId))?.revision ?? null;
}

/** Groups with their names, in their order: those without a key are the last. */
type GroupNames = (
  groups: readonly number[],
  keyOf: (group: number) => string | null,
) => readonly NamedGroup[];

interface Place {
  readonly name: string;
  readonly place: number;
}

/** How the groups of a grouping are called, and in which order they come. */
export async function groupNames(
  { workspaces }: QuestionServices,
  { accountId, revision }: { readonly accountId: string; readonly revision: number | null },
  groupBy: SummaryGrouping,
): Promise<GroupNames> {
  const known = new Map<string, Place>();
  if (revision !== null && (groupBy === "topic" || groupBy === "prompt")) {
    const { part } = await workspaces.of(accountId, revision);
    const items =
      groupBy === "topic" ? part.topics : part.prompts.map(({ id, text }) => ({ id, name: text }));
    await eachInTurns(items, ({ id, name }, place) => known.set(id, { name, place }));
  }
  return (groups, keyOf) =>
    groups
      .map((number) => {
        const key = keyOf(number);
        return { number, key, name: nameOf(groupBy, key, known) };
      })
      .sort((a, b) => placeOf(a, groupBy, known) - placeOf(b, groupBy, known) || byKey(a, b));
}

function nameOf(
  groupBy: SummaryGrouping,
  key: string | null,
  known: ReadonlyMap<string, Place>,
): string {
  if (groupBy === "none") return "All answers";
  if (groupBy === "branded") return key === "true" ? "Branded" : "Not branded";
  if (key === null && groupBy === "model") return "Model not known";
  if (key === null && groupBy === "surface") return "Surface not known";
  if (key === null) return `No ${groupBy}`;
  return known.get(key)?.name ?? key;
}

const numberedGroups: readonly SummaryGrouping[] = [
  "provider",
  "region",
  "model",
  "surface",
  "tag",
];

/** Numbers of providers and the like are in their own order. */
function placeOf(
  { key, number }: NamedGroup,
  groupBy: SummaryGrouping,
  known: ReadonlyMap<string, Place>,
): number {
  if (key === null) return Number.POSITIVE_INFINITY;
  if (groupBy === "branded") return key === "true" ? 0 : 1;
  if (numberedGroups.includes(groupBy)) return number;
  return known.get(key)?.place ?? Number.MAX_SAFE_INTEGER;
}

function byKey({ key: left }: NamedGroup, { key: right }: NamedGroup): number {
  if (left === right) return 0;
  return (left ?? "") < (right ?? "") ? -1 : 1;
}

import { foldedTag } from "@sightline/contract";
import type { TagSets } from "../facts/plan/insight-plans.ts";
import type { Selection } from "../facts/plan/question.ts";
import type { Snapshot } from "../facts/snapshot.ts";
import { byCodeUnit } from "../platform/by-code-unit.ts";
import { eachInTurns } from "../platform/turns.ts";

/** The tags of an account's prompts today, by the numbers that the facts have for these. */
export interface PromptTags {
  /** In the order of groups; a tag's number is its place + 1, since 0 is to have none. */
  readonly names: readonly string[];
  /** The prompts that have a tag, which is given as folded. */
  readonly promptsOf: (tag: string) => readonly number[];
  /** The numbers of a prompt's tags; 0 alone: it has none. */
  readonly tagsOf: (prompt: number) => readonly number[];
  /** As answers are grouped by them. */
  readonly sets: TagSets;
}

/** Whether tags say which answers a question counts, or how it groups them. */
export function asksTags({
  selection,
  compare = null,
  groupBy,
  by,
}: {
  readonly selection: Selection;
  readonly compare?: Selection | null;
  readonly groupBy?: string;
  readonly by?: string;
}): boolean {
  if (groupBy === "tag" || by === "tag") return true;
  const selects = (side: Selection | null) =>
    side !== null && (side.tags !== null || (side.exclude?.tags ?? null) !== null);
  return selects(selection) || selects(compare);
}

/** A prompt as a workspace has it. */
interface Tagged {
  readonly id: string;
  readonly tags?: readonly string[] | undefined;
}

const untagged = [0] as const;

/** The tags of a workspace's prompts; of prompts that the facts do not know, none. */
export async function promptTagsOf(
  prompts: readonly Tagged[],
  snapshot: Snapshot,
): Promise<PromptTags> {
  const numbers = new Map<string, number>();
  await eachInTurns(snapshot.prompts, ({ id }, number) => numbers.set(id, number));
  const spellings = new Map<string, string>();
  const found = new Map<string, number[]>();
  await eachInTurns(prompts, ({ id, tags = [] }) => {
    const number = numbers.get(id);
    if (number === undefined) return;
    for (const tag of tags) {
      const folded = foldedTag(tag);
      if (!spellings.has(folded)) spellings.set(folded, tag);
      const own = found.get(folded);
      if (own === undefined) found.set(folded, [number]);
      else own.push(number);
    }
  });
  const ordered = [...spellings].toSorted(([a], [b]) => byCodeUnit(a, b));
  const tagsOf = new Map<number, number[]>();
  for (const [place, [folded]] of ordered.entries()) {
    for (const prompt of found.get(folded) ?? []) {
      const own = tagsOf.get(prompt);
      if (own === undefined) tagsOf.set(prompt, [place + 1]);
      else own.push(place + 1);
    }
  }
  return {
    names: ordered.map(([, tag]) => tag),
    promptsOf: (tag) => found.get(tag) ?? [],
    tagsOf: (prompt) => tagsOf.get(prompt) ?? untagged,
    sets: setsOf(snapshot.prompts.length, tagsOf),
  };
}

/** Prompts with the same tags are one set: engines sum by set, and a prompt is in one alone. */
function setsOf(prompts: number, tagsOf: ReadonlyMap<number, readonly number[]>): TagSets {
  const members: (readonly number[])[] = [untagged];
  const known = new Map<string, number>();
  const sets = Array.from({ length: prompts }, (_, prompt) => {
    const tags = tagsOf.get(prompt);
    if (tags === undefined) return 0;
    const key = tags.join(" ");
    const set = known.get(key) ?? members.length;
    if (set === members.length) members.push(tags);
    known.set(key, set);
    return set;
  });
  return { sets, members };
}

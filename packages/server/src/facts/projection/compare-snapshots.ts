import { eachInTurns } from "../../platform/turns.ts";
import type { Snapshot, SnapshotPrompt } from "../snapshot.ts";

/** How facts that were built by one snapshot stand to another. */
export type Comparison =
  | { readonly kind: "same" }
  /** Only new prompts and topics: the facts go on with this snapshot, nothing is read again. */
  | { readonly kind: "extended"; readonly snapshot: Snapshot }
  | { readonly kind: "rebuild"; readonly reason: RebuildReason };

/** Why facts are rebuilt. */
export type RebuildReason = "absent" | "damaged" | "record" | "version" | "workspace";

/**
 * How the facts built by `built` stand to what is wanted now. `skipped`: prompts whose answers were
 * read and left out, being retired; when one of them is back its answers must be read again.
 */
export async function compareSnapshots(
  built: Snapshot,
  wanted: Snapshot,
  skipped: ReadonlySet<string>,
): Promise<Comparison> {
  if (
    built.factsVersion !== wanted.factsVersion ||
    built.extractionVersion !== wanted.extractionVersion
  ) {
    return { kind: "rebuild", reason: "version" };
  }
  const rebuild = { kind: "rebuild", reason: "workspace" } as const;
  if (JSON.stringify(built.entities) !== JSON.stringify(wanted.entities)) return rebuild;
  const topics = await extended(built.topics, wanted.topics, topicItems);
  const prompts = await extended(built.prompts, wanted.prompts, promptItems);
  if (topics === null || prompts === null) return rebuild;
  if (prompts.added.some(({ id }) => skipped.has(id))) return rebuild;
  if (topics.added.length + prompts.added.length === 0) return { kind: "same" };
  const all = {
    topics: [...built.topics, ...topics.added],
    prompts: [...built.prompts, ...prompts.added],
  };
  return { kind: "extended", snapshot: { ...built, ...all } };
}

/** How items of a list are told apart and compared: field by field, since there are 100,000. */
interface Items<Item> {
  readonly idOf: (item: Item) => string;
  readonly isSame: (a: Item, b: Item) => boolean;
}

const topicItems: Items<string> = { idOf: (topic) => topic, isSame: (a, b) => a === b };
const promptItems: Items<SnapshotPrompt> = {
  idOf: ({ id }) => id,
  isSame: (a, b) => a.id === b.id && a.topicId === b.topicId && a.branded === b.branded,
};

/** What is new in `wanted`; null when something of `built` changed or went. Made in turns. */
async function extended<Item>(
  built: readonly Item[],
  wanted: readonly Item[],
  { idOf, isSame }: Items<Item>,
): Promise<{ readonly added: readonly Item[] } | null> {
  const rest = new Map<string, Item>();
  await eachInTurns(wanted, (item) => rest.set(idOf(item), item));
  let isKept = true;
  await eachInTurns(built, (item) => {
    const now = rest.get(idOf(item));
    if (now === undefined || !isSame(now, item)) isKept = false;
    else rest.delete(idOf(item));
  });
  return isKept ? { added: [...rest.values()] } : null;
}

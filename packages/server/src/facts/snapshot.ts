import { createHash } from "node:crypto";
import type { Workspace } from "../control/workspace.ts";
import { toRule } from "../control/workspace.ts";
import { type EntityRule, extractionVersion as extractorVersion } from "../extraction/index.ts";

/** Raised when the tables of the facts change: all facts are then built anew. */
export const factsVersion = 5;

/** What texts are read by; Node's own tables of Unicode compare names. */
export const extractionVersion = `${extractorVersion}, Unicode ${process.versions["unicode"]}`;

/** What facts were derived by: the rules, and the numbers that stand for ids (their place). */
export interface Snapshot {
  readonly factsVersion: number;
  /** Facts of 0.1.0 have a number here. */
  readonly extractionVersion: string;
  /** In the order of the series; number = place + 1, since 0 is the answer itself. */
  readonly entities: readonly SnapshotEntity[];
  /** Topic ids; number = place + 1, since 0 means without a topic. */
  readonly topics: readonly string[];
  /** Number = place. */
  readonly prompts: readonly SnapshotPrompt[];
}

/** An entity and how it is found. */
export interface SnapshotEntity extends EntityRule {
  readonly id: string;
  readonly name: string;
}

/** A prompt and what its answers' rows say of it. */
export interface SnapshotPrompt {
  readonly id: string;
  /** Null: no topic. */
  readonly topicId: string | null;
  readonly branded: boolean;
}

/** How facts that were built by one snapshot stand to another. */
export type Comparison =
  | { readonly kind: "same" }
  /** Only new prompts and topics: the facts go on with this snapshot, nothing is read again. */
  | { readonly kind: "extended"; readonly snapshot: Snapshot }
  | { readonly kind: "rebuild"; readonly reason: RebuildReason };

/** Why facts are built anew. */
export type RebuildReason = "absent" | "damaged" | "record" | "version" | "workspace";

/** The snapshot of a workspace, for facts that are built from nothing. */
export function snapshotOf(workspace: Workspace): Snapshot {
  return {
    factsVersion,
    extractionVersion,
    entities: workspace.entities.map((entity) => {
      return { id: entity.id, name: entity.name, ...toRule(entity) };
    }),
    topics: workspace.topics.map(({ id }) => id),
    prompts: workspace.prompts.map(({ id, topicId, branded }) => ({ id, topicId, branded })),
  };
}

/**
 * How the facts built by `built` stand to what is wanted now. `passedOver`: prompts whose answers
 * were read and left out, being retired; when one of them is back its answers must be read again.
 */
export function compareSnapshots(
  built: Snapshot,
  wanted: Snapshot,
  passedOver: ReadonlySet<string>,
): Comparison {
  if (
    built.factsVersion !== wanted.factsVersion ||
    built.extractionVersion !== wanted.extractionVersion
  ) {
    return { kind: "rebuild", reason: "version" };
  }
  const rebuild = { kind: "rebuild", reason: "workspace" } as const;
  if (hashOf(built.entities) !== hashOf(wanted.entities)) return rebuild;
  const topics = extended(built.topics, wanted.topics, topicItems);
  const prompts = extended(built.prompts, wanted.prompts, promptItems);
  if (topics === null || prompts === null) return rebuild;
  if (prompts.added.some(({ id }) => passedOver.has(id))) return rebuild;
  if (topics.added.length + prompts.added.length === 0) return { kind: "same" };
  return { kind: "extended", snapshot: { ...built, topics: topics.all, prompts: prompts.all } };
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

/**
 * `built` with what is new in `wanted` behind it; null when something of `built` changed or went.
 */
function extended<Item>(
  built: readonly Item[],
  wanted: readonly Item[],
  { idOf, isSame }: Items<Item>,
): { readonly all: readonly Item[]; readonly added: readonly Item[] } | null {
  const wantedById = new Map(wanted.map((item) => [idOf(item), item]));
  const kept = built.every((item) => {
    const now = wantedById.get(idOf(item));
    return now !== undefined && isSame(now, item);
  });
  if (!kept) return null;
  const builtIds = new Set(built.map(idOf));
  const added = wanted.filter((item) => !builtIds.has(idOf(item)));
  return { all: [...built, ...added], added };
}

/** SHA-256 of a value's JSON, as hexadecimal text. */
export function hashOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}

import { toRule, type Workspace } from "../accounts/workspace.ts";
import {
  type EntityRule,
  extractionVersion as extractorVersion,
  namesVersion,
} from "../extraction/index.ts";
import { eachInTurns } from "../platform/turns.ts";

/** Raised when the tables of the facts change: all facts are then rebuilt. */
export const factsVersion = 12;

/** What texts are read by; Node's own tables of Unicode compare names. */
export const extractionVersion = `${extractorVersion}, Unicode ${process.versions["unicode"]}`;

/** Facts of other rules are rebuilt. */
export const projectionRules = `${factsVersion}: ${extractionVersion}`;

/** What facts were derived by: the rules, and the numbers that stand for ids (their place). */
export interface Snapshot {
  readonly factsVersion: number;
  /** Facts of 0.1.0 have a number here. */
  readonly extractionVersion: string;
  /** The version by which names that nobody tracks were read; null: the facts have none. */
  readonly names: number | null;
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

/**
 * The snapshot of a workspace, for facts that are built from nothing.
 * @param asksNames whether they have the names that nobody tracks, which takes longer to read.
 */
export async function snapshotOf(workspace: Workspace, asksNames = false): Promise<Snapshot> {
  const prompts: SnapshotPrompt[] = [];
  await eachInTurns(workspace.prompts, ({ id, topicId, branded }) => {
    prompts.push({ id, topicId, branded });
  });
  return {
    factsVersion,
    extractionVersion,
    names: asksNames ? namesVersion : null,
    entities: workspace.entities.map((entity) => {
      return { id: entity.id, name: entity.name, ...toRule(entity) };
    }),
    topics: workspace.topics.map(({ id }) => id),
    prompts,
  };
}

/**
 * Prompts as text, a line each: id, number of the topic, 1 when it is branded. 100,000 objects take
 * 150 ms to be copied to another thread, and their text 2.
 */
export async function promptLines({ topics, prompts }: Snapshot, from = 0): Promise<string> {
  const numbers = new Map(topics.map((id, index) => [id, index + 1]));
  let lines = "";
  await eachInTurns(from === 0 ? prompts : prompts.slice(from), ({ id, topicId, branded }) => {
    const topic = topicId === null ? 0 : (numbers.get(topicId) ?? 0);
    lines += `${lines === "" ? "" : "\n"}${id} ${topic} ${Number(branded)}`;
  });
  return lines;
}

import { hash } from "node:crypto";
import { isPortrayalFlag, type LabelMetric } from "@sightline/contract";
import { type Entity, toRule } from "../../accounts/workspace.ts";
import { type AnswerContent, compileExtractor } from "../../extraction/index.ts";
import { byCodeUnit } from "../../platform/by-code-unit.ts";
import { eachInTurns, sortedInTurns } from "../../platform/turns.ts";

// Answers are drawn by prompt: in each round every prompt that has answers left comes once, in a
// random order, so that all prompts have the same chance, however many answers each has. Random is
// what SHA-256 makes of the seed, so that the same draw can be repeated, and a larger one begins
// with the answers of a smaller one.

/** A prompt, and how many of its answers may be drawn. */
export interface DrawablePrompt {
  readonly id: string;
  readonly answers: number;
}

/** A prompt that is drawn, with its next answer. */
export interface DrawnPrompt {
  readonly id: string;
  /** From 1: the place of the answer among those of its prompt. */
  readonly round: number;
}

/** The prompts of a draw, in its order. */
export async function drawnPrompts(
  prompts: readonly DrawablePrompt[],
  { seed, count }: { readonly seed: number; readonly count: number },
): Promise<readonly DrawnPrompt[]> {
  const drawn: DrawnPrompt[] = [];
  let left = prompts.filter(({ answers }) => answers > 0);
  for (let round = 1; left.length > 0 && drawn.length < count; round += 1) {
    const hashed: (DrawnPrompt & { readonly at: string })[] = [];
    await eachInTurns(left, ({ id }) => {
      hashed.push({ id, round, at: hash("sha256", `${drawPrefix(seed)}${round} ${id}`) });
    });
    const inOrder = await sortedInTurns(hashed, (a, b) => byCodeUnit(a.at, b.at));
    for (const { id } of inOrder.slice(0, count - drawn.length)) drawn.push({ id, round });
    left = left.filter(({ answers }) => answers > round);
  }
  return drawn;
}

/** What is hashed before a number, in every engine. */
export function drawPrefix(seed: number): string {
  return `label ${seed} `;
}

/** The order of a prompt's answers: by the hashes of their places in the record. */
export function inDrawnOrder(sequences: readonly number[], seed: number): readonly number[] {
  return sequences
    .map((sequence) => ({ sequence, at: hash("sha256", `${drawPrefix(seed)}${sequence}`) }))
    .toSorted((a, b) => byCodeUnit(a.at, b.at))
    .map(({ sequence }) => sequence);
}

/**
 * Compiles what tells whether an answer may be drawn, by its content: what is said of an entity is
 * asked of the answers that mention it and were read, which are what its shares are of.
 */
export function compileDrawable(
  entities: readonly Entity[],
  { entityId, metric }: { readonly entityId: string; readonly metric: LabelMetric },
): (answer: AnswerContent) => boolean {
  if (!isPortrayalFlag(metric)) return () => true;
  const extract = compileExtractor(entities.map(toRule));
  const place = entities.findIndex(({ id }) => id === entityId);
  return (answer) => {
    const { language, mentions } = extract(answer);
    return language !== null && mentions.includes(place);
  };
}

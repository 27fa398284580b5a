import {
  allAnswers,
  allCitations,
  type ComparedSources,
  type SourcePromptSum,
} from "../facts/plan/source-gaps.ts";
import { type Change, Changes, type Judging } from "./changes.ts";
import { estimate } from "./estimates/clusters.ts";
import type { Cluster } from "./estimates/moments.ts";

/** The changes of the shares of a page's sources, in their order, and how many were tested. */
export interface SourceChanges {
  readonly changes: readonly Change[];
  readonly tests: number;
}

/** How the changes of sources are judged. */
export interface SourceJudging extends Judging {
  readonly isContinuous: boolean;
}

/** Compares the shares of a page's sources. It can be paused after each source. */
export function* sourceChanges(
  { before, after }: ComparedSources,
  sources: number,
  { isContinuous, ...judging }: SourceJudging,
): Generator<void, SourceChanges, void> {
  const [first, second] = [sideOf(before), sideOf(after)];
  const prompts = [...new Set([...first.prompts, ...second.prompts])];
  const commonPrompts = first.prompts.size + second.prompts.size - prompts.length;
  const changes = new Changes(judging);
  for (let source = 0; source < sources; source += 1) {
    const clustersOf = (side: Side, among: Iterable<number>): readonly Cluster[] =>
      [...among].map((prompt) => ({
        numerator: side.sums.get(source)?.get(prompt) ?? 0,
        denominator: side.sums.get(allCitations)?.get(prompt) ?? 0,
      }));
    changes.add({
      before: clustersOf(first, prompts),
      after: clustersOf(second, prompts),
      estimateBefore: estimate(clustersOf(first, first.prompts), "share"),
      estimateAfter: estimate(clustersOf(second, second.prompts), "share"),
      commonPrompts,
      isContinuous,
      scale: "share",
    });
    yield;
  }
  return changes.judged();
}

interface Side {
  /** Those with answers. */
  readonly prompts: ReadonlySet<number>;
  /** By what is counted, then by prompt. */
  readonly sums: ReadonlyMap<number, ReadonlyMap<number, number>>;
}

function sideOf(rows: readonly SourcePromptSum[]): Side {
  const sums = new Map<number, Map<number, number>>();
  for (const { prompt, counted, sum } of rows) {
    const own = sums.get(counted) ?? new Map<number, number>();
    sums.set(counted, own.set(prompt, sum));
  }
  return { prompts: new Set(sums.get(allAnswers)?.keys()), sums };
}

import { thresholdUnlessSaid } from "@sightline/contract";
import { dayMs } from "../../facts/plan/buckets.ts";
import type { Selection } from "../../facts/plan/question.ts";
import {
  type Estimate,
  estimateChange,
  type Interval,
  promptsMin,
  type Scale,
} from "./clusters.ts";
import type { Cluster } from "./moments.ts";

/** What a change comes to; null: a window is too short to tell. */
type Verdict = "moved" | "within-noise" | "insufficient" | "discontinuous" | null;

/** How a value differs from the one that it is compared with. */
export interface Change {
  /** Null: one of them has no value. */
  readonly value: number | null;
  /** Null: fewer than five prompts have answers on both sides. */
  readonly interval: Interval | null;
  readonly p: number | null;
  readonly adjustedP: number | null;
  readonly verdict: Verdict;
}

/** The two sides of a change: their prompts in the same order, with zeros where one is absent. */
interface Sides {
  readonly before: readonly Cluster[];
  readonly after: readonly Cluster[];
  readonly estimateBefore: Estimate;
  readonly estimateAfter: Estimate;
  /** Prompts with answers on both sides. */
  readonly commonPrompts: number;
  readonly scale: Scale;
  /** Whether the same models answered on both sides, on the same surfaces, as far as is known. */
  readonly isContinuous: boolean;
}

/** How changes are judged. */
export interface Judging {
  /** The least difference of two fractions that counts. */
  readonly threshold: number;
  /** Both sides are long enough. */
  readonly hasVerdicts: boolean;
}

/** A window that is shorter has no whole week, and answers differ by weekday. */
const windowMsMin = 7 * dayMs;
/** Fewer independent answers say nothing of a change. */
const effectiveAnswersMin = 10;
/** Of all changes that are called moved, so many did not move, at most. */
const wrongMax = 0.05;
/** 0.12 − 0.10 is two points, though not in doubles. */
const rounding = 1e-12;

/** How the changes between two selections are judged. */
export function judgingOf(
  selections: readonly Selection[],
  threshold: number = thresholdUnlessSaid,
): Judging {
  const hasVerdicts = selections.every(({ fromMs, toMs }) => toMs - fromMs >= windowMsMin);
  return { threshold, hasVerdicts };
}

/**
 * The changes of a reply. Each p is adjusted for all of them, so all are added before any is
 * taken.
 */
export class Changes {
  readonly #judging: Judging;
  readonly #pending: PendingChange[] = [];

  constructor(judging: Judging) {
    this.#judging = judging;
  }

  /** Adds a change. @returns its place. */
  add(sides: Sides): number {
    const { before, after, estimateBefore, estimateAfter, commonPrompts } = sides;
    const isTested = commonPrompts >= promptsMin;
    const [first, second] = [estimateBefore.value, estimateAfter.value];
    const value = first === null || second === null ? null : second - first;
    const tested = isTested && value !== null ? estimateChange(before, after) : null;
    const isEnough = [estimateBefore, estimateAfter].every(
      ({ effectiveAnswers }) => (effectiveAnswers ?? 0) >= effectiveAnswersMin,
    );
    const pending = { value, interval: tested?.interval ?? null, p: tested?.p ?? null };
    const { scale, isContinuous } = sides;
    return this.#pending.push({ ...pending, isEnough, scale, isContinuous }) - 1;
  }

  /** All changes that were added, in their order, and how many of them were tested. */
  judged(): { readonly changes: readonly Change[]; readonly tests: number } {
    const tested = this.#pending.flatMap(({ p }, place) => (p === null ? [] : [{ p, place }]));
    const adjusted = new Map(
      adjustedP(tested.map(({ p }) => p)).map((p, index) => [tested[index]?.place, p]),
    );
    const changes = this.#pending.map((pending, place): Change => {
      const { value, interval, p } = pending;
      const own = adjusted.get(place) ?? null;
      return { value, interval, p, adjustedP: own, verdict: this.#verdict(pending, own) };
    });
    return { changes, tests: tested.length };
  }

  #verdict(pending: PendingChange, p: number | null): Verdict {
    const { value, isEnough, scale, isContinuous } = pending;
    const { threshold, hasVerdicts } = this.#judging;
    if (!hasVerdicts) return null;
    if (value === null || p === null || !isEnough) return "insufficient";
    if (!isContinuous) return "discontinuous";
    const isLarge = scale === "rank" || Math.abs(value) >= threshold - rounding;
    return p <= wrongMax && isLarge ? "moved" : "within-noise";
  }
}

interface PendingChange {
  readonly value: number | null;
  readonly interval: Interval | null;
  readonly p: number | null;
  /** Both sides have enough independent answers. */
  readonly isEnough: boolean;
  readonly scale: Scale;
  readonly isContinuous: boolean;
}

/**
 * The p of each of several tests, adjusted so that at most 5 % of those at or below .05 are wrong
 * (Benjamini and Hochberg 1995). In the order given.
 */
export function adjustedP(ps: readonly number[]): readonly number[] {
  const order = [...ps.keys()].sort((a, b) => (ps[b] ?? 0) - (ps[a] ?? 0));
  const adjusted = new Array<number>(ps.length).fill(1);
  let least = 1;
  for (const [place, index] of order.entries()) {
    const rank = ps.length - place;
    least = Math.min(least, ((ps[index] ?? 1) * ps.length) / rank);
    adjusted[index] = least;
  }
  return adjusted;
}

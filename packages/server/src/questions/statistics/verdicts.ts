import {
  effectivePromptsMin,
  rankThresholdUnlessSaid,
  thresholdUnlessSaid,
} from "@sightline/contract";
import { dayMs } from "../../facts/plan/buckets.ts";
import type { Selection } from "../../facts/plan/question.ts";
import { type ChangeEstimate, type ChangeParts, wrongMax } from "./change.ts";
import type { Interval, Scale } from "./estimates.ts";

/** What a change comes to; null: a window is too short to tell. */
export type Verdict = "moved" | "within-noise" | "insufficient" | "discontinuous" | null;

/** How a value differs from the one that it is compared with. */
export interface Change {
  /** Null: one of them has no value. */
  readonly value: number | null;
  /** Null: no prompt has answers on both sides. */
  readonly parts: ChangeParts | null;
  /** Of the prompts that both sides have. */
  readonly effectivePrompts: number;
  /** Of the like-for-like part; null: there are too few prompts, or they all changed alike. */
  readonly interval: Interval | null;
  readonly p: number | null;
  /** Null: it is not a test of the reply. */
  readonly adjustedP: number | null;
  readonly verdict: Verdict;
  readonly flags: readonly "fewDays"[];
  /** The same of the providers whose models and surfaces stayed; only where it is discontinuous. */
  readonly continuing?: Change | null;
}

/** A change that is judged once all of a reply are known. */
export interface Judged {
  /** Null: a side has no value. */
  readonly change: ChangeEstimate | null;
  readonly scale: Scale;
  /** The most that other models or surfaces alone can move a rate. */
  readonly discontinuity: number;
  /** Null: no provider stayed as it was, or none changed. */
  readonly continuing: ChangeEstimate | null;
}

/** How changes are judged. */
export interface Judging {
  /** The least like-for-like difference of two fractions that counts. */
  readonly threshold: number;
  /** The same of two mean ranks. */
  readonly rankThreshold: number;
  /** Both sides are long enough. */
  readonly hasVerdicts: boolean;
}

/** A window that is shorter has no whole week, and answers differ by weekday. */
const windowMsMin = 7 * dayMs;
/** 0.12 − 0.10 is two points, though not in doubles. */
const rounding = 1e-12;

/** How the changes between two selections are judged. */
export function judgingOf(
  selections: readonly Selection[],
  {
    threshold = thresholdUnlessSaid,
    rankThreshold = rankThresholdUnlessSaid,
  }: { readonly threshold?: number; readonly rankThreshold?: number } = {},
): Judging {
  const hasVerdicts = selections.every(({ fromMs, toMs }) => toMs - fromMs >= windowMsMin);
  return { threshold, rankThreshold, hasVerdicts };
}

/**
 * The changes of a reply. Each p is adjusted for all tests, so all are added before any is taken.
 */
export class Changes {
  readonly #judging: Judging;
  readonly #pending: Judged[] = [];

  constructor(judging: Judging) {
    this.#judging = judging;
  }

  /** Adds a change. @returns its place. */
  add(change: Judged): number {
    return this.#pending.push(change) - 1;
  }

  /** All changes that were added, in their order, and how many of them were tested. */
  judged(): { readonly changes: readonly Change[]; readonly tests: number } {
    const tests: Test[] = [];
    const judge = (one: Judged): Change => {
      const change = partsOf(one.change);
      const verdict = this.#verdictWithoutTest(one);
      if (verdict === "tested") tests.push({ change, p: this.#testedP(one) });
      else change.verdict = verdict;
      if (verdict !== "discontinuous") return change;
      const { continuing, scale } = one;
      const other = continuing && judge({ change: continuing, scale, ...continuous });
      return { ...change, continuing: other };
    };
    const changes = this.#pending.map(judge);
    const adjusted = adjustedP(tests.map(({ p }) => p));
    for (const [place, { change }] of tests.entries()) {
      const p = adjusted[place] ?? 1;
      change.adjustedP = p;
      change.verdict = p <= wrongMax ? "moved" : "within-noise";
    }
    return { changes, tests: tests.length };
  }

  #verdictWithoutTest({ change, discontinuity }: Judged): Verdict | "tested" {
    if (change === null) return "insufficient";
    if (!this.#judging.hasVerdicts) return null;
    if (change.effectivePrompts < effectivePromptsMin) return "insufficient";
    return discontinuity >= this.#judging.threshold - rounding && discontinuity > 0
      ? "discontinuous"
      : "tested";
  }

  /** A difference that is too small to count is not one that chance has to explain. */
  #testedP({ change, scale }: Judged): number {
    const { threshold, rankThreshold } = this.#judging;
    const least = (scale === "rank" ? rankThreshold : threshold) - rounding;
    return Math.abs(change?.parts?.likeForLike ?? 0) < least ? 1 : (change?.p ?? 1);
  }
}

const continuous = { discontinuity: 0, continuing: null };

interface Writable {
  adjustedP: number | null;
  verdict: Verdict;
}

interface Test {
  readonly change: Writable;
  readonly p: number;
}

function partsOf(change: ChangeEstimate | null): Change & Writable {
  if (change === null) return { ...noChange };
  const { value, parts, effectivePrompts, interval, p, flags } = change;
  const verdict: Verdict = "insufficient";
  return { value, parts, effectivePrompts, interval, p, adjustedP: null, verdict, flags };
}

/** Of a side without a value. */
export const noChange = {
  value: null,
  parts: null,
  effectivePrompts: 0,
  interval: null,
  p: null,
  adjustedP: null,
  verdict: "insufficient" as Verdict,
  flags: [],
};

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

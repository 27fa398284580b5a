import type { CollectionsResponse } from "@sightline/client";
import { type ShownSweep, sweepStateOf } from "./sweep-state.ts";

/** A question takes seconds; parts are published once a second. */
const lookMs = 3_000;
/** As long as nobody asks, only what the operator does changes anything. */
const idleLookMs = 15_000;
/** Browsers' timers take some weeks at most, and a computer that slept has one go on late. */
const lookMsMax = 3_600_000;

/** What tells when something changes next. */
export interface Looked {
  readonly collections: readonly ShownSweep[];
  readonly collectors: number;
  /** The first one first. */
  readonly next: readonly Pick<CollectionsResponse["next"][number], "at">[];
}

/**
 * In how many milliseconds sweeps are to be looked at again: soon while one is under way, else when
 * the next one begins. False: nothing begins by itself.
 */
export function lookAgainMs({ collections, collectors, next }: Looked, now: number) {
  const isUnderWay = collections.some((sweep) => sweepStateOf(sweep).isUnderWay);
  if (isUnderWay) return collectors === 0 ? idleLookMs : lookMs;
  const [first] = next;
  if (first === undefined || collectors === 0) return false;
  return Math.min(Math.max(0, Date.parse(first.at) - now) + lookMs, lookMsMax);
}

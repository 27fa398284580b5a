import type { SourceOrder } from "@sightline/client";
import type { ListedSource } from "../source-questions.ts";
import type { SourceView } from "./source-view.ts";
import { matching } from "./use-listed.ts";

/** Sources with fewer answers on both sides than this are folded away: chance makes them. */
export const smallBelow = 10;

/** Gaps of one side, in order. */
export interface GapsFound {
  readonly large: readonly ListedSource[];
  readonly small: readonly ListedSource[];
  /** How many sources have as many answers on both sides. */
  readonly even: number;
}

/** Answers with a competitor and without the brand, minus the reverse. */
export function differenceOf({ withCompetitorOnly, withBrandOnly }: ListedSource): number {
  return withCompetitorOnly - withBrandOnly;
}

/** What the service orders the gaps of a side by: only what the brand lacks is an opportunity. */
export function orderOf({ side }: SourceView): SourceOrder {
  return side === "competitor" ? "opportunity" : "citations";
}

/**
 * The gaps that a view lists, of sources in the order of orderOf: those without the brand by
 * opportunity, those of the brand alone by difference.
 */
export function gapsOf(sources: readonly ListedSource[], view: SourceView): GapsFound {
  const found = matching(sources, view);
  const sign = view.side === "competitor" ? 1 : -1;
  const ofSide = found.filter((each) => sign * differenceOf(each) > 0);
  if (view.side === "brand") ofSide.sort((a, b) => differenceOf(a) - differenceOf(b));
  const isSmall = (each: ListedSource): boolean =>
    Math.max(each.withCompetitorOnly, each.withBrandOnly) < smallBelow;
  return {
    large: ofSide.filter((each) => !isSmall(each)),
    small: ofSide.filter(isSmall),
    even: found.filter((each) => differenceOf(each) === 0).length,
  };
}

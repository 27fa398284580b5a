import type { FailureRule } from "../reply-failure.ts";

/** SerpApi replies with 429 both when it is asked too fast and when no searches are left. */
export const serpapiErrors: readonly FailureRule[] = [
  { status: 429, says: /run out of searches/i, class: "stop-vendor" },
];

/** What an overview's error says when Google shows none. */
export const noOverview = /not available for this search|hasn't returned any results/i;
/** What it says when Google did not make one in time. */
export const overviewLater = /try again/i;

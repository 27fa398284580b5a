import type { CollectionEstimate, StartedCollection } from "@sightline/contract";
import { dollars } from "./listed-sweep.ts";
import type { Estimate } from "./prices/prices.ts";
import type { PlanOutcome, UnansweredJobs } from "./schedule/plan-now.ts";
import type { SkippedVendor } from "./schedule/vendor-choice.ts";
import { noCredential } from "./schedule/vendor-standings.ts";

/** What was planned, as it is replied. */
export function startedCollection(
  planned: Extract<PlanOutcome, { kind: "planned" }>,
): StartedCollection {
  const { sweepId, jobs, estimates, askable, pricesDate, unanswered, skipped } = planned;
  const micros = estimates.reduce((total, estimate) => total + estimate.micros, 0);
  return {
    id: sweepId,
    jobs,
    dollars: dollars(micros),
    pricesDate,
    estimates: estimates.map(
      ({ micros: ofProvider, isUnverified, unlistedModels, ...estimate }) => ({
        ...estimate,
        ...(unlistedModels.length === 0 ? {} : { unlistedModels: [...unlistedModels] }),
        dollars: dollars(ofProvider),
        verified: !isUnverified,
        hasCredential: askable.has(estimate.vendor),
        ...skippedBefore(estimate, skipped),
      }),
    ),
    unanswered: unanswered.map((each) => ({ ...each, reason: reasonOf(each) })),
  };
}

/** Left out where the first is asked. */
function skippedBefore(
  { provider, surface }: Pick<Estimate, "provider" | "surface">,
  skipped: readonly SkippedVendor[],
): Pick<CollectionEstimate, "skipped"> {
  const before = skipped.filter((each) => each.provider === provider && each.surface === surface);
  return before.length === 0
    ? {}
    : { skipped: before.map(({ vendor, reason }) => ({ vendor, reason })) };
}

/** Whether nothing is asked since nobody has a credential. */
export function isCollectionOff({
  sweepId,
  unanswered,
}: Pick<Extract<PlanOutcome, { kind: "planned" }>, "sweepId" | "unanswered">): boolean {
  return sweepId === null && unanswered.some(({ reason }) => reason === null);
}

/** Why jobs will have no answer, for people. */
export function reasonOf({ vendor, reason }: Pick<UnansweredJobs, "vendor" | "reason">): string {
  return reason ?? noCredential(vendor);
}

import type { StartedCollection } from "@sightline/contract";
import { credentialSettings } from "./credentials.ts";
import { dollars } from "./listed-sweep.ts";
import type { PlanOutcome, UnansweredJobs } from "./schedule/plan-now.ts";

/** What was planned, as it is replied. */
export function startedCollection(
  planned: Extract<PlanOutcome, { kind: "planned" }>,
): StartedCollection {
  const { sweepId, jobs, estimates, pricesDate, unanswered } = planned;
  const micros = estimates.reduce((total, estimate) => total + estimate.micros, 0);
  return {
    id: sweepId,
    jobs,
    dollars: dollars(micros),
    pricesDate,
    estimates: estimates.map(({ micros: ofProvider, isUnverified, ...estimate }) => ({
      ...estimate,
      dollars: dollars(ofProvider),
      verified: !isUnverified,
    })),
    unanswered: unanswered.map((each) => ({ ...each, reason: reasonOf(each) })),
  };
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
  if (reason !== null) return reason;
  const setting = credentialSettings.find((each) => each.vendor === vendor);
  return `No process that collects has a credential of ${vendor}. Set ${setting?.environment}.`;
}

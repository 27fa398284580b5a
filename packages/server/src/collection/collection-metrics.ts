import type { Metrics } from "../platform/metrics.ts";
import type { CollectionTally, VendorHealth } from "./collection-counts.ts";

/** What the thread reports. */
export interface CollectionReport {
  readonly tally: CollectionTally;
  readonly health: readonly VendorHealth[];
}

/** Adds a report of the thread to the metrics. */
export function countCollection(
  { collectionRequests, collectionJobs, collectionSpent, collectionParts, vendorUp }: Metrics,
  { tally, health }: CollectionReport,
): void {
  for (const { vendor, result, ms } of tally.requests) {
    collectionRequests.observe({ vendor, result }, ms / 1_000);
  }
  for (const { provider, result } of tally.jobs) collectionJobs.inc({ provider, result });
  for (const { vendor, micros } of tally.spent) {
    collectionSpent.inc({ vendor }, micros / 1_000_000);
  }
  for (const { provider, isFailed } of tally.published) {
    collectionParts.inc({ provider, result: isFailed ? "failed" : "published" });
  }
  for (const { vendor, state } of health) {
    if (state !== "no-credential") vendorUp.set({ vendor }, state === "ready" ? 1 : 0);
  }
}

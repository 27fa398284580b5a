import type { SummaryGrouping } from "@sightline/contract";
import { providersOf, regionsOf } from "./codes.ts";
import type { Snapshot } from "./snapshot.ts";

/** What the numbers of a grouping stand for; null: nothing, as 0 mostly does. */
export function groupKeys(
  groupBy: SummaryGrouping,
  snapshot: Snapshot | null,
): (group: number) => string | null {
  switch (groupBy) {
    case "none":
      return () => null;
    case "provider":
      return (group) => providersOf(new Set([group]))[0] ?? null;
    case "topic":
      return (group) => snapshot?.topics[group - 1] ?? null;
    case "prompt":
      return (group) => snapshot?.prompts[group]?.id ?? null;
    case "region":
      return (group) => regionsOf(new Set([group]))[0] ?? null;
    case "branded":
      return (group) => String(group === 1);
  }
}

import type { Grouping } from "@sightline/contract";
import { compileDomainTable } from "../extraction/index.ts";
import type { Snapshot } from "./snapshot.ts";

/**
 * The place of each source's owner in the series, the first if there are several; null: of no
 * tracked entity. A domain is an entity's when all of its pages are.
 */
export function sourceOwners(
  { entities }: Snapshot,
  groupBy: Grouping,
  sources: readonly string[],
): readonly (number | null)[] {
  const owners = compileDomainTable(entities);
  return sources.map((source) => {
    const found = owners(groupBy === "url" ? source : `https://${source}/`);
    return found.length === 0 ? null : Math.min(...found.map(({ entity }) => entity));
  });
}

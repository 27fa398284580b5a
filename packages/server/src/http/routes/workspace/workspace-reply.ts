import type { WorkspaceResponse } from "@sightline/contract";
import { byCodeUnit, type Workspace } from "../../../control/workspace.ts";
import type { FactsCoverage } from "../../../facts/coverage.ts";

/** What follows from the workspace alone. */
type DeclaredPart = Pick<WorkspaceResponse, "brand" | "competitors" | "topics" | "prompts">;
/** What follows from the answers. */
type CoveredPart = Omit<WorkspaceResponse, keyof DeclaredPart>;

/** The part of the reply that follows from the workspace alone. */
export function declaredPart(workspace: Workspace): DeclaredPart {
  const [brand, ...competitors] = workspace.entities.map(({ id, name }) => ({ id, name }));
  if (brand === undefined) throw new Error(`account ${workspace.accountId} has no brand`);
  return {
    brand,
    competitors,
    topics: inOrderOf(workspace.topics, ({ name }) => name),
    prompts: inOrderOf(workspace.prompts, ({ text }) => text).map(
      ({ id, text, topicId, branded }) => ({ id, text, topicId, branded }),
    ),
  };
}

/**
 * The whole reply, as JSON: a declared part's JSON and what the facts and the record say.
 * @param lastRecordedAt milliseconds since 1970; null: nothing was recorded.
 */
export function withCoverage(
  declared: string,
  { providers, regions, answers, firstMs, lastMs }: FactsCoverage,
  lastRecordedAt: number | null,
): string {
  const covered: CoveredPart = {
    providers: [...providers],
    regions: [...regions],
    answers: { count: answers, first: dateTime(firstMs), last: dateTime(lastMs) },
    lastImport: dateTime(lastRecordedAt),
  };
  return `${declared.slice(0, -1)},${JSON.stringify(covered).slice(1)}`;
}

/** By lower-cased text, by code unit, then by id: the order that the series have. */
function inOrderOf<Item extends { readonly id: string }>(
  items: readonly Item[],
  textOf: (item: Item) => string,
): Item[] {
  return items
    .map((item) => ({ item, lowered: textOf(item).toLowerCase() }))
    .sort((a, b) => byCodeUnit(a.lowered, b.lowered) || byCodeUnit(a.item.id, b.item.id))
    .map(({ item }) => item);
}

function dateTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

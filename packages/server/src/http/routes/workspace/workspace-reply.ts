import type { WorkspaceResponse } from "@sightline/contract";
import { byCodeUnit, type Workspace } from "../../../control/workspace.ts";
import type { FactsCoverage } from "../../../facts/coverage.ts";

/** What the reply is made of. */
export interface WorkspaceParts {
  readonly workspace: Workspace;
  readonly coverage: FactsCoverage;
  /** Milliseconds since 1970; null: nothing was recorded. */
  readonly lastRecordedAt: number | null;
}

/** The reply of GET /v1/workspace. */
export function workspaceReply({
  workspace,
  coverage,
  lastRecordedAt,
}: WorkspaceParts): WorkspaceResponse {
  const [brand, ...competitors] = workspace.entities.map(({ id, name }) => ({ id, name }));
  if (brand === undefined) throw new Error(`account ${workspace.accountId} has no brand`);
  return {
    brand,
    competitors,
    topics: inOrderOf(workspace.topics, ({ name }) => name),
    prompts: inOrderOf(workspace.prompts, ({ text }) => text).map(
      ({ id, text, topicId, branded }) => ({ id, text, topicId, branded }),
    ),
    providers: [...coverage.providers],
    regions: [...coverage.regions],
    answers: {
      count: coverage.answers,
      first: dateTime(coverage.firstMs),
      last: dateTime(coverage.lastMs),
    },
    lastImport: dateTime(lastRecordedAt),
  };
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

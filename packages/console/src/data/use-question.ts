import type { Interval, WorkspaceResponse } from "@sightline/client";
import { intervalFor } from "@sightline/contract/periods";
import { useMemo } from "react";
import { filtersOf, type ViewFilters } from "./filters.ts";
import { comparedRange, type Range, rangeOf } from "./period.ts";
import { useWorkspace } from "./queries.ts";
import { useView } from "./use-view.ts";
import type { View } from "./view.ts";

/** What the view asks, in the service's terms. */
export interface ViewQuestion {
  readonly view: View;
  readonly workspace: WorkspaceResponse;
  readonly range: Range;
  /** Null: compared with nothing. */
  readonly compared: Range | null;
  /** Why the period cannot be compared as the view says; null: it can. */
  readonly notCompared: string | null;
  readonly filters: ViewFilters;
  /** The same filters over the compared range. */
  readonly comparedFilters: ViewFilters | null;
  readonly interval: Interval;
}

/** What the view asks; null until the workspace is known, whose newest answer ends the period. */
export function useViewQuestion(): ViewQuestion | null {
  const view = useView();
  const { data: workspace } = useWorkspace();
  return useMemo(() => {
    if (workspace === undefined) return null;
    const range = rangeOf(view.period, workspace.answers, Date.now());
    const found = comparedRange(view.compare, range);
    const isRefused = found !== null && "refused" in found;
    const compared = isRefused ? null : found;
    return {
      view,
      workspace,
      range,
      compared,
      notCompared: isRefused ? found.refused : null,
      filters: filtersOf(view, range, workspace),
      comparedFilters: compared === null ? null : filtersOf(view, compared, workspace),
      interval: view.interval ?? intervalFor(range),
    };
  }, [view, workspace]);
}

/**
 * What the pages' first numbers ask: all values over the period, against the other one. Overview
 * and Portrayal share the reply.
 */
export function summaryOf({
  filters,
  comparedFilters,
}: Pick<ViewQuestion, "filters" | "comparedFilters">) {
  return {
    groupBy: "none",
    portrayal: true,
    filters,
    ...(comparedFilters === null ? {} : { compare: { filters: comparedFilters } }),
  } as const;
}

import type { LinkKind, LinkPage, LinkView } from "@sightline/client";
import type { ViewFilters } from "../data/filters.ts";
import type { View } from "../data/view.ts";

/** The kinds of links that a page can be shared as; empty: it cannot be shared. */
export function kindsOf(page: View["page"]): readonly LinkKind[] {
  switch (page) {
    case "overview":
      return ["view", "csv", "image"];
    case "sources":
      return ["view", "csv"];
    case "portrayal":
    case "prompts":
      return ["view"];
    case "setup":
    case "accounts":
      return [];
  }
}

interface SharedQuestion {
  readonly view: View;
  readonly filters: ViewFilters;
}

/** What a link shows of the page that is shown: its period goes on where it has a name. */
export function linkViewOf({ view, filters }: SharedQuestion, kind: LinkKind): LinkView {
  const { period, compare, metric, interval } = view;
  const { timeRange: _, exclude, ...lists } = filters;
  const hasCourse = view.page === "overview" && kind !== "view";
  return {
    page: view.page as LinkPage,
    period: typeof period === "string" ? period : `${period.first}..${period.last}`,
    ...(kind === "view" ? { compare } : {}),
    ...(Object.keys(lists).length === 0 ? {} : { filters: lists as LinkView["filters"] }),
    ...(exclude === undefined ? {} : { exclude: exclude as LinkView["exclude"] }),
    ...(hasCourse ? { metric } : {}),
    ...(hasCourse && interval !== null ? { interval } : {}),
  };
}

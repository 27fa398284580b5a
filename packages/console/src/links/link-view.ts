import type { LinkKind, LinkPage, LinkRequest, LinkView, Report } from "@sightline/client";
import type { ViewFilters } from "../data/filters.ts";
import { dateText } from "../data/format.ts";
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
    case "reports":
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

/** What the dialog makes a link of. */
export interface Shared {
  readonly title: string;
  /** What those see who have the link. */
  readonly text: string;
  readonly name: string;
  /** What the name is for. */
  readonly nameHint: string;
  readonly kinds: readonly [LinkKind, ...LinkKind[]];
  readonly shownBy: (kind: LinkKind) => Pick<LinkRequest, "view" | "reportId">;
}

/** The view that is shown, with its brand's name; null: it cannot be shared. */
export function sharedView(question: SharedQuestion, brand: string): Shared | null {
  const [first, ...others] = kindsOf(question.view.page);
  if (first === undefined) return null;
  return {
    title: "Share this view",
    text:
      "Everybody who has the link sees this view with its filters, without a key. A period with " +
      "a name goes on with new answers.",
    name: brand,
    nameHint: "Its readers see it as the title.",
    kinds: [first, ...others],
    shownBy: (kind) => ({ view: linkViewOf(question, kind) }),
  };
}

/** A report that was made. */
export function sharedReport({ id, name, period }: Report): Shared {
  return {
    title: "Share this report",
    text:
      "Everybody who has the link sees the report as it was made, without a key. Once there is a " +
      "newer one of the same period, it says so.",
    name: `${name}, ${dateText(period.startDate)} – ${dateText(period.endDate)}`,
    nameHint: "For the list of links: readers see the report's own title.",
    kinds: ["report"],
    shownBy: () => ({ reportId: id }),
  };
}

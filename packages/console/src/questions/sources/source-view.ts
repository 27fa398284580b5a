import type { Grouping, LifeGrouping } from "@sightline/client";
import { changeOwn } from "../../data/use-view.ts";
import type { View } from "../../data/view.ts";
import type { Sorting } from "../../parts/table.tsx";

/** The tabs of the page. */
const sourceTabs = ["domains", "pages", "gaps", "life"] as const;
/** One of them. */
export type SourceTab = (typeof sourceTabs)[number];

/** Which gaps: answers with a competitor and without the brand, or the reverse. */
export type GapSide = "competitor" | "brand";

/** What lives of citations are grouped by. */
export const lifeGroupings = ["class", "provider", "domain", "page"] as const;

/** What the page keeps in its address. */
export interface SourceView {
  readonly tab: SourceTab;
  readonly search: string;
  /** A class of sources; null: all. */
  readonly class: string | null;
  /** What kind of site, and what a page is; null: all. */
  readonly kind: string | null;
  readonly form: string | null;
  readonly sorting: Sorting;
  /** As the address has it, from 1. */
  readonly page: string | undefined;
  /** The source whose row is open. */
  readonly open: string | null;
  /** The page of an open domain whose answers are open. */
  readonly openPage: string | null;
  readonly side: GapSide;
  readonly gapsBy: Grouping;
  readonly lifeBy: LifeGrouping;
  /** Gaps of few answers are shown too. */
  readonly withSmall: boolean;
}

/** What narrows a list. */
export type Narrowed = Pick<SourceView, "search" | "class" | "kind" | "form">;

/** The order in which the service lists sources. */
export const serviceOrder: Sorting = { key: "citations", descending: true };

/** What the page's part of an address says. */
export function sourceViewOf({ own }: View): SourceView {
  const [key = "", order] = (own["sort"] ?? "").split(".");
  return {
    tab: sourceTabs.find((each) => each === own["tab"]) ?? "domains",
    search: own["q"] ?? "",
    class: own["class"] ?? null,
    kind: own["kind"] ?? null,
    form: own["form"] ?? null,
    sorting: key === "" ? serviceOrder : { key, descending: order !== "asc" },
    page: own["p"],
    open: own["open"] ?? null,
    openPage: own["page"] ?? null,
    side: own["side"] === "brand" ? "brand" : "competitor",
    gapsBy: own["by"] === "url" ? "url" : "domain",
    lifeBy: lifeGroupings.find((each) => each === own["life"]) ?? "class",
    withSmall: own["small"] === "1",
  };
}

/** Another tab: its list begins at the top, the search stays. */
export function chooseTab(tab: SourceTab): void {
  changeOwn({ tab: tab === "domains" ? "" : tab, sort: "", ...top });
}

/** Narrows the list, which then begins at the top. */
export function narrow(change: Readonly<Record<string, string>>): void {
  changeOwn({ ...change, ...top }, { replace: "q" in change });
}

/** Sorts the list. */
export function sortBy({ key, descending }: Sorting): void {
  const isServices = key === serviceOrder.key && descending === serviceOrder.descending;
  changeOwn({ sort: isServices ? "" : `${key}.${descending ? "desc" : "asc"}`, ...top });
}

/** Opens a row; null shuts it. */
export function openSource(source: string | null): void {
  changeOwn({ open: source ?? "", page: "" }, { replace: true });
}

/** Opens a page of the open domain; null shuts it. */
export function openPageOf(url: string | null): void {
  changeOwn({ page: url ?? "" }, { replace: true });
}

const top = { p: "", open: "", page: "" } as const;

import { changeOwn } from "../../data/use-view.ts";
import type { View } from "../../data/view.ts";
import type { Sorting } from "../../parts/table.tsx";

/** What the page keeps in its address. */
export interface PromptView {
  readonly search: string;
  /** Whose values are shown; null: the brand's. */
  readonly entityId: string | null;
  /** Only prompts where the entity is visible, or only those where it never is; null: all. */
  readonly visible: boolean | null;
  readonly sorting: Sorting;
  /** As the address has it, from 1. */
  readonly page: string | undefined;
  /** The id of the prompt whose row is open. */
  readonly open: string | null;
}

const usualOrder: Sorting = { key: "mentions", descending: true };

/** What the page's part of an address says. */
export function promptViewOf({ own }: View): PromptView {
  const [key = "", order] = (own["sort"] ?? "").split(".");
  return {
    search: own["q"] ?? "",
    entityId: own["of"] ?? null,
    visible: own["visible"] === "yes" ? true : own["visible"] === "no" ? false : null,
    sorting: key === "" ? usualOrder : { key, descending: order !== "asc" },
    page: own["p"],
    open: own["open"] ?? null,
  };
}

/** Narrows the list, which then begins at the top. */
export function narrow(change: Readonly<Record<string, string>>): void {
  changeOwn({ ...change, p: "", open: "" }, { replace: "q" in change });
}

/** Sorts the list. */
export function sortBy({ key, descending }: Sorting): void {
  const isUsual = key === usualOrder.key && descending === usualOrder.descending;
  changeOwn({ sort: isUsual ? "" : `${key}.${descending ? "desc" : "asc"}`, p: "", open: "" });
}

/** Opens a row; null shuts it. */
export function openPrompt(id: string | null): void {
  changeOwn({ open: id ?? "" }, { replace: true });
}

/** Another page of the list. */
export function turnTo(page: number): void {
  changeOwn({ p: page === 0 ? "" : String(page + 1), open: "" });
}

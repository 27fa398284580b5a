import { useMemo, useSyncExternalStore } from "react";
import { type AddressOptions, currentSearch, putSearch, subscribeToAddress } from "./address.ts";
import { type Excluded, plainView, searchOf, type View, viewOf } from "./view.ts";

/** The view that the address says. The page is drawn again when the address changes. */
export function useView(): View {
  const search = useSyncExternalStore(subscribeToAddress, currentSearch);
  return useMemo(() => viewOf(search), [search]);
}

/** Changes parts of the view, and so the address; back returns to the view before. */
export function changeView(change: Partial<View>, options?: AddressOptions): void {
  putSearch(searchOf({ ...viewOf(currentSearch()), ...change }), options);
}

/** Changes what a page keeps for itself; an empty text takes it away. */
export function changeOwn(change: Readonly<Record<string, string>>, options?: AddressOptions) {
  changeView({ own: { ...viewOf(currentSearch()).own, ...change } }, options);
}

/** The address of the view with changes, for a link. */
export function addressOf(change: Partial<View>): string {
  return `/${searchOf({ ...viewOf(currentSearch()), ...change })}`;
}

const nothingOpen = { evidence: null, answer: null, why: null, plan: null } as const;

/** The address of what is shown, for any account, and without what lies over the page. */
export function savedText(): string {
  const search = searchOf({ ...viewOf(currentSearch()), ...nothingOpen, account: null });
  return search === "" ? "?" : search;
}

/** Shows a saved view, of the account that is shown. */
export function openSaved(view: string): void {
  const { account } = viewOf(currentSearch());
  putSearch(searchOf({ ...viewOf(view), ...nothingOpen, account }));
}

/** Takes all filters away; account, page, period and metric stay. */
export function clearFilters(): void {
  const { providers, topics, prompts, regions, branded, excluded } = plainView;
  const { models, surfaces, tags } = plainView;
  const ofPrompts = { topics, prompts, tags, branded };
  changeView({ ...ofPrompts, providers, regions, models, surfaces, excluded });
}

/** Filters by some items of a list, in the place of what the filter was set to before. */
export function chooseItems(
  name: keyof Excluded,
  items: readonly string[],
  { isExcluded } = { isExcluded: false },
): void {
  const { excluded } = viewOf(currentSearch());
  const left = { ...excluded, [name]: isExcluded ? items : [] };
  changeView({ [name]: isExcluded ? [] : items, excluded: left });
}

/** Whether a view has a filter that can be taken away. */
export function isFiltered(view: View): boolean {
  const { providers, topics, prompts, tags, regions, models, surfaces, branded, excluded } = view;
  const passing = [providers, topics, prompts, tags, regions, models, surfaces];
  const lists = [...passing, ...Object.values(excluded)];
  return branded !== null || lists.some((each) => each.length > 0);
}

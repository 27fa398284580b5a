import { useMemo, useSyncExternalStore } from "react";
import { type AddressOptions, currentSearch, putSearch, subscribeToAddress } from "./address.ts";
import { plainView, searchOf, type View, viewOf } from "./view.ts";

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

/** Takes all filters away; account, page, period and metric stay. */
export function clearFilters(): void {
  const { providers, topics, prompts, regions, branded } = plainView;
  changeView({ providers, topics, prompts, regions, branded });
}

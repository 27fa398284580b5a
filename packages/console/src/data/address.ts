/** What changes the address without leaving the page. */
const changed = new EventTarget();

/** The search part of the page's address, as it stands. */
export function currentSearch(): string {
  return location.search;
}

/**
 * Calls back whenever the address changes: by us, or by back and forward.
 * @returns what ends it.
 */
export function subscribeToAddress(listener: () => void): () => void {
  changed.addEventListener("change", listener);
  addEventListener("popstate", listener);
  return () => {
    changed.removeEventListener("change", listener);
    removeEventListener("popstate", listener);
  };
}

/** How an address is put: a new entry of the history, or the current one replaced. */
export interface AddressOptions {
  readonly replace?: boolean;
}

/** Puts the search part of the address. The same address twice makes one entry of the history. */
export function putSearch(search: string, { replace = false }: AddressOptions = {}): void {
  if (search === location.search) return;
  const url = `${location.pathname}${search}`;
  if (replace) history.replaceState(null, "", url);
  else history.pushState(null, "", url);
  changed.dispatchEvent(new Event("change"));
}

/**
 * The code of a link that creates the first account (`#first-run=…`); null: there is none. It stays
 * in the address until it is used, so that a reload loses nothing.
 */
export function firstRunCode(): string | null {
  return /^#first-run=([\w.-]+)$/.exec(location.hash)?.[1] ?? null;
}

/** Takes what follows `#` out of the address. */
export function dropFragment(): void {
  history.replaceState(null, "", `${location.pathname}${location.search}`);
}

/** Takes the code of a one-time link (`#sign-in=…`) out of the address; null: there is none. */
export function takeSignInCode(): string | null {
  const [, code] = /^#sign-in=(.+)$/.exec(location.hash) ?? [];
  if (code === undefined) return null;
  dropFragment();
  try {
    return decodeURIComponent(code);
  } catch {
    return code; // a link that was cut: the service refuses it
  }
}

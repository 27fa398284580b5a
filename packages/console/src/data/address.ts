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

/** What an address may have after `#`; the link of a service without accounts is another. */
export interface OpenedLink {
  /**
   * A link with the session of a key; an invitation; a link of a person, which works once; why a
   * provider signed nobody in.
   */
  readonly kind: "sign-in" | "invitation" | "person" | "refused";
  /** A code, or the name of the reason. */
  readonly code: string;
  /** The reason in words, where the page itself found it: no address has any. */
  readonly fault?: string;
}

/** Takes what follows `#` out of the address, where it is the link's; null: there is none. */
export function takeLink(): OpenedLink | null {
  const [, kind, code] = /^#(sign-in|invitation|person|refused)=(.+)$/.exec(location.hash) ?? [];
  if (kind === undefined || code === undefined) return null;
  dropFragment();
  return { kind: kind as OpenedLink["kind"], code: decoded(code) };
}

function decoded(code: string): string {
  try {
    return decodeURIComponent(code);
  } catch {
    return code; // a link that was cut: the service refuses it
  }
}

const returnPlace = "sightline.return";

/** Keeps the page with the tab, before the browser is led to a provider. */
export function keepPage(): void {
  try {
    sessionStorage.setItem(returnPlace, location.search);
  } catch {
    // a browser that keeps nothing: it returns to the first page
  }
}

/** Returns to the page that was kept, after the provider has led the browser back. */
export function returnToPage(): void {
  try {
    const search = sessionStorage.getItem(returnPlace);
    sessionStorage.removeItem(returnPlace);
    if (search === null || location.search !== "") return;
    history.replaceState(null, "", `${location.pathname}${search}${location.hash}`);
  } catch {
    // a browser that keeps nothing
  }
}

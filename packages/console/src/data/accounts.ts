const place = "sightline.accounts";
/** Where a tab keeps the edits of an account that are not saved, before its id. */
export const draftPlace = "sightline.draft.";

/** An account that was signed in in this browser. Nothing of it is secret. */
export interface KnownAccount {
  readonly id: string;
  readonly name: string | null;
}

/** The accounts known here, the one used last first. */
export function knownAccounts(): readonly KnownAccount[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(place) ?? "[]");
    if (!Array.isArray(stored)) return [];
    return stored.filter((each): each is KnownAccount => typeof each?.id === "string");
  } catch {
    return []; // another program's text, or a browser that keeps nothing
  }
}

/** The accounts of the person who is signed in, by name, then the others known here. */
export function allAccounts<Of extends KnownAccount>(
  ofPerson: readonly Of[],
): readonly (Of | KnownAccount)[] {
  const ids = new Set(ofPerson.map(({ id }) => id));
  return [...ofPerson, ...knownAccounts().filter(({ id }) => !ids.has(id))];
}

/** Puts an account first. */
export function rememberAccount({ id, name }: KnownAccount): void {
  store([{ id, name }, ...knownAccounts().filter((each) => each.id !== id)]);
}

/** Takes an account from the list, and drops what a tab keeps of it. */
export function forgetAccount(id: string): void {
  try {
    sessionStorage.removeItem(`${draftPlace}${id}`);
  } catch {
    // a browser that keeps nothing
  }
  store(knownAccounts().filter((each) => each.id !== id));
}

function store(accounts: readonly KnownAccount[]): void {
  try {
    localStorage.setItem(place, JSON.stringify(accounts));
  } catch {
    // Without storage the address alone says the account.
  }
}

/** Accounts whose engines are open, so that the least recently used ones can be closed. */
export class OpenEngines {
  readonly #max: number;
  /** The last used at the end. */
  readonly #accounts = new Set<string>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Notes a use. @returns the account whose engine should be closed now; null: none. */
  use(accountId: string): string | null {
    this.#accounts.delete(accountId);
    this.#accounts.add(accountId);
    const [idlest] = this.#accounts;
    if (idlest === undefined || this.#accounts.size <= this.#max) return null;
    this.#accounts.delete(idlest);
    return idlest;
  }
}

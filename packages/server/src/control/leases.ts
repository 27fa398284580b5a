/** The right to project an account, of one node until it releases the account or stops to renew. */
export interface Leases {
  /** The fencing number of the lease that this node now holds; null: another node has it. */
  readonly take: (accountId: string) => Promise<number | null>;
  /**
   * The number of a lease that is held. It rises with each taking, so a write with an older number
   * is of a node that lost the lease. @throws LeaseLostError when the lease is not held any more.
   */
  readonly fence: (accountId: string) => number;
  /** Does nothing when it is not held. */
  readonly release: (accountId: string) => Promise<void>;
  /** Releases all. */
  readonly close: () => Promise<void>;
}

/** The lease of an account was not renewed in time, so another node may have it. */
export class LeaseLostError extends Error {
  constructor(accountId: string) {
    super(`The lease of account ${accountId} is not held: another node may project it.`);
    this.name = "LeaseLostError";
  }
}

/** The leases of the only node: it has every account. */
export const onlyNode: Leases = {
  take: async () => 0,
  fence: () => 0,
  release: async () => undefined,
  close: async () => undefined,
};

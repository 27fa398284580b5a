/**
 * Leases on projecting accounts: one node holds an account until it releases the lease or stops
 * renewing it.
 */
export interface Leases {
  /** Acquires or keeps the lease. @returns its fencing number; null: another node holds it. */
  readonly take: (accountId: string) => Promise<number | null>;
  /**
   * The fencing number of a held lease. It rises with each acquisition: a write with an older
   * number comes from a node that lost the lease. @throws LeaseLostError when the lease is not
   * held.
   */
  readonly fence: (accountId: string) => number;
  /** Releases the lease; does nothing when it is not held. */
  readonly release: (accountId: string) => Promise<void>;
  /** Releases all leases. */
  readonly close: () => Promise<void>;
}

/** The lease of an account was not renewed in time: another node may hold it. */
export class LeaseLostError extends Error {
  constructor(accountId: string) {
    super(`The lease of account ${accountId} is not held: another node may project it.`);
    this.name = "LeaseLostError";
  }
}

/** The leases of a single node, which holds every account. */
export const onlyNode: Leases = {
  take: async () => 0,
  fence: () => 0,
  release: async () => undefined,
  close: async () => undefined,
};

/** How an account was when it was last brought up to date. */
export interface CurrentAccount {
  readonly revision: number;
  readonly generation: string | null;
  readonly recorded: number;
  /** As `clock.elapsed` counts. */
  readonly atMs: number;
}

/** Whether nothing is to be noted of an account. */
export function isSame(a: Omit<CurrentAccount, "atMs">, b: Omit<CurrentAccount, "atMs">): boolean {
  return a.revision === b.revision && a.generation === b.generation && a.recorded === b.recorded;
}

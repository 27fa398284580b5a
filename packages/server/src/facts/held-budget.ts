/** What is held and can be let go of. */
export interface Forgettable {
  readonly forget: () => void;
}

/** Shares memory among accounts: whoever was asked longest ago is let go of first. */
export class HeldBudget {
  readonly #rowsMax: number;
  readonly #rows = new Map<Forgettable, number>();

  constructor(rowsMax: number) {
    this.#rowsMax = rowsMax;
  }

  /** Notes that `held` was asked just now and holds so many rows; others may be let go of. */
  use(held: Forgettable, rows: number): void {
    this.#rows.delete(held);
    this.#rows.set(held, rows);
    let sum = 0;
    for (const each of this.#rows.values()) sum += each;
    for (const [other, own] of this.#rows) {
      if (sum <= this.#rowsMax || other === held) break;
      this.drop(other);
      other.forget();
      sum -= own;
    }
  }

  /** Notes that nothing is held any more. */
  drop(held: Forgettable): void {
    this.#rows.delete(held);
  }
}

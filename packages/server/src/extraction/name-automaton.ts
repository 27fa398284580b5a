/** A name that the automaton knows, or a phrase that is not a mention. */
export interface KnownName {
  /** The entity's index; null: a phrase. */
  readonly entity: number | null;
  /** As the rule has it. */
  readonly text: string;
  /**
   * The name's units with the bits of case, when it is case-sensitive; null when any case matches.
   */
  readonly cased: Int32Array | null;
}

/**
 * Units below this have their transition out of the root in a table; nearly all units of most
 * texts.
 */
const directUnits = 256;

/**
 * An Aho–Corasick automaton over UTF-16 code units. It reads a text in linear time, regardless of
 * the names. State 0 is the root; transitions are in one open-addressed hash table, so that memory
 * is linear in the names in any alphabet.
 */
export class NameAutomaton {
  readonly #mask: number;
  readonly #fromStates: Int32Array;
  readonly #units: Uint16Array;
  readonly #toStates: Int32Array;
  readonly #fromRoot = new Int32Array(directUnits);
  // By state: its failure, depth, names, and the state of its longest proper suffix in which a name
  // ends.
  readonly #failures: Int32Array;
  readonly #depths: Int32Array;
  readonly #names: (KnownName[] | undefined)[];
  readonly #shorter: Int32Array;
  #states = 1;

  /** `unitsMax` bounds the sum of the lengths of the names that will be added. */
  constructor(unitsMax: number) {
    const capacity = 2 ** Math.ceil(Math.log2(2 * unitsMax + 2));
    this.#mask = capacity - 1;
    this.#fromStates = new Int32Array(capacity);
    this.#units = new Uint16Array(capacity);
    this.#toStates = new Int32Array(capacity);
    this.#failures = new Int32Array(unitsMax + 1);
    this.#depths = new Int32Array(unitsMax + 1);
    this.#names = new Array(unitsMax + 1).fill(undefined);
    this.#shorter = new Int32Array(unitsMax + 1);
  }

  add(folded: Uint16Array, name: KnownName): void {
    let state = 0;
    for (const unit of folded) state = this.#child(state, unit) || this.#grow(state, unit);
    const names = this.#names[state] ?? [];
    names.push(name);
    this.#names[state] = names;
  }

  /** Links the states. Call it once, after the last `add` and before the first `step`. */
  link(): void {
    for (const slot of this.#slotsByDepth()) {
      const state = this.#toStates[slot] ?? 0;
      const parent = this.#fromStates[slot] ?? 0;
      const failure =
        parent === 0 ? 0 : this.step(this.#failures[parent] ?? 0, this.#units[slot] ?? 0);
      this.#failures[state] = failure;
      this.#shorter[state] =
        this.#names[failure] === undefined ? (this.#shorter[failure] ?? 0) : failure;
    }
  }

  /** The state after one more code unit. */
  step(from: number, unit: number): number {
    let state = from;
    while (state !== 0) {
      const next = this.#child(state, unit);
      if (next !== 0) return next;
      state = this.#failures[state] ?? 0;
    }
    return unit < directUnits ? (this.#fromRoot[unit] ?? 0) : this.#child(0, unit);
  }

  /** Whether a name ends in this state or in a suffix of it. */
  endsName(state: number): boolean {
    return this.#names[state] !== undefined || this.#shorter[state] !== 0;
  }

  /** The names that end in this state itself, in the order in which they were added. */
  names(state: number): readonly KnownName[] {
    return this.#names[state] ?? [];
  }

  /** The state of the longest shorter name that ends where this one does; 0 for none. */
  shorter(state: number): number {
    return this.#shorter[state] ?? 0;
  }

  /** The number of code units that lead to this state. */
  depth(state: number): number {
    return this.#depths[state] ?? 0;
  }

  #child(state: number, unit: number): number {
    return this.#toStates[this.#slot(state, unit)] ?? 0;
  }

  #grow(state: number, unit: number): number {
    const slot = this.#slot(state, unit);
    const next = this.#states;
    this.#states += 1;
    this.#fromStates[slot] = state;
    this.#units[slot] = unit;
    this.#toStates[slot] = next;
    this.#depths[next] = (this.#depths[state] ?? 0) + 1;
    if (state === 0 && unit < directUnits) this.#fromRoot[unit] = next;
    return next;
  }

  /** The slot that holds the transition, or the free one where it would go. */
  #slot(state: number, unit: number): number {
    const hash = Math.imul(Math.imul(state, 0x9e3779b1) + unit, 0x85ebca6b);
    let slot = (hash ^ (hash >>> 15)) & this.#mask;
    while (
      this.#toStates[slot] !== 0 &&
      (this.#fromStates[slot] !== state || this.#units[slot] !== unit)
    ) {
      slot = (slot + 1) & this.#mask;
    }
    return slot;
  }

  /** The used slots, shallow states first: a state's failure is shallower than the state. */
  #slotsByDepth(): number[] {
    const slots: number[] = [];
    for (let slot = 0; slot <= this.#mask; slot += 1) {
      if (this.#toStates[slot] !== 0) slots.push(slot);
    }
    const depth = (slot: number): number => this.#depths[this.#toStates[slot] ?? 0] ?? 0;
    return slots.sort((left, right) => depth(left) - depth(right));
  }
}

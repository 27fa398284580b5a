/** Accounts whose compiled rules stay in the thread. */
const keysMax = 16;

/**
 * Values by key, of which the most recently used stay. Two of them that are used in the same order
 * have the same keys: so a thread is known to have what it was sent.
 */
export class RecentKeys<Value> {
  readonly #values = new Map<string, Value>();

  /** The value of a key, which is used now. */
  get(key: string): Value | undefined {
    const value = this.#values.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: string, value: Value): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    const [oldest] = this.#values.keys();
    if (this.#values.size > keysMax && oldest !== undefined) this.#values.delete(oldest);
  }

  clear(): void {
    this.#values.clear();
  }
}

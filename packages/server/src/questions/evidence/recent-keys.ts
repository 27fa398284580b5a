import type { SnapshotEntity } from "../../facts/snapshot.ts";

/** Accounts whose compiled rules stay in the thread. */
const keysMax = 16;
/**
 * The most characters of names whose compiled rules stay: about 100 MB. The last one stays, however
 * large.
 */
export const keptCharactersMax = 2_000_000;

/** A name has at least so many: it is an object, too. */
const nameCharactersMin = 16;

/** How much the compiled rules of entities take, in characters of names and domains. */
export function charactersOf(entities: readonly SnapshotEntity[]): number {
  let characters = 0;
  for (const { names, domains, except = [] } of entities) {
    for (const text of except) characters += Math.max(text.length, nameCharactersMin);
    for (const { text } of names) characters += Math.max(text.length, nameCharactersMin);
    for (const domain of domains) characters += Math.max(domain.length, nameCharactersMin);
  }
  return characters;
}

interface Kept<Value> {
  readonly value: Value;
  readonly characters: number;
}

/** Values by key, of which the most recently used stay. */
export class RecentKeys<Value> {
  readonly #kept = new Map<string, Kept<Value>>();
  #characters = 0;

  /** The value of a key, which is used now. */
  get(key: string): Value | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept.value;
  }

  /** Keeps what is made of so many characters. */
  set(key: string, value: Value, characters: number): void {
    this.#evict(key);
    this.#kept.set(key, { value, characters });
    this.#characters += characters;
    for (const oldest of this.#kept.keys()) {
      const isWithin = this.#kept.size <= keysMax && this.#characters <= keptCharactersMax;
      if (isWithin || oldest === key) return;
      this.#evict(oldest);
    }
  }

  #evict(key: string): void {
    this.#characters -= this.#kept.get(key)?.characters ?? 0;
    this.#kept.delete(key);
  }
}

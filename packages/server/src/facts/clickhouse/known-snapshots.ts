import type { Pool } from "pg";
import { type FactsState, GenerationGoneError } from "../facts-engine.ts";
import type { Snapshot } from "../snapshot.ts";
import { type GenerationState, readSkippedPrompts, readSnapshot } from "./generation-rows.ts";

interface Known {
  readonly generation: number;
  readonly snapshotNumber: number;
  readonly snapshot: Snapshot;
  readonly skippedCount: number;
  readonly skippedPrompts: ReadonlySet<string>;
}

/**
 * Snapshots that were read: a question reads its account's state each time, and a snapshot may have
 * megabytes. Snapshots and lists of skipped prompts have numbers by which they are read once.
 */
export class KnownSnapshots {
  readonly #pool: Pool;
  readonly #most: number;
  readonly #accounts = new Map<string, Promise<Known>>();

  constructor(pool: Pool, most: number) {
    this.#pool = pool;
    this.#most = most;
  }

  /** A generation's state for those who plan by it. @throws GenerationGoneError. */
  async factsState(state: GenerationState): Promise<FactsState> {
    const { snapshot, skippedPrompts } = await this.#known(state);
    const { generation, mark } = state;
    return { generation: String(generation), snapshot, mark, skippedPrompts };
  }

  async #known(state: GenerationState): Promise<Known> {
    const key = `${state.accountId}/${state.generation}`;
    const found = this.#accounts.get(key);
    const known = await found?.catch(() => undefined);
    if (known !== undefined && isUpToDate(known, state)) {
      this.#keep(key, Promise.resolve(known));
      return known;
    }
    // One reading for all who ask at the same time.
    const latest = this.#accounts.get(key);
    if (latest !== undefined && latest !== found) return this.#known(state);
    const reading = this.#read(state, known);
    this.#keep(key, reading);
    return reading;
  }

  async #read(state: GenerationState, known: Known | undefined): Promise<Known> {
    const { generation, skippedCount, snapshotNumber } = state;
    const isSame = known?.snapshotNumber === snapshotNumber;
    const read = isSame
      ? { snapshot: known.snapshot, number: snapshotNumber }
      : await readSnapshot(this.#pool, generation);
    if (read === null) throw new GenerationGoneError(String(generation));
    const skippedPrompts =
      skippedCount === 0 ? new Set<string>() : await readSkippedPrompts(this.#pool, generation);
    return {
      ...{ generation, skippedPrompts, skippedCount: skippedPrompts.size },
      ...{ snapshot: read.snapshot, snapshotNumber: read.number },
    };
  }

  #keep(key: string, known: Promise<Known>): void {
    this.#accounts.delete(key);
    this.#accounts.set(key, known);
    const [oldest] = this.#accounts.keys();
    if (this.#accounts.size > this.#most && oldest !== undefined) this.#accounts.delete(oldest);
  }
}

function isUpToDate(known: Known, { snapshotNumber, skippedCount }: GenerationState): boolean {
  return known.snapshotNumber >= snapshotNumber && known.skippedCount >= skippedCount;
}

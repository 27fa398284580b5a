import type { Clock } from "../../platform/clock.ts";
import { retryWhileLocked } from "../../platform/retry-while-locked.ts";
import type { UsageCount, UsageStore } from "./usage-store.ts";

/** The state of a day's quota. */
export interface QuotaState {
  /** The UTC day: days since 1970-01-01. */
  readonly day: number;
  readonly remaining: number;
  /** Seconds until the next UTC day. */
  readonly resetSeconds: number;
}

interface Count extends UsageCount {
  /** Calls of this process, and of others as of the last save. */
  calls: number;
  /** Calls of this process that are not saved yet. */
  unsaved: number;
}

const dayMs = 86_400_000;
/** Above this number, saved counts are evicted. */
const countsMax = 100_000;

/**
 * Counts each key's calls per UTC day in memory, and saves them often. A clock that steps over
 * midnight and back finds the count of the day it returns to.
 */
export class DailyQuota {
  readonly #clock: Clock;
  readonly #store: UsageStore;
  readonly #counts = new Map<string, Count>();
  readonly #loading = new Map<string, Promise<void>>();
  readonly #unsaved = new Set<Count>();
  /** Saves run one after another: each returns the calls of those before it, and no others. */
  #saving: Promise<void> = Promise.resolve();

  constructor(clock: Clock, store: UsageStore) {
    this.#clock = clock;
    this.#store = store;
  }

  /**
   * The key's count of today; null when it must be loaded first. Use it before the next await, so
   * that concurrent calls cannot exceed the quota.
   */
  today(keyId: string): TodayCount | null {
    const nowMs = this.#clock.now();
    const day = Math.floor(nowMs / dayMs);
    const count = this.#counts.get(placeOf(keyId, day));
    if (count === undefined) return null;
    const resetSeconds = Math.ceil(((day + 1) * dayMs - nowMs) / 1000);
    return {
      left: (quota) => ({ day, remaining: Math.max(0, quota - count.calls), resetSeconds }),
      add: () => {
        count.calls++;
        count.unsaved++;
        this.#unsaved.add(count);
      },
    };
  }

  /** Saves the calls since the last save. After a failure they are saved the next time. */
  save(): Promise<void> {
    const saving = this.#saving.then(() => this.#saveNow());
    this.#saving = saving.catch(() => undefined);
    return saving;
  }

  async #saveNow(): Promise<void> {
    if (this.#unsaved.size === 0) return;
    const added = [...this.#unsaved].map((count) => ({ count, calls: count.unsaved }));
    this.#unsaved.clear();
    for (const { count, calls } of added) count.unsaved -= calls;
    try {
      const counts = added.map(({ count: { keyId, day }, calls }) => ({ keyId, day, calls }));
      const saved = await retryWhileLocked(() => this.#store.addUsage(counts));
      for (const { keyId, day, calls } of saved) this.#correct(placeOf(keyId, day), calls);
    } catch (error) {
      for (const { count, calls } of added) {
        count.unsaved += calls;
        this.#unsaved.add(count);
      }
      throw error;
    }
    if (this.#counts.size > countsMax && this.#unsaved.size === 0) this.#counts.clear();
  }

  /** The stored count has the calls of other nodes, but not ours since the save. */
  #correct(place: string, stored: number): void {
    const count = this.#counts.get(place);
    if (count !== undefined) count.calls = stored + count.unsaved;
  }

  /** Loads the key's count of today, so that `today` has it unless the day has ended. */
  async load(keyId: string): Promise<void> {
    const day = Math.floor(this.#clock.now() / dayMs);
    const place = placeOf(keyId, day);
    const loading = this.#loading.get(place) ?? this.#read(keyId, day);
    this.#loading.set(place, loading);
    try {
      await loading;
    } finally {
      this.#loading.delete(place);
    }
  }

  /** Keeps a count that exists already: it is newer. */
  async #read(keyId: string, day: number): Promise<void> {
    const calls = await this.#store.usage(keyId, day);
    const place = placeOf(keyId, day);
    if (!this.#counts.has(place)) this.#counts.set(place, { keyId, day, calls, unsaved: 0 });
  }
}

function placeOf(keyId: string, day: number): string {
  return `${keyId}/${day}`;
}

/** A key's count of today; use it before the next await. */
export interface TodayCount {
  readonly left: (quota: number) => QuotaState;
  readonly add: () => void;
}

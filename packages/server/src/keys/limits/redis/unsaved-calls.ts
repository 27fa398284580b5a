import type { Clock } from "../../../platform/clock.ts";
import type { CallToCount, CountedCall } from "../call-counts.ts";
import type { UsageStore } from "../usage-store.ts";
import type { CallsOfDay, RedisCounts } from "./redis-counts.ts";

/** A call that was counted or refused. */
export interface EndedCall {
  readonly accountId: string;
  readonly call: CallToCount;
  readonly counted: CountedCall;
}

/** The targets of the calls. */
export interface UnsavedCallsParts {
  readonly store: UsageStore;
  readonly counts: Pick<RedisCounts, "addCalls">;
  readonly clock: Clock;
}

/**
 * Calls of this node that are not saved yet: all of them for control, and for Redis those counted
 * during its outage.
 */
export class UnsavedCalls {
  readonly #store: UsageStore;
  readonly #redis: Pick<RedisCounts, "addCalls">;
  #toControl = new Map<string, CallsOfDay>();
  #toRedis = new Map<string, CallsOfDay>();
  /** Redis's time at its last answer, in microseconds since 1970. */
  #lastAtUs: number;
  #saving: Promise<void> = Promise.resolve();
  readonly #loading = new Map<string, Promise<number>>();

  constructor({ store, counts, clock }: UnsavedCallsParts) {
    this.#store = store;
    this.#redis = counts;
    this.#lastAtUs = clock.now() * 1000; // until Redis answers with its own
  }

  /** Adds a call. @param atUs Redis's time in microseconds; null: counted without Redis. */
  add({ accountId, call: { keyId }, counted: { refusedBy, day } }: EndedCall, atUs: number | null) {
    // Calls counted without Redis are added as of the time before them: it stays until all are.
    if (atUs !== null && this.#toRedis.size === 0) this.#lastAtUs = atUs;
    if (refusedBy !== null || day === null) return;
    const one = { accountId, keyId, day: day.day, calls: 1 };
    addTo(this.#toControl, one);
    if (atUs === null) addTo(this.#toRedis, one);
  }

  /** The calls of a key on a day from control, after saving this node's calls. */
  async load(keyId: string, day: number): Promise<number> {
    const place = `${keyId}/${day}`;
    const loading = this.#loading.get(place) ?? this.#read(keyId, day);
    this.#loading.set(place, loading);
    try {
      return await loading;
    } finally {
      this.#loading.delete(place);
    }
  }

  /**
   * Adds the calls since the last save to control. After a failure they are saved the next time.
   */
  save(): Promise<void> {
    const saved = this.#saving.then(() => this.#saveNow());
    this.#saving = saved.catch(() => undefined);
    return saved;
  }

  /** Adds the calls that were counted without Redis to Redis. */
  async addToRedis(): Promise<void> {
    const unsaved = this.#toRedis;
    // Calls that Redis counts meanwhile must not move the time before these.
    const lastAtUs = this.#lastAtUs;
    this.#toRedis = new Map();
    for (const [place, calls] of unsaved) {
      try {
        await this.#redis.addCalls(calls, lastAtUs);
        unsaved.delete(place);
      } catch (error) {
        for (const each of unsaved.values()) addTo(this.#toRedis, each);
        this.#lastAtUs = lastAtUs;
        throw error;
      }
    }
  }

  async #read(keyId: string, day: number): Promise<number> {
    await this.save();
    return this.#store.usage(keyId, day);
  }

  async #saveNow(): Promise<void> {
    if (this.#toControl.size === 0) return;
    const calls = this.#toControl;
    this.#toControl = new Map();
    try {
      await this.#store.addUsage([...calls.values()]);
    } catch (error) {
      for (const each of calls.values()) addTo(this.#toControl, each);
      throw error;
    }
  }
}

function addTo(calls: Map<string, CallsOfDay>, added: CallsOfDay): void {
  const place = `${added.keyId}/${added.day}`;
  const before = calls.get(place)?.calls ?? 0;
  calls.set(place, { ...added, calls: before + added.calls });
}

import type { Clock } from "../../../platform/clock.ts";
import type { CallToCount, CountedCall } from "../call-counts.ts";
import type { UsageStore } from "../usage-store.ts";
import type { CallsOfDay, RedisCounts } from "./redis-counts.ts";

/** A call after it was counted or refused. */
export interface EndedCall {
  readonly accountId: string;
  readonly call: CallToCount;
  readonly counted: CountedCall;
}

/** What the calls are told to. */
export interface UnsavedCallsParts {
  readonly store: UsageStore;
  readonly counts: Pick<RedisCounts, "addCalls">;
  readonly clock: Clock;
}

/**
 * The calls that this node counted and has not told yet: to control all of them, to Redis those
 * that were counted while it was away.
 */
export class UnsavedCalls {
  readonly #store: UsageStore;
  readonly #redis: Pick<RedisCounts, "addCalls">;
  #toControl = new Map<string, CallsOfDay>();
  #toRedis = new Map<string, CallsOfDay>();
  /** Redis's time when it last answered, in microseconds since 1970. */
  #lastAtUs: number;
  #saving: Promise<void> = Promise.resolve();
  readonly #loading = new Map<string, Promise<number>>();

  constructor({ store, counts, clock }: UnsavedCallsParts) {
    this.#store = store;
    this.#redis = counts;
    this.#lastAtUs = clock.now() * 1000; // until Redis tells its own
  }

  /** @param atUs Redis's time; null when the call was counted without it. */
  add({ accountId, call: { keyId }, counted: { refusedBy, day } }: EndedCall, atUs: number | null) {
    // Calls counted alone are told by the time before them: until all are, that time stays.
    if (atUs !== null && this.#toRedis.size === 0) this.#lastAtUs = atUs;
    if (refusedBy !== null || day === null) return;
    const one = { accountId, keyId, day: day.day, calls: 1 };
    addTo(this.#toControl, one);
    if (atUs === null) addTo(this.#toRedis, one);
  }

  /** The calls of a key on a day by control, those of this node included. */
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

  /** Adds to control what was counted since the last time. On failure it is kept for the next. */
  save(): Promise<void> {
    const saved = this.#saving.then(() => this.#saveNow());
    this.#saving = saved.catch(() => undefined);
    return saved;
  }

  /** Adds to Redis what was counted without it. */
  async tellRedis(): Promise<void> {
    const told = this.#toRedis;
    // What Redis counts meanwhile must not pass for the time before these.
    const lastAtUs = this.#lastAtUs;
    this.#toRedis = new Map();
    for (const [place, calls] of told) {
      try {
        await this.#redis.addCalls(calls, lastAtUs);
        told.delete(place);
      } catch (error) {
        for (const each of told.values()) addTo(this.#toRedis, each);
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

import {
  burstFactor,
  type CallToCount,
  type CountedCall,
  failedExchangeRate,
} from "../call-counts.ts";
import type { QuotaState } from "../daily-quota.ts";
import type { Rate, Verdict } from "../rate-limiter.ts";
import type { RedisLink } from "./redis-link.ts";
import { redisScripts, type Scripts } from "./scripts.ts";

/** A rate in the scripts' integers: a call costs `perUs`, and each microsecond restores `calls`. */
interface IntegerRate {
  readonly calls: number;
  readonly perUs: number;
  readonly burst: number;
}

/** Converts a rate whose period is a whole number of milliseconds. */
function toIntegerRate({ calls, perMs, burst }: Rate): IntegerRate {
  return { calls, perUs: perMs * 1000, burst };
}

/** The arguments of a script that takes from a rate. */
function rateArguments({ calls, perUs, burst }: IntegerRate): readonly number[] {
  return [calls, perUs, burst];
}

/** The verdict, as RateLimiter gives it, for the use after a call was taken or refused. */
function verdictOf({ calls, perUs, burst }: IntegerRate, taken: RateUse): Verdict {
  const { use, allowed } = taken;
  const seconds = (amount: number) => Math.ceil(amount / calls / 1_000_000);
  return {
    allowed,
    remaining: Math.floor((burst * perUs - use) / perUs),
    resetSeconds: seconds(use),
    retryAfterSeconds: allowed ? 0 : Math.max(1, seconds(use + perUs - burst * perUs)),
  };
}

/** A script's reply about a rate. */
interface RateUse {
  readonly use: number;
  readonly allowed: boolean;
}

/** A call that Redis counted or refused. */
interface RedisCountedCall extends CountedCall {
  /** Redis's time, in microseconds since 1970. */
  readonly atUs: number;
}

/** The calls of a key on a UTC day (days since 1970-01-01). */
export interface CallsOfDay {
  readonly accountId: string;
  readonly keyId: string;
  readonly day: number;
  readonly calls: number;
}

/** Reads the calls of a key on a day from control. */
type LoadCalls = (day: number) => Promise<number>;

const outcomes = ["counted", "rate", "day", "load"] as const;
const dayUs = 86_400_000_000;
const failedExchanges = toIntegerRate(failedExchangeRate);
const noRate: IntegerRate = { calls: 0, perUs: 1_000_000, burst: 0 };

/** Counts calls in Redis. Every method throws RedisAwayError when Redis does not answer. */
export class RedisCounts {
  readonly #link: Pick<RedisLink, "run">;
  readonly #scripts: Scripts;

  constructor(link: Pick<RedisLink, "run">, scripts: Scripts = redisScripts) {
    this.#link = link;
    this.#scripts = scripts;
  }

  /**
   * Counts one call unless a limit refuses it. A day's count that Redis does not have is loaded.
   */
  async take(accountId: string, call: CallToCount, load: LoadCalls): Promise<RedisCountedCall> {
    const rate = rateOf(call.ratePerSecond);
    const keys = [`${keyOf(accountId, call.keyId)}:rate`, dayKey(accountId, call.keyId)];
    const rates = rateArguments(rate);
    let loaded: readonly [day: number, calls: number] = [-1, 0];
    for (;;) {
      const values = [...rates, call.dailyQuota ?? -1, ...loaded];
      const reply = await this.#link.run(this.#scripts.takeCall, { keys, values });
      const [outcome = -1, use = 0, calls = 0, atUs = 0] = reply;
      const became = outcomes[outcome];
      if (became === undefined) throw new Error(`a script replied ${outcome}`);
      if (became !== "load") {
        const day = dayState(call.dailyQuota, calls, atUs);
        if (became === "day") return { refusedBy: "day", rate: null, day, atUs };
        const allowed = became === "counted";
        const verdict = call.ratePerSecond === null ? null : verdictOf(rate, { use, allowed });
        return { refusedBy: allowed ? null : "rate", rate: verdict, day, atUs };
      }
      const day = Math.floor(atUs / dayUs);
      loaded = [day, await load(day)];
    }
  }

  /** Counts a lookup of an address as failed, before its result is known. */
  async takeLookup(group: string): Promise<Verdict> {
    const [refused = 1, use = 0] = await this.#runLookup(group, this.#scripts.take);
    return verdictOf(failedExchanges, { use, allowed: refused === 0 });
  }

  /** Uncounts a lookup that did not fail. */
  async giveLookupBack(group: string): Promise<void> {
    await this.#runLookup(group, this.#scripts.giveBack);
  }

  /**
   * Adds calls that a node counted without Redis. A count that began after the node's last contact
   * (`lastAtUs`, microseconds) contains them already: it was loaded from control.
   */
  async addCalls({ accountId, keyId, day, calls }: CallsOfDay, lastAtUs: number): Promise<void> {
    const keys = [dayKey(accountId, keyId)];
    await this.#link.run(this.#scripts.addCalls, { keys, values: [day, calls, lastAtUs] });
  }

  #runLookup(group: string, script: Scripts["take"]): Promise<readonly number[]> {
    return this.#link.run(script, {
      keys: [`sightline:guesses:${group}`],
      values: rateArguments(failedExchanges),
    });
  }
}

/** The braces keep an account's keys on one node of a Redis cluster. */
function keyOf(accountId: string, keyId: string): string {
  return `sightline:{${accountId}}:${keyId}`;
}

function dayKey(accountId: string, keyId: string): string {
  return `${keyOf(accountId, keyId)}:day`;
}

function rateOf(calls: number | null): IntegerRate {
  return calls === null
    ? noRate
    : toIntegerRate({ calls, perMs: 1000, burst: calls * burstFactor });
}

function dayState(quota: number | null, calls: number, atUs: number): QuotaState | null {
  if (quota === null) return null;
  const day = Math.floor(atUs / dayUs);
  const resetSeconds = Math.ceil(((day + 1) * dayUs - atUs) / 1_000_000);
  return { day, remaining: Math.max(0, quota - calls), resetSeconds };
}

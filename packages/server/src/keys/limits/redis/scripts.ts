import { hash } from "node:crypto";

/** A script that Redis runs atomically, and the SHA-1 by which Redis caches it. */
export interface Script {
  readonly lua: string;
  readonly sha: string;
}

/** The scripts of the limits. All reply with integers. */
export interface Scripts {
  /**
   * Counts one call against a key's rate and quota, or against neither.
   *
   * Keys: the rate, the day. Arguments: calls, microseconds and burst of the rate, the quota (-1:
   * off), and a loaded day with its calls. Reply: the outcome (0 counted, 1 refused by the rate, 2
   * by the day, 3 the day's count must be loaded first), the rate's use, the calls of the day, and
   * Redis's time.
   */
  readonly takeCall: Script;
  /**
   * Takes one from a rate. Key: the rate. Arguments: calls, microseconds, burst. Reply: 0 taken or
   * 1 refused, and the rate's use.
   */
  readonly take: Script;
  /** Gives back one that was taken, with the same key and arguments. */
  readonly giveBack: Script;
  /**
   * Adds calls that were counted elsewhere to a day. Key: the day. Arguments: the day, the calls,
   * and a time of Redis: a count that began later was loaded with these calls. Reply: 1 added, 0
   * not.
   */
  readonly addCalls: Script;
}

/** Redis's own time, in seconds and microseconds, since nodes' clocks may differ. */
const redisTime = 'redis.call("TIME")';

/**
 * The generic cell rate algorithm in integers, which is exact: a call costs `per`, and each
 * microsecond restores `calls`. The use is what was taken and is not restored yet. A rate that was
 * changed has another unit, to which the use is converted. When the clock steps back, time
 * continues from there.
 */
const useOfRate = (keptMs: number) => `
  local function use_of(key, calls, now)
    local stored = redis.call("HMGET", key, "use", "calls", "at")
    if not stored[1] then return 0 end
    local use = tonumber(stored[1]) * calls / tonumber(stored[2])
    local passed = now - tonumber(stored[3])
    if passed < 0 then
      redis.call("HSET", key, "at", now)
      passed = 0
    end
    return math.max(0, math.ceil(use - passed * calls))
  end
  local function set_use(key, calls, now, use)
    redis.call("HSET", key, "use", use, "calls", calls, "at", now)
    redis.call("PEXPIRE", key, math.ceil(use / calls / 1000) + ${keptMs})
  end`;

const takeCall = `
  local calls, per, burst = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
  local quota, loaded_day, loaded = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
  local day, counted = math.floor(now / 86400000000), 0
  if quota >= 0 then
    local stored = redis.call("HMGET", KEYS[2], "day", "calls")
    if stored[1] and tonumber(stored[1]) == day then
      counted = tonumber(stored[2])
    elseif loaded_day == day then
      counted = loaded
      redis.call("HSET", KEYS[2], "day", day, "calls", counted, "began", now)
      redis.call("EXPIRE", KEYS[2], 172800)
    else
      return {3, 0, 0, now}
    end
    if counted >= quota then return {2, 0, counted, now} end
  end
  local use = 0
  if calls > 0 then
    use = use_of(KEYS[1], calls, now)
    if use + per > burst * per then return {1, use, counted, now} end
    use = use + per
    set_use(KEYS[1], calls, now, use)
  end
  if quota >= 0 then counted = redis.call("HINCRBY", KEYS[2], "calls", 1) end
  return {0, use, counted, now}`;

const take = `
  local calls, per, burst = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
  local use = use_of(KEYS[1], calls, now)
  if use + per > burst * per then return {1, use} end
  set_use(KEYS[1], calls, now, use + per)
  return {0, use + per}`;

const giveBack = `
  local calls, per = tonumber(ARGV[1]), tonumber(ARGV[2])
  local use = math.max(0, use_of(KEYS[1], calls, now) - per)
  set_use(KEYS[1], calls, now, use)
  return {0, use}`;

const addCalls = `
  local stored = redis.call("HMGET", KEYS[1], "day", "began")
  if not stored[1] or stored[1] ~= ARGV[1] or tonumber(stored[2]) > tonumber(ARGV[3]) then
    return {0}
  end
  redis.call("HINCRBY", KEYS[1], "calls", ARGV[2])
  return {1}`;

/** How long a rate's key is kept after it is fully restored. */
const keptMs = 1_000;

/** The clock of the scripts. */
export interface ScriptClock {
  /** A Lua expression for seconds and microseconds. */
  readonly time: string;
  /** How long a rate's key is kept after it is fully restored, by Redis's own clock. */
  readonly keptMs: number;
}

/** The scripts with a given clock. */
export function scriptsOver({ time, keptMs: kept }: ScriptClock): Scripts {
  const beginning = `${useOfRate(kept)}
  local time = ${time}
  local now = tonumber(time[1]) * 1000000 + tonumber(time[2])`;
  const script = (lua: string): Script => ({ lua, sha: hash("sha1", lua) });
  return {
    takeCall: script(beginning + takeCall),
    take: script(beginning + take),
    giveBack: script(beginning + giveBack),
    addCalls: script(addCalls),
  };
}

/** The scripts with Redis's own clock. */
export const redisScripts: Scripts = scriptsOver({ time: redisTime, keptMs });

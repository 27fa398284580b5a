import {
  dayMs,
  digestsExpectedFalse,
  type HookEvent,
  type InsightsSummaryResponse,
  type MovedEvent,
  type SummaryMetricName,
  summaryMetricNames,
} from "@sightline/contract";
import { progressOf, recordingAccounts } from "../accounts/progress-store.ts";
import type { ControlEngine } from "../control/control-engine.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/logger.ts";
import { ServiceError } from "../platform/service-error.ts";
import type { Facts } from "../questions/facts.ts";
import { type ComparedDays, checkTimeOf, lastDays, lastWeek, nextCheck } from "./check-times.ts";
import { addDelivery } from "./delivery-store.ts";
import {
  claimCheck,
  type HookProgress,
  type HookRecord,
  hooksDue,
  type LastNotified,
  recordCheck,
} from "./hook-store.ts";
import { comparedSummary, parsedSummary, rangesOf } from "./summaries.ts";
import { eventId } from "./tell-hooks.ts";
import { crossingsOf, type WatchedValue, watchedValues } from "./thresholds.ts";

/** Dependencies of the event checks. */
export interface EventCheckOptions {
  readonly control: ControlEngine;
  readonly facts: Pick<Facts, "summary">;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** How long until a failed or abandoned check is retried. One node checks a webhook at a time. */
const repeatedAfterMs = 10 * 60_000;
/** How long a check waits for a running import and for facts that lag behind the record. */
const waitsForFactsMs = 6 * 3_600_000;
const hooksAtOnce = 200;
/** Accounts that are checked concurrently, so that one slow account does not block the others. */
const accountsAtOnce = 2;
/** The deadline of one account's check: six times that of a question. A late check is retried. */
export const checkWithinMs = 60_000;

/**
 * Checks webhooks for new events and queues their deliveries: two accounts concurrently, each with
 * its own deadline.
 */
export class EventChecks {
  readonly #options: EventCheckOptions;

  constructor(options: EventCheckOptions) {
    this.#options = options;
  }

  /** Checks all webhooks that are due. @throws the signal's reason when it aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { control, clock, logger } = this.#options;
    const due = Map.groupBy(
      await hooksDue(control, clock.now(), hooksAtOnce),
      ({ accountId }) => accountId,
    );
    const accounts = due.entries();
    const each = async () => {
      for (const [accountId, hooks] of accounts) {
        if (signal.aborted) return;
        await this.#checkWithin(accountId, hooks, signal).catch((error: unknown) => {
          const fields = { accountId, error: String(error) };
          if (!signal.aborted) logger.error(fields, "looking for events of webhooks failed");
        });
      }
    };
    await Promise.all(Array.from({ length: accountsAtOnce }, each));
    signal.throwIfAborted();
  }

  /** @throws the check's error, the signal's reason, or an error when the deadline passes. */
  async #checkWithin(
    accountId: string,
    hooks: readonly HookRecord[],
    signal: AbortSignal,
  ): Promise<void> {
    const claimed = await this.#claim(hooks);
    const late = new AbortController();
    const timer = setTimeout(() => {
      late.abort(new Error(`the look took longer than ${checkWithinMs / 1_000} s`));
    }, checkWithinMs);
    try {
      await this.#checkClaimed(accountId, claimed, AbortSignal.any([signal, late.signal]));
    } catch (error) {
      if (isTooLarge(error)) await this.#leaveUntilNext(claimed);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  async #claim(hooks: readonly HookRecord[]): Promise<readonly HookRecord[]> {
    const { control, clock } = this.#options;
    const untilMs = clock.now() + repeatedAfterMs;
    const claimed: HookRecord[] = [];
    for (const hook of hooks) {
      const own = await claimCheck(control, hook, untilMs);
      if (own !== null) claimed.push(own);
    }
    return claimed;
  }

  async #checkClaimed(
    accountId: string,
    claimed: readonly HookRecord[],
    signal: AbortSignal,
  ): Promise<void> {
    const { control, facts, clock } = this.#options;
    const now = clock.now();
    if (claimed.length === 0 || (await this.#shouldWait(accountId, now))) return;
    const asking = { facts, accountId, signal };
    const tools = {
      comparedSummary: once((days: ComparedDays) => comparedSummary(asking, days)),
      watchedValue: watchedValues(control, asking),
    };
    for (const hook of claimed) {
      const { events, progress } = await eventsOf(hook, now, tools);
      await recordEvents(control, hook, { now, events, progress });
    }
  }

  /** A retry in ten minutes would cost as much and fail again. */
  async #leaveUntilNext(claimed: readonly HookRecord[]): Promise<void> {
    const { control, clock } = this.#options;
    for (const hook of claimed) {
      await recordCheck(control, hook, {
        ...hook,
        nextCheckAt: nextCheck(hook.events, clock.now()),
      });
    }
  }

  /** During an import, and while facts lag behind the record, a summary would miss answers. */
  async #shouldWait(accountId: string, now: number): Promise<boolean> {
    if (now >= checkTimeOf(lastDays(now)) + waitsForFactsMs) return false;
    const { control } = this.#options;
    if ((await recordingAccounts(control)).includes(accountId)) return true;
    const progress = await progressOf(control, accountId);
    const recorded = progress?.recorded?.sequence ?? 0;
    return recorded > (progress?.projected?.sequence ?? 0);
  }
}

/** Whether the account has more entities or answers than a summary supports. */
function isTooLarge(error: unknown): boolean {
  return error instanceof ServiceError && error.code === "invalid_request";
}

/** What a check asks, each question once for all webhooks of the account. */
interface CheckTools {
  readonly comparedSummary: (days: ComparedDays) => Promise<string>;
  readonly watchedValue: WatchedValue;
}

/** An event that a check found. */
interface FoundEvent {
  readonly event: HookEvent;
  /** What tells it from other events of its webhook and kind; deterministic. */
  readonly key: string;
  /** JSON. */
  readonly data: string;
}

interface FoundEvents {
  readonly events: readonly FoundEvent[];
  readonly progress: HookProgress;
}

/** The events of a webhook that are due at `now`. Repeating it gives the same. */
async function eventsOf(hook: HookRecord, now: number, tools: CheckTools): Promise<FoundEvents> {
  const [week, days] = [lastWeek(now), lastDays(now)];
  let { digestedTo, lastNotified } = hook;
  const events: FoundEvent[] = [];
  const isDue = (event: HookEvent, compared: ComparedDays) =>
    hook.events.includes(event) && checkTimeOf(compared) > hook.createdAt;
  if (isDue("digest", week) && (digestedTo ?? 0) < week.toMs) {
    // The summary is already JSON and may be long: it is concatenated, not parsed.
    const ranges = JSON.stringify(rangesOf(week)).slice(0, -1);
    const counted = `"expectedFalse":${digestsExpectedFalse}`;
    const data = `${ranges},${counted},"summary":${await tools.comparedSummary(week)}}`;
    events.push({ event: "digest", key: String(week.toMs), data });
    digestedTo = week.toMs;
  }
  if (isDue("moved", days)) {
    const summary = parsedSummary(await tools.comparedSummary(days));
    const moves = movesOf(summary, lastNotified, days.toMs);
    if (moves.news !== null) {
      const data = JSON.stringify({ ...rangesOf(days), ...moves.news });
      events.push({ event: "moved", key: String(days.toMs), data });
    }
    lastNotified = moves.lastNotified;
  }
  if (isDue("threshold-crossed", days)) {
    const { news, crossed } = await crossingsOf(hook, days.toMs, tools.watchedValue);
    for (const { place, data } of news) {
      const key = `${days.toMs} ${place}`;
      events.push({ event: "threshold-crossed", key, data: JSON.stringify(data) });
    }
    if (hook.thresholds.length > 0) lastNotified = { ...lastNotified, crossed };
  }
  return {
    events,
    progress: { nextCheckAt: nextCheck(hook.events, now), digestedTo, lastNotified },
  };
}

/**
 * Notes the check and queues its events, in one transaction: what is noted as told is told, and
 * what was told is noted. A check whose claim was lost notes nothing.
 */
async function recordEvents(
  control: ControlEngine,
  hook: HookRecord,
  { now, events, progress }: FoundEvents & { readonly now: number },
): Promise<void> {
  const { accountId, id: hookId } = hook;
  await control.database.transaction().execute(async (database) => {
    const within = { ...control, database };
    if (!(await recordCheck(within, hook, progress))) return;
    for (const { event, key, data } of events) {
      const id = eventId(hookId, event, key);
      const head = { id, type: event, timestamp: new Date(now).toISOString() };
      const body = `${JSON.stringify(head).slice(0, -1)},"data":${data}}`;
      await addDelivery(within, accountId, {
        id,
        hookId,
        event,
        createdAt: now,
        body,
        nextAt: now,
      });
    }
  });
}

/** The same work, once for days that end at the same time. */
function once(work: (days: ComparedDays) => Promise<string>) {
  const done = new Map<number, Promise<string>>();
  return (days: ComparedDays): Promise<string> => {
    const result = done.get(days.toMs) ?? work(days);
    done.set(days.toMs, result);
    return result;
  };
}

type MovedMetric = MovedEvent["data"]["metrics"][number];
type Run = NonNullable<NonNullable<LastNotified["runs"]>[SummaryMetricName]>;

/** Metrics that moved since the last notification. */
interface Moves {
  /** The data of the event; null: nothing moved. */
  readonly news: Pick<MovedEvent["data"], "entity" | "metrics" | "tests"> | null;
  /** The notified moves, this event included. */
  readonly lastNotified: LastNotified;
}

/**
 * A change is notified after so many daily checks in succession. One check a day finds chance up to
 * 5.6 times a year, three in a row at most once in two years: the decision on webhooks has more.
 */
const looksMin = 3;
/** How long the compared days overlap those of an earlier move, which is not repeated. */
const sameMoveMs = 14 * dayMs;

/**
 * The brand's metrics that moved on three daily checks in succession, from a summary whose days end
 * at `toMs`. A move in the same direction over days that overlap an earlier notification is
 * skipped. Repeating it gives the same.
 */
function movesOf(
  summary: InsightsSummaryResponse,
  lastNotified: LastNotified,
  toMs: number,
): Moves {
  const [brand] = summary.groups[0]?.entities ?? [];
  if (brand === undefined) return { news: null, lastNotified };
  const metrics: MovedMetric[] = [];
  const runs: { [Metric in SummaryMetricName]?: Run } = {};
  let all = lastNotified;
  for (const metric of summaryMetricNames) {
    const value = brand[metric];
    const run = runOf(value.change, lastNotified.runs?.[metric], toMs);
    if (run === null) continue;
    runs[metric] = run;
    const { direction, looks } = run;
    const last = lastNotified[metric];
    const isNotified = last?.direction === direction && toMs - last.to < sameMoveMs;
    if (looks < looksMin || isNotified) continue;
    metrics.push({ metric, ...value });
    all = { ...all, [metric]: { direction, to: toMs } };
  }
  const next = { ...all, runs };
  if (metrics.length === 0) return { news: null, lastNotified: next };
  const { id, name } = brand;
  const news = { entity: { id, name }, metrics, tests: summary.tests };
  return { news, lastNotified: next };
}

/** The checks in succession that end with this one; null: it finds no move. */
function runOf(change: MovedMetric["change"], last: Run | undefined, toMs: number): Run | null {
  if (change?.verdict !== "moved") return null;
  const direction = (change.parts?.likeForLike ?? 0) > 0 ? "up" : "down";
  const isNext = last?.direction === direction && toMs - last.to === dayMs;
  return { direction, to: toMs, looks: isNext ? last.looks + 1 : 1 };
}

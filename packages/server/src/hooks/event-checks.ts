import { createHash } from "node:crypto";
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
import { summaryQuestion } from "../facts/plan/question.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/logger.ts";
import { ServiceError } from "../platform/service-error.ts";
import { inTurns } from "../platform/turns.ts";
import type { Facts } from "../questions/facts.ts";
import { summaryJson } from "../questions/summary/summary.ts";
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
    const { control, clock } = this.#options;
    const now = clock.now();
    if (claimed.length === 0 || (await this.#shouldWait(accountId, now))) return;
    const summaries = new Map<number, Promise<string>>();
    const summaryOf = (days: ComparedDays) => {
      const summary =
        summaries.get(days.toMs) ??
        comparedSummary(this.#options.facts, accountId, { days, signal });
      summaries.set(days.toMs, summary);
      return summary;
    };
    for (const hook of claimed) {
      const progress = await this.#addEvents(hook, now, summaryOf);
      await recordCheck(control, hook, progress);
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

  /**
   * Queues the events of a webhook. Idempotent: an event's id follows from its webhook and days.
   */
  async #addEvents(
    hook: HookRecord,
    now: number,
    summaryOf: (days: ComparedDays) => Promise<string>,
  ): Promise<HookProgress> {
    const [week, days] = [lastWeek(now), lastDays(now)];
    let { digestedTo, lastNotified } = hook;
    const isNew = (compared: ComparedDays) => checkTimeOf(compared) > hook.createdAt;
    if (hook.events.includes("digest") && isNew(week) && (digestedTo ?? 0) < week.toMs) {
      // The summary is already JSON and may be long: it is concatenated, not parsed.
      const ranges = JSON.stringify(rangesOf(week)).slice(0, -1);
      const counted = `"expectedFalse":${digestsExpectedFalse}`;
      const data = `${ranges},${counted},"summary":${await summaryOf(week)}}`;
      await this.#addEvent(hook, { event: "digest", days: week, data, now });
      digestedTo = week.toMs;
    }
    if (hook.events.includes("moved") && isNew(days)) {
      const moves = movesOf(parsedSummary(await summaryOf(days)), lastNotified, days.toMs);
      if (moves.news !== null) {
        const data = JSON.stringify({ ...rangesOf(days), ...moves.news });
        await this.#addEvent(hook, { event: "moved", days, data, now });
      }
      lastNotified = moves.lastNotified;
    }
    return { nextCheckAt: nextCheck(hook.events, now), digestedTo, lastNotified };
  }

  async #addEvent({ accountId, id: hookId }: HookRecord, event: FoundEvent): Promise<void> {
    const { days, data, now } = event;
    const id = eventId(hookId, event.event, days.toMs);
    const head = { id, type: event.event, timestamp: new Date(now).toISOString() };
    const body = `${JSON.stringify(head).slice(0, -1)},"data":${data}}`;
    const delivery = { id, hookId, event: event.event, createdAt: now, body, nextAt: now };
    await addDelivery(this.#options.control, accountId, delivery);
  }
}

/** Whether the account has more entities or answers than a summary supports. */
function isTooLarge(error: unknown): boolean {
  return error instanceof ServiceError && error.code === "invalid_request";
}

interface FoundEvent {
  readonly event: HookEvent;
  readonly days: ComparedDays;
  /** JSON. */
  readonly data: string;
  readonly now: number;
}

/** The id of a webhook's event about the days that end at `toMs`; deterministic. */
function eventId(hookId: string, event: HookEvent, toMs: number): string {
  const hash = createHash("sha256").update(`${hookId} ${event} ${toMs}`).digest("hex");
  return `msg_${hash.slice(0, 32)}`;
}

/** A time range and the range before it, as the event's body has them. */
interface ComparedRanges {
  readonly timeRange: TimeRange;
  readonly compare: { readonly timeRange: TimeRange };
}

interface TimeRange {
  readonly from: string;
  readonly to: string;
}

/** The same ranges as date-times (RFC 3339, UTC). */
function rangesOf({ fromMs, toMs, beforeMs }: ComparedDays): ComparedRanges {
  const [before, from, to] = [beforeMs, fromMs, toMs].map((ms) => new Date(ms).toISOString());
  const range = (start = "", end = "") => ({ from: start, to: end });
  return { timeRange: range(from, to), compare: { timeRange: range(before, from) } };
}

/**
 * The summary of all answers of `days`, compared with the days before, in the shape of the reply of
 * POST /v1/insights/summary: JSON. @throws as `Facts.summary`.
 */
async function comparedSummary(
  facts: Pick<Facts, "summary">,
  accountId: string,
  { days, signal }: { readonly days: ComparedDays; readonly signal: AbortSignal },
): Promise<string> {
  const { timeRange, compare } = rangesOf(days);
  const question = summaryQuestion({
    groupBy: "none",
    portrayal: false,
    filters: { timeRange },
    compare: { filters: compare },
  });
  const found = await facts.summary(accountId, question, signal);
  const named = (groups: readonly number[]) =>
    groups.map((number) => ({ number, key: null, name: "All answers" }));
  return (await inTurns(summaryJson(question, found, named), signal)).toString("utf8");
}

/** Parses a summary that `comparedSummary` wrote. */
function parsedSummary(json: string): InsightsSummaryResponse {
  return JSON.parse(json) as InsightsSummaryResponse;
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

import { dayMs, type InsightsSummaryResponse, type TimeSeriesResponse } from "@sightline/contract";
import type { PersonAccount } from "../people/person-store.ts";
import { whyFailed } from "../platform/failed-work.ts";
import { ServiceError } from "../platform/service-error.ts";
import { type AskingServices, InnerAsking } from "../questions/inner-asking.ts";

const metrics = ["mentions", "citations", "visibility", "rank"] as const;

/** One of the four values of a row. */
type RowMetric = (typeof metrics)[number];
/** A value of an account's brand over the days that the page compares. */
interface RowValue {
  readonly value: number | null;
  /** Answers that it is a part of; of a rank, those with one. */
  readonly n: number;
  /** The 95 % interval; null: too few prompts. */
  readonly low: number | null;
  readonly high: number | null;
  /** Against the days before, like for like, as the verdict is; null: nothing to compare. */
  readonly change: number | null;
  readonly verdict: string | null;
  /** By week, the latest last; null: a week without answers. Of mentions alone, otherwise empty. */
  readonly points: readonly (number | null)[];
}

/** An account of the person. */
interface TaggedAccount extends PersonAccount {
  /** As its workspace file says. */
  readonly tags: readonly string[];
}

/** An account at a glance. */
export interface AccountRow extends TaggedAccount {
  readonly brand: string | null;
  /** `later`: its numbers are being made; `empty`: no answers of these days. */
  readonly state: "ready" | "empty" | "later";
  /** Null: there are none to show. */
  readonly metrics: Readonly<Record<RowMetric, RowValue>> | null;
  /** When its newest answer was given; null: there is none, or it is not known. */
  readonly lastAnswer: string | null;
  /** Sweeps of these days in which nothing was answered by a provider. */
  readonly failedSweeps: number;
}

/** The days of a page. Midnights, UTC, in milliseconds since 1970; the ends are not inside. */
export interface RowDays {
  readonly beforeMs: number;
  readonly fromMs: number;
  readonly toMs: number;
}

/** What is known of an account before it is asked. */
export interface KnownAccount extends TaggedAccount {
  readonly brand: { readonly id: string; readonly name: string } | null;
  readonly failedSweeps: number;
}

/** Weeks of the course. */
const courseDays = 12 * 7;

/** Asks about an account. What cannot be asked now is said in the row, not thrown. */
export async function accountRow(
  services: AskingServices,
  { brand, failedSweeps, ...account }: KnownAccount,
  { days, signal }: { readonly days: RowDays; readonly signal: AbortSignal },
): Promise<AccountRow> {
  const row = { ...account, brand: brand?.name ?? null, failedSweeps };
  const nothing = { ...row, metrics: null, lastAnswer: null };
  if (brand === null) return { ...nothing, state: "empty" };
  try {
    const asking = new InnerAsking(services, account.id, signal);
    const [summary, course] = await Promise.all([
      asking.reply<InsightsSummaryResponse>("insightsSummary", summaryBody(brand.id, days)),
      asking.reply<TimeSeriesResponse>("mentions", courseBody(days)),
    ]);
    const [all] = summary.groups;
    const values = all === undefined || all.answers === 0 ? null : valuesOf(all, course);
    const lastAnswer = all?.lastAnsweredAt ?? (await newestAnswer(services, account.id, signal));
    return { ...row, state: values === null ? "empty" : "ready", metrics: values, lastAnswer };
  } catch (error) {
    if (!mayPass(error)) throw error;
    return { ...nothing, state: "later" };
  }
}

/** When the newest answer was given, however long ago; null: there is none. */
async function newestAnswer(
  { facts }: AskingServices,
  accountId: string,
  signal: AbortSignal,
): Promise<string | null> {
  const { lastMs } = await facts.coverage(accountId, signal);
  return lastMs === null ? null : new Date(lastMs).toISOString();
}

/** Facts that are being made, an engine that is away, a question that took too long. */
function mayPass(error: unknown): boolean {
  if (error instanceof ServiceError) {
    return ["facts_not_ready", "overloaded", "deadline_exceeded"].includes(error.code);
  }
  return whyFailed(error) === "away";
}

function summaryBody(brandId: string, { beforeMs, fromMs, toMs }: RowDays) {
  return {
    groupBy: "none",
    entityIds: [brandId],
    portrayal: false,
    filters: { timeRange: rangeOf(fromMs, toMs) },
    compare: { filters: { timeRange: rangeOf(beforeMs, fromMs) } },
  };
}

function courseBody({ toMs }: RowDays) {
  const timeRange = rangeOf(toMs - courseDays * dayMs, toMs);
  return { interval: "weekly", filters: { timeRange } };
}

function rangeOf(fromMs: number, toMs: number) {
  return { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
}

function valuesOf(
  { entities: [brand] }: InsightsSummaryResponse["groups"][number],
  course: TimeSeriesResponse,
): Readonly<Record<RowMetric, RowValue>> | null {
  if (brand === undefined) return null;
  const points = course.series[0]?.data.map(({ value }) => value) ?? [];
  const value = (metric: RowMetric): RowValue => {
    const { value, denominator, interval, change } = brand[metric];
    return {
      value,
      n: denominator,
      low: interval?.low ?? null,
      high: interval?.high ?? null,
      change: change?.parts?.likeForLike ?? null,
      verdict: change?.verdict ?? null,
      points: metric === "mentions" ? points : [],
    };
  };
  const [mentions, citations, visibility, rank] = metrics.map(value);
  if (!mentions || !citations || !visibility || !rank) return null;
  return { mentions, citations, visibility, rank };
}

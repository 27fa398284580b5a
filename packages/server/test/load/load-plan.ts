/** One request of a load. */
export interface LoadQuestion {
  readonly path: string;
  readonly body: object;
}

/** What a load process is to ask, how fast and for how long. */
export interface LoadPlan {
  /** Base address of the service. */
  readonly url: string;
  /** Exchanged for a session at the start, and again every minute. */
  readonly key: string;
  /** Asked in turns. */
  readonly questions: readonly LoadQuestion[];
  /** Kept alive; the most concurrent questions. */
  readonly connections: number;
  /** Questions a second, whatever the replies; null: each connection asks without a pause. */
  readonly ratePerSecond: number | null;
  /** Each connection rests for as long as a 503's Retry-After says; it has no rate then. */
  readonly isPatient?: boolean;
  /** What is counted together. */
  readonly windowMs: number;
  readonly windows: number;
}

/** Replies of one status. */
export interface StatusTally {
  readonly count: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** What came back in one window, by the time of the reply. */
export interface LoadWindow {
  readonly seconds: number;
  /** By status; "error" where there was no reply. */
  readonly replies: Readonly<Record<string, StatusTally>>;
  /** Replies of 429 and 503 that lack Retry-After. */
  readonly withoutRetryAfter: number;
  /** The first failures that were no reply, or a 5xx other than 503. */
  readonly failures: readonly string[];
}

/** Replies with a status in a window; none gives a tally of zeros. */
export function repliesOf(window: LoadWindow, status: string): StatusTally {
  return window.replies[status] ?? { count: 0, p50Ms: 0, p99Ms: 0 };
}

/** Successful replies a second. */
export function goodputOf(window: LoadWindow): number {
  return repliesOf(window, "200").count / window.seconds;
}

/** The value below which a share of the values lies; 0 of none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

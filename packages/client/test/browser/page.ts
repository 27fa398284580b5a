/** What the page of page.browser.test.ts does: bundled, and run in a browser. */
import {
  ConnectionError,
  RateLimitError,
  Sightline,
  type SightlineOptions,
  type SourceAnalysisResponse,
  type TimeSeriesResponse,
  UnauthorizedError,
} from "../../src/index.ts";

const timeRange = { from: "2026-01-05T00:00:00Z", to: "2026-01-08T00:00:00Z" };
const filters = { timeRange };
const daily = { interval: "daily", filters } as const;

/** What the page saw. */
export interface Seen {
  readonly mentions: TimeSeriesResponse;
  readonly sources: SourceAnalysisResponse;
}

/** Exchanges the key and asks two questions. */
export async function ask(options: SightlineOptions): Promise<Seen> {
  const { analytics } = new Sightline(options);
  const mentions = await analytics.mentions(daily);
  return { mentions, sources: await analytics.sources({ groupBy: "domain", filters }) };
}

/** Asks with a session that is not good. @returns the id that the error has. */
export async function askUnknown(baseUrl: string): Promise<string | null> {
  const error = await failureOf(new Sightline({ baseUrl, session: "forged" }));
  if (error instanceof UnauthorizedError) return error.requestId;
  throw error;
}

/** Asks until the rate is used up. @returns `retryAfter` of the refusal. */
export async function askTooOften(options: SightlineOptions): Promise<number | undefined> {
  const sightline = new Sightline({ ...options, retriesMax: 0 });
  for (let round = 0; round < 100; round++) {
    const error = await failureOf(sightline);
    if (error instanceof RateLimitError) return error.retryAfter;
    if (error !== null) throw error;
  }
  throw new Error("no call was refused");
}

/** Whether the browser keeps the reply from the page. */
export async function isShutOut(options: SightlineOptions): Promise<boolean> {
  const error = await failureOf(new Sightline({ ...options, retriesMax: 0 }));
  return error instanceof ConnectionError;
}

/** The fields of a refusal that the page may read. */
export async function readableFields(url: string): Promise<readonly string[]> {
  const { headers } = await fetch(url, { method: "POST", headers: { authorization: "Bearer x" } });
  return [...headers.keys()].sort();
}

async function failureOf({ analytics }: Sightline): Promise<unknown> {
  try {
    await analytics.mentions(daily);
    return null;
  } catch (error) {
    return error;
  }
}

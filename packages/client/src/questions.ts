import type { Grouping, Interval, Provider } from "@sightline/contract";
import { InvalidOptionError } from "./errors.ts";

/** An instant: a Date, or an RFC 3339 text with `Z` or an offset, which is sent as it is. */
export type DateTime = Date | string;

/** What an answer must fulfil to count. What is left out, or an empty list, filters nothing. */
export interface AnalyticsFilters {
  readonly timeRange: {
    /** First instant that counts. */
    readonly from: DateTime;
    /** First instant that no longer counts. */
    readonly to: DateTime;
  };
  readonly providers?: readonly Provider[] | undefined;
  /** Not together with `promptIds`. */
  readonly topics?: readonly { readonly id: string }[] | undefined;
  readonly promptIds?: readonly string[] | undefined;
  /** ISO 3166-1 alpha-2 country codes, in either case. */
  readonly regions?: readonly { readonly code: string }[] | undefined;
  /** true: branded prompts only. false: non-branded only. */
  readonly branded?: boolean | undefined;
}

/** A question for one of the four time series. */
export interface TimeSeriesQuestion {
  readonly interval: Interval;
  readonly filters: AnalyticsFilters;
}

/** A question for the sources that are cited most. */
export interface SourcesQuestion {
  readonly groupBy: Grouping;
  readonly filters: AnalyticsFilters;
  /** Sources on a page, 1 to 100; 100. */
  readonly limit?: number | undefined;
  /** Sources before the first page; 0. */
  readonly offset?: number | undefined;
}

/**
 * A question as JSON. All else about it is for the service to judge, whose rules are the newer.
 * @throws InvalidOptionError for a Date that is none, which JSON would turn into null.
 */
export function bodyOf(question: TimeSeriesQuestion | SourcesQuestion): string {
  return JSON.stringify(question, function (this: Record<string, unknown>, name, value) {
    const given = this[name]; // `value` is already what the Date says of itself
    if (given instanceof Date && Number.isNaN(given.getTime())) {
      throw new InvalidOptionError(`${name} is an invalid Date. Was a text misread?`);
    }
    return value;
  });
}

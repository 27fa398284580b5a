import type { SourcesQuestion, TimeSeriesQuestion } from "../analytics/question.ts";
import type { SeriesFacts } from "../analytics/series.ts";
import type { SourcesFacts } from "../analytics/source-page.ts";
import type { FactsCoverage } from "./coverage.ts";
import type { FailingAccount } from "./failing-accounts.ts";

/**
 * Questions to the derived facts. The account comes first. A question whose signal aborts is taken
 * out of the line or interrupted, and throws the signal's reason.
 */
export interface Facts {
  /**
   * @throws ServiceError facts_not_ready before the account's first build, overloaded, or
   * invalid_request when the reply would have too many points.
   */
  readonly timeSeries: (
    accountId: string,
    question: TimeSeriesQuestion,
    signal: AbortSignal,
  ) => Promise<SeriesFacts>;
  /** @throws ServiceError facts_not_ready before the account's first build, or overloaded. */
  readonly sources: (
    accountId: string,
    question: SourcesQuestion,
    signal: AbortSignal,
  ) => Promise<SourcesFacts>;
  /** @throws ServiceError facts_not_ready before the account's first build, or overloaded. */
  readonly coverage: (accountId: string, signal: AbortSignal) => Promise<FactsCoverage>;
  /**
   * Another text whenever the account's facts may answer otherwise; null: they answer nothing yet.
   */
  readonly version: (accountId: string) => string | null;
  /**
   * The accounts that were there at the start and are not caught up since, without those that
   * failed; `*`: not known yet.
   */
  readonly notReady: () => readonly string[];
  /** The accounts whose facts do not follow their record now, and why. */
  readonly failing: () => readonly FailingAccount[];
  /**
   * Resolves when everything that was recorded and declared for the account before the call is in
   * its facts. @throws what the projection failed with, if it did.
   */
  readonly settle: (accountId: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

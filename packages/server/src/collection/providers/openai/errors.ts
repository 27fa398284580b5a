import type { FailureRule } from "../reply-failure.ts";

/**
 * OpenAI replies with 429 both when it is asked too fast and when nothing is left to spend; its
 * codes tell which. Waiting mends the first alone.
 */
export const openaiErrors: readonly FailureRule[] = [
  {
    status: 429,
    says: /insufficient_quota|credit_balance_exhausted|(?:spend|usage)_limit_exceeded/,
    class: "stop-vendor",
  },
];

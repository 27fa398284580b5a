import { type FailureRule, setModel } from "../reply-failure.ts";

/**
 * OpenAI replies with 429 both when it is asked too fast and when nothing is left to spend; its
 * codes tell which. Waiting mends the first alone. With 404 or 400 it replies where a model is
 * retired or cannot search.
 */
export const openaiErrors: readonly FailureRule[] = [
  {
    status: 429,
    says: /insufficient_quota|credit_balance_exhausted|(?:spend|usage)_limit_exceeded/,
    class: "stop-vendor",
  },
  { status: 404, says: /model/i, class: "stop-part", remedy: setModel },
  {
    status: 400,
    says: /model_not_found|tool\b.* not supported/i,
    class: "stop-part",
    remedy: setModel,
  },
];

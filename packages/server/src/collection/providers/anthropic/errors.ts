import type { FailureClass } from "../../adapter.ts";
import type { FailureRule } from "../reply-failure.ts";

/** Anthropic replies with 400 or 429 when nothing is left to spend; codes or words tell. */
export const anthropicErrors: readonly FailureRule[] = [
  { status: 400, says: /credit balance|spend limit|usage limits/i, class: "stop-vendor" },
  { status: 429, says: /enforced_spend_limit_reached/, class: "stop-vendor" },
];

/** What an error of a search asks for, which comes in a reply of status 200. */
export const searchErrors: Readonly<Record<string, FailureClass>> = {
  too_many_requests: "wait",
  unavailable: "retry",
};

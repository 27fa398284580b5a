import type { FailureClass } from "../../adapter.ts";
import { type FailureRule, setModel } from "../reply-failure.ts";

/**
 * Anthropic replies with 400 or 429 when nothing is left to spend, and with 400 where its console
 * does not allow web search; codes or words tell. The only thing that it does not find is a model.
 */
export const anthropicErrors: readonly FailureRule[] = [
  { status: 400, says: /credit balance|spend limit|usage limits/i, class: "stop-vendor" },
  {
    status: 400,
    says: /web search is not enabled/i,
    class: "stop-vendor",
    remedy: "An administrator must enable web search in Anthropic's console.",
  },
  { status: 404, says: /not_found_error|model/i, class: "stop-part", remedy: setModel },
  { status: 429, says: /enforced_spend_limit_reached/, class: "stop-vendor" },
];

/** What an error of a search asks for, which comes in a reply of status 200. */
export const searchErrors: Readonly<Record<string, FailureClass>> = {
  too_many_requests: "wait",
  unavailable: "retry",
};

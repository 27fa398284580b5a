import { type FailureRule, setModel } from "../reply-failure.ts";

/**
 * Google replies with 400 to a wrong key, and where a project needs a billing account; and with the
 * status of a limit where what was paid in advance is used up, which no waiting mends.
 */
export const geminiErrors: readonly FailureRule[] = [
  { status: 400, says: /API_KEY_INVALID|API key|FAILED_PRECONDITION/, class: "stop-vendor" },
  { status: 429, says: /credits are depleted/, class: "stop-vendor" },
  {
    status: 429,
    says: /PerDay/,
    class: "wait",
    remedy: "The quota of the day is used up until midnight Pacific Time.",
  },
  { status: 404, says: /NOT_FOUND|model/i, class: "stop-part", remedy: setModel },
];

/** Why Google gives no or half an answer: for the content of prompt or answer. */
export const blockReasons: readonly string[] = [
  ...["SAFETY", "PROHIBITED_CONTENT", "BLOCKLIST", "SPII"],
];

import type { FailureRule } from "../reply-failure.ts";

/** Google replies with 400 to a wrong key, and where a project needs a billing account. */
export const geminiErrors: readonly FailureRule[] = [
  { status: 400, says: /API_KEY_INVALID|API key|FAILED_PRECONDITION/, class: "stop-vendor" },
];

/** Why Google gives no or half an answer: for the content of prompt or answer. */
export const blockReasons: readonly string[] = [
  ...["SAFETY", "PROHIBITED_CONTENT", "BLOCKLIST", "SPII"],
];

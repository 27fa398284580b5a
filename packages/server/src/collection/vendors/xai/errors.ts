import { type FailureRule, setModel } from "../reply-failure.ts";

/**
 * xAI replies with 400 to a wrong key, and with 403 or 429 when nothing is left to spend; with 404
 * or 410 to a model that it does not offer.
 */
export const xaiErrors: readonly FailureRule[] = [
  { status: 400, says: /api key/i, class: "stop-vendor" },
  { status: 429, says: /\bcredits\b|spending limit/i, class: "stop-vendor" },
  { status: 404, says: /model/i, class: "stop-part", remedy: setModel },
  { status: 410, says: /model/i, class: "stop-part", remedy: setModel },
];

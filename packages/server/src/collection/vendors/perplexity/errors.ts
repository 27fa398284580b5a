import { type FailureRule, setModel } from "../reply-failure.ts";

/** Perplexity replies with 401 to a wrong key and to a used-up balance alike; 429 is its limit. */
export const perplexityErrors: readonly FailureRule[] = [
  { status: 429, says: /insufficient[ _]quota|insufficient credits/i, class: "stop-vendor" },
  { status: 400, says: /invalid[ _](?:model|preset)/i, class: "stop-part", remedy: setModel },
  { status: 404, says: /model|preset/i, class: "stop-part", remedy: setModel },
];

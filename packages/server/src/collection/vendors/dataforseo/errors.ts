import type { FailureClass } from "../../adapter.ts";
import type { FailureRule } from "../reply-failure.ts";

/** Statuses of HTTP need no rules: errors are told in replies of status 200. */
export const dataforseoErrors: readonly FailureRule[] = [];

/** A page is there. */
export const doneCode = 20_000;
/** A task was taken. */
export const takenCode = 20_100;
/** The search engine has nothing to show. */
export const noResultsCode = 40_102;
/** A task waits. */
export const queuedCode = 40_602;
/** A task is worked on. */
export const runningCode = 40_601;

/** The limits per minute, and of requests at a time. */
const waits: readonly number[] = [40_202, 40_209, 40_301, 40_302];
/** The search engine or a task failed; some of these are billed, which the reply's cost tells. */
const retries: readonly number[] = [40_101, 40_103, 40_106];

/** What a status code of DataForSEO's own asks for (docs.dataforseo.com/v3/appendix/errors). */
export function classOfCode(code: number): FailureClass {
  if (waits.includes(code)) return "wait";
  if (retries.includes(code) || code >= 50_000) return "retry";
  // 40100: the login; 40104: the account is not verified; 402xx: its balance, limits and rights.
  const isOfAccount = code === 40_100 || code === 40_104 || (code >= 40_200 && code < 40_300);
  return isOfAccount ? "stop-vendor" : "give-up";
}

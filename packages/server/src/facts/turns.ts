import { setImmediate } from "node:timers/promises";
import type { Pause } from "../analytics/index-stretches.ts";

/** The longest that background work waits for questions after each of its turns. */
const waitMs = 5;

/** Questions under way, of all accounts: they share one thread with whatever is done besides. */
let asked = 0;
/** Background work that waits until there are none. */
const waiting = new Set<() => void>();

/** Answers a question; background work waits for it, see `afterQuestions`. */
export async function asQuestion<Answer>(answer: () => Promise<Answer>): Promise<Answer> {
  asked++;
  try {
    return await answer();
  } finally {
    asked--;
    if (asked === 0) for (const goOn of waiting) goOn();
  }
}

/** Lets the event loop go on between two turns of long work; throws the signal's reason. */
export function betweenTurns(signal: AbortSignal): Pause {
  return async () => {
    await setImmediate();
    signal.throwIfAborted();
  };
}

/**
 * As `betweenTurns`, for work that nobody waits for: who asks goes first. A question of several
 * turns would otherwise take turns with it. It waits a moment at most, and so goes on, if slower,
 * also while questions never end.
 */
export function afterQuestions(signal: AbortSignal): Pause {
  return async () => {
    await setImmediate();
    if (asked > 0) await questionsEnd();
    signal.throwIfAborted();
  };
}

function questionsEnd(): Promise<void> {
  return new Promise((resolve) => {
    const goOn = () => {
      clearTimeout(timer);
      waiting.delete(goOn);
      resolve();
    };
    const timer = setTimeout(goOn, waitMs);
    waiting.add(goOn);
  });
}

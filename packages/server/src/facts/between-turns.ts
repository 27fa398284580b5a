import { setImmediate } from "node:timers/promises";
import type { Pause } from "../analytics/index-stretches.ts";

/** Lets the event loop go on between two turns of long work; throws the signal's reason. */
export function betweenTurns(signal: AbortSignal): Pause {
  return async () => {
    await setImmediate();
    signal.throwIfAborted();
  };
}

import type { Clock } from "./clock.ts";
import { unlessAborted } from "./wait.ts";

/**
 * The most requests of one client in progress. The service runs four
 * queries of an account concurrently, so more would be queued there instead of here.
 */
export const parallelMax = 8;
/** So many replies in a row, and one more request may be on its way. */
const repliesToWiden = 8;

/** Holds a client's requests to what the service takes. */
export interface Pace {
  /** Waits for a place, in the order of asking. @throws the signal's reason when it is aborted */
  readonly enter: (signal: AbortSignal) => Promise<void>;
  /** Gives the place back. */
  readonly leave: () => void;
  /** A reply came: slowly, more places open again. */
  readonly replied: () => void;
  /** A request was refused and told to wait: until then none is sent, and then one by one. */
  readonly holdBack: (ms: number) => void;
}

/**
 * All places open. Without this, most of a hundred concurrent calls would be rejected,
 * waits, and has most of the rest refused again.
 */
export function createPace(clock: Clock): Pace {
  const queue: (() => void)[] = [];
  let taken = 0;
  let places = parallelMax;
  let replies = 0;
  let heldUntilMs = Number.NEGATIVE_INFINITY;
  let callOff: (() => void) | null = null;

  const admit = (): void => {
    while (queue.length > 0 && taken < places) {
      const heldMs = heldUntilMs - clock.elapsed();
      if (heldMs > 0) {
        callOff ??= clock.after(heldMs, ring);
        return;
      }
      taken++;
      queue.shift()?.();
    }
  };
  const ring = (): void => {
    callOff = null;
    admit();
  };
  const leave = (): void => {
    taken--;
    admit();
  };
  return {
    enter: async (signal) => {
      let open = (): void => undefined;
      const opened = new Promise<void>((resolve) => {
        open = resolve;
      });
      queue.push(open);
      admit();
      try {
        await unlessAborted(opened, signal);
      } catch (reason) {
        const place = queue.indexOf(open);
        if (place === -1) leave();
        else queue.splice(place, 1);
        if (queue.length === 0) {
          callOff?.(); // else a process would wait for nobody's sake
          callOff = null;
        }
        throw reason;
      }
    },
    leave,
    replied: () => {
      replies++;
      if (replies < repliesToWiden) return;
      replies = 0;
      places = Math.min(parallelMax, places + 1);
    },
    holdBack: (ms) => {
      heldUntilMs = Math.max(heldUntilMs, clock.elapsed() + ms);
      places = 1;
      replies = 0;
    },
  };
}

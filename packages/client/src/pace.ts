import type { Clock } from "./clock.ts";
import { unlessAborted } from "./wait.ts";

/**
 * The most concurrent requests of one client. The service runs four queries of an account
 * concurrently, so more would be queued there instead of here.
 */
const parallelMax = 8;
/** After this many successive replies, one more concurrent request is allowed. */
const repliesToWiden = 8;

/** Limits a client's requests to what the service accepts. */
export interface Pace {
  /**
   * Waits for a slot, in call order.
   * @throws the signal's reason when it is aborted
   */
  readonly enter: (signal: AbortSignal) => Promise<void>;
  /** Releases the slot. */
  readonly leave: () => void;
  /** Records a reply: more slots open gradually. */
  readonly replied: () => void;
  /** Records a rejection with a wait: no request is sent until it ends, and then one at a time. */
  readonly holdBack: (ms: number) => void;
}

/**
 * Starts with all slots open. Without pacing, most of a hundred concurrent calls would be rejected,
 * wait, and mostly be rejected again.
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
          callOff?.(); // otherwise the process would wait for nothing
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

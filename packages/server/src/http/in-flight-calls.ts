import type { ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import { ServiceError } from "../platform/service-error.ts";
import { nextTurn } from "../platform/turns.ts";

/** A revoked key does nothing two seconds later: one to be noticed in, and one to end. */
const checkEveryMs = 1_000;
/** Reads of control that wait for one connection take time by the square of their number. */
const checksAtOnce = 16;
/** After a stop, so long for what is under way; the process has 10 s. */
const endedAfterMs = 5_000;
/** Then the connections of clients that send or read nothing are closed. */
const closedAfterMs = 7_000;

interface InFlightCall {
  readonly ended: AbortController;
  /** Whether its caller may still do anything. */
  readonly isGood: () => Promise<boolean>;
}

/**
 * Ends what is done for callers who are gone or may no longer ask. A caller is known when a call
 * begins, but its body may come for an hour, and its reply may be read for as long.
 */
export class InFlightCalls {
  readonly #calls = new Map<ServerResponse, InFlightCall>();
  #isChecking = false;

  /**
   * A call of a known caller begins.
   * @returns a signal that aborts, with a ServiceError, when the client hangs up before it has its
   * reply, when `isGood` gives false, or when the service stops and waits no longer.
   */
  begin(reply: ServerResponse, isGood: () => Promise<boolean>): AbortSignal {
    const ended = new AbortController();
    // It may have hung up while its session was checked: that event does not come again.
    if (reply.destroyed) {
      ended.abort(gone());
      return ended.signal;
    }
    this.#calls.set(reply, { ended, isGood });
    const over = () => this.#calls.delete(reply);
    reply.once("finish", over).once("close", () => {
      over();
      if (!reply.writableFinished) ended.abort(gone());
    });
    return ended.signal;
  }

  /** Ends the calls of callers whose session or key has ended, unless that is being done. */
  async endRevoked(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    try {
      const calls = [...this.#calls];
      for (let from = 0; from < calls.length; from += checksAtOnce) {
        await Promise.all(calls.slice(from, from + checksAtOnce).map(endUnlessGood));
        await nextTurn();
      }
    } finally {
      this.#isChecking = false;
    }
  }

  /** Ends all calls: the service stops. */
  endAll(): void {
    for (const [reply, { ended }] of this.#calls) end(reply, ended, stopping());
  }
}

async function endUnlessGood([reply, { ended, isGood }]: readonly [ServerResponse, InFlightCall]) {
  // While control cannot be read, nobody can revoke either: what goes on is not cut off.
  if (!(await isGood().catch(() => true))) end(reply, ended, noLongerGood());
}

/** A reply that is on its way says nothing of its end: it is cut off. */
function end(reply: ServerResponse, ended: AbortController, reason: ServiceError): void {
  ended.abort(reason);
  if (reply.headersSent) reply.destroy();
}

function gone(): ServiceError {
  const headers = { "Retry-After": "1" };
  return new ServiceError("deadline_exceeded", "The client disconnected.", { headers });
}

/** The refusal of a caller whose session or key ended after the call had begun. */
export function noLongerGood(): ServiceError {
  return new ServiceError("session_invalid", "The session or its API key has ended.", {
    headers: { "WWW-Authenticate": 'Bearer error="invalid_token"', Connection: "close" },
  });
}

function stopping(): ServiceError {
  const headers = { "Retry-After": "5", Connection: "close" };
  return new ServiceError("overloaded", "The service is stopping.", { headers });
}

/** Looks at the calls until the service has stopped, and ends them while it stops. */
export function watchCalls(app: FastifyInstance, calls: InFlightCalls): void {
  const checking = setInterval(() => void calls.endRevoked(), checkEveryMs).unref();
  const timers: NodeJS.Timeout[] = [];
  app.addHook("preClose", (done) => {
    timers.push(setTimeout(() => calls.endAll(), endedAfterMs));
    timers.push(setTimeout(() => app.server.closeAllConnections(), closedAfterMs));
    done();
  });
  app.addHook("onClose", (_app, done) => {
    clearInterval(checking);
    for (const timer of timers) clearTimeout(timer);
    done();
  });
}

/** How long a question may take, its wait in line included. */
export const questionDeadlineMs = 10_000;

/** Ends a question that nobody waits for any more. */
interface QuestionSignal {
  readonly signal: AbortSignal;
  /** To be called when the question is answered or failed. */
  readonly done: () => void;
}

/**
 * A signal that aborts when the deadline passes, or with the call that it is part of: then the
 * engine is interrupted instead of working for nobody.
 */
export function questionSignal(ended: AbortSignal): QuestionSignal {
  const controller = new AbortController();
  const late = () => {
    const seconds = questionDeadlineMs / 1000;
    const detail = `The request took longer than ${seconds} seconds. Use a shorter range.`;
    const headers = { "Retry-After": "1" };
    controller.abort(new ServiceError("deadline_exceeded", detail, { headers }));
  };
  const over = () => controller.abort(ended.reason);
  const timer = setTimeout(late, questionDeadlineMs);
  if (ended.aborted) over();
  else ended.addEventListener("abort", over, { once: true });
  return {
    signal: controller.signal,
    done: () => {
      clearTimeout(timer);
      ended.removeEventListener("abort", over);
    },
  };
}

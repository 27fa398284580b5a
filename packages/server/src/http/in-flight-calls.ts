import type { ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import { ServiceError } from "../platform/service-error.ts";
import { nextTurn } from "../platform/turns.ts";

/** A revoked key does nothing after two seconds: one to detect it, and one to end its calls. */
const checkEveryMs = 1_000;
/** Reads of control that wait for one connection take time by the square of their number. */
const checksAtOnce = 16;
/** After a stop, how long running calls may take; the process has 10 s. */
const endedAfterMs = 5_000;
/** Then the connections of clients that send or read nothing are closed. */
const closedAfterMs = 7_000;

interface InFlightCall {
  readonly ended: AbortController;
  /** Whether the caller's session and key are still valid. */
  readonly isGood: () => Promise<boolean>;
}

/**
 * Ends the calls of clients that disconnect and of callers whose session or key ends. A caller is
 * identified when a call begins, but its body may take an hour to arrive, and its reply as long to
 * be read.
 */
export class InFlightCalls {
  readonly #calls = new Map<ServerResponse, InFlightCall>();
  #isChecking = false;

  /**
   * Registers a call of an identified caller.
   * @returns a signal that aborts, with a ServiceError, when the client disconnects before it has
   * its reply, when `isGood` gives false, or when the service stops and waits no longer.
   */
  begin(reply: ServerResponse, isGood: () => Promise<boolean>): AbortSignal {
    const ended = new AbortController();
    // The client may have disconnected while its session was checked: the event does not come
    // again.
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

  /** Ends the calls of callers whose session or key has ended. Does nothing while it is running. */
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
  // While control cannot be read, keys cannot be revoked either: running calls continue.
  if (!(await isGood().catch(() => true))) end(reply, ended, noLongerGood());
}

/** A reply that has begun cannot report an error: its connection is closed. */
function end(reply: ServerResponse, ended: AbortController, reason: ServiceError): void {
  ended.abort(reason);
  if (reply.headersSent) reply.destroy();
}

function gone(): ServiceError {
  const headers = { "Retry-After": "1" };
  return new ServiceError("deadline_exceeded", "The client disconnected.", { headers });
}

/** The error for a caller whose session or key ended after the call had begun. */
export function noLongerGood(): ServiceError {
  return new ServiceError("session_invalid", "The session or its API key has ended.", {
    headers: { "WWW-Authenticate": 'Bearer error="invalid_token"', Connection: "close" },
  });
}

function stopping(): ServiceError {
  const headers = { "Retry-After": "5", Connection: "close" };
  return new ServiceError("overloaded", "The service is stopping.", { headers });
}

/** Checks the calls at intervals until the service has stopped, and ends them while it stops. */
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

/** A signal that ends a question, and its cleanup. */
interface QuestionSignal {
  readonly signal: AbortSignal;
  /** Call it when the question is answered or failed. */
  readonly done: () => void;
}

/**
 * A signal that aborts when so many seconds have passed, its wait in line included, or the call
 * ends: the engine is then interrupted.
 */
export function questionSignal(ended: AbortSignal, seconds: number): QuestionSignal {
  const controller = new AbortController();
  const late = () => {
    const detail = `The request took longer than ${seconds} seconds. Use a shorter range.`;
    const headers = { "Retry-After": "1" };
    controller.abort(new ServiceError("deadline_exceeded", detail, { headers }));
  };
  const over = () => controller.abort(ended.reason);
  const timer = setTimeout(late, seconds * 1000);
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

import type { ServerResponse } from "node:http";
import { ServiceError } from "../platform/service-error.ts";

/** How long a question may take, its wait in line included. */
export const questionDeadlineMs = 10_000;

/** Ends a question that nobody waits for any more. */
export interface QuestionSignal {
  readonly signal: AbortSignal;
  /** To be called when the question is answered or failed. */
  readonly done: () => void;
}

/**
 * A signal that aborts when the deadline passes, or the client hangs up before it has its reply:
 * then the engine is interrupted instead of working for nobody.
 */
export function questionSignal(reply: ServerResponse): QuestionSignal {
  const controller = new AbortController();
  const abort = (detail: string) => () => {
    const headers = { "Retry-After": "1" };
    controller.abort(new ServiceError("deadline_exceeded", detail, { headers }));
  };
  const seconds = questionDeadlineMs / 1000;
  const late = abort(`The request took longer than ${seconds} seconds. Use a shorter range.`);
  const gone = abort("The client disconnected.");
  const timer = setTimeout(late, questionDeadlineMs);
  // It may have hung up while its session was checked: that event does not come again.
  if (reply.destroyed) gone();
  else reply.once("close", gone);
  return {
    signal: controller.signal,
    done: () => {
      clearTimeout(timer);
      reply.off("close", gone);
    },
  };
}

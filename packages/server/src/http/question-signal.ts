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

import { OtherRecordError, RecordError } from "../answers/answer-store.ts";
import { EngineAwayError, isEngineAway } from "../platform/engine-away.ts";

/** Where work failed in another thread. An error's class does not come through between threads. */
export type FailedStep = "other-record" | "record" | "record-away" | "extraction";

/** What another thread tells of a failure. */
export interface ThreadFailure {
  readonly failed: FailedStep;
  readonly error: string;
}

/** An error as it is told to another thread. */
export function threadFailure(error: unknown): ThreadFailure {
  const failed = failedStep(error);
  const { message, stack = message } = error instanceof Error ? error : new Error(String(error));
  return { failed, error: failed === "extraction" ? stack : message };
}

/** The error that another thread told of. */
export function failureOf({ failed, error }: ThreadFailure): Error {
  switch (failed) {
    case "other-record":
      return new OtherRecordError(error);
    case "record":
      return new RecordError(error);
    case "record-away":
      return new RecordError(new EngineAwayError(error));
    case "extraction":
      return new Error(`extraction failed: ${error}`);
  }
}

function failedStep(error: unknown): FailedStep {
  if (error instanceof OtherRecordError) return "other-record";
  if (!(error instanceof RecordError)) return "extraction";
  return isEngineAway(error) ? "record-away" : "record";
}

import { ApiError, ConnectionError, SightlineError, TimeoutError } from "@sightline/client";
import { shownText } from "./shown-text.ts";
import { ToolFault } from "./tool-fault.ts";

/** A failure's text is ours, but it may repeat input. */
const failureCharactersMax = 2_000;

/** The message of a failed call for a model: what happened and what to do. */
export function toolFailure(error: unknown, onUnforeseen: (error: unknown) => void): string {
  if (error instanceof ToolFault) return error.message;
  if (error instanceof ApiError) return shownText(refusalText(error), failureCharactersMax);
  if (error instanceof TimeoutError) {
    return "The service did not reply in time. Use a shorter period, or fewer items per call.";
  }
  if (error instanceof ConnectionError) {
    return (
      "The Sightline service could not be reached. Tell the user to check that it runs, and the " +
      "address that this tool was set up with."
    );
  }
  if (error instanceof SightlineError) return shownText(error.message, failureCharactersMax);
  onUnforeseen(error);
  return "The tool failed with an internal error, which is in its log. Retrying will not help.";
}

function refusalText(error: ApiError): string {
  const { code, detail, errors, requestId, retryAfter } = error;
  const faults = errors.map(({ path, message }) => `${path}: ${message}`);
  const parts = [detail, ...faults, adviceFor(code, retryAfter)];
  if (requestId !== null) parts.push(`(${code ?? error.status}, request ${requestId})`);
  return parts.filter((part) => part !== "").join(" ");
}

function adviceFor(code: ApiError["code"], retryAfter: number | undefined): string {
  const wait = retryAfter === undefined ? "a few" : String(retryAfter);
  switch (code) {
    case "rate_limited":
      return `Wait ${wait} seconds, then call again, one tool at a time.`;
    case "quota_exhausted":
      return `No call will work for ${wait} seconds: tell the user, and do not try again.`;
    case "session_required":
    case "session_invalid":
    case "key_invalid":
      return "Tell the user that the API key of this tool must be replaced; do not try again.";
    case "overloaded":
    case "facts_not_ready":
      return `Call again in ${wait} seconds.`;
    case "deadline_exceeded":
      return "Use a shorter period, or fewer items per call.";
    case "internal_error":
      return "Tell the user the request's id, by which its operator finds the failure.";
    default:
      return "";
  }
}

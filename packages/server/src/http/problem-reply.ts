import { errorCodes, type Problem, problemType } from "@sightline/contract";
import type { FastifyError } from "fastify";
import { ServiceError } from "../platform/service-error.ts";

/** A failure as it goes over the wire: status, header fields, and the body (RFC 9457). */
export interface ProblemReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The media type of every reply that is not 2xx. */
export const problemContentType = "application/problem+json";

/** Additional names for a failure's parts in the body, beside those of RFC 9457. */
export type ErrorNames = "descope" | null;

/** The reply to a failure. Only a ServiceError's public part shows. */
export function problemReply(
  error: ServiceError,
  requestId: string,
  names: ErrorNames = null,
): ProblemReply {
  const { status, title } = errorCodes[error.code];
  const problem: Problem = {
    type: problemType(error.code),
    title,
    status,
    detail: error.detail,
    code: error.code,
    requestId,
    ...(error.errors === undefined ? {} : { errors: [...error.errors] }),
    ...(names === null
      ? {}
      : { errorCode: error.code, errorDescription: title, errorMessage: error.detail }),
  };
  return { status, headers: error.headers, body: JSON.stringify(problem) };
}

/** Any failure as a ServiceError; what is not foreseen is an internal error, its text kept back. */
export function toServiceError(error: unknown, bodyBytesMax: number): ServiceError {
  if (error instanceof ServiceError) return error;
  switch ((error as Partial<FastifyError> | null)?.code) {
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return new ServiceError(
        "payload_too_large",
        `The body must be at most ${bodyBytesMax} bytes.`,
      );
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return unsupportedMediaType();
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
      return new ServiceError(
        "malformed_http",
        "The length of the body differs from Content-Length.",
      );
    case "FST_ERR_BAD_URL":
      return new ServiceError("not_found", "The request path is not a valid URL path.");
    case "FST_ERR_MAX_PARAM_LENGTH":
      return new ServiceError(
        "not_found",
        "The request path is longer than any path of this service.",
      );
    default:
      return new ServiceError(
        "internal_error",
        "The cause is in the service's log, under this requestId.",
        {
          cause: error,
        },
      );
  }
}

/** The refusal of a body that is not JSON by its own account. */
export function unsupportedMediaType(): ServiceError {
  return new ServiceError(
    "unsupported_media_type",
    "Send the body as JSON in UTF-8, with `Content-Type: application/json`.",
  );
}

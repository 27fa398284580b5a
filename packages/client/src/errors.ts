import type { ErrorCode } from "@sightline/contract";

/**
 * The base of every error of this client. (A call that its caller aborts rejects with the signal's
 * reason, as `fetch` does.)
 */
export class SightlineError extends Error {
  override readonly name: string = "SightlineError";
}

/** An invalid option or argument; nothing was sent. */
export class InvalidOptionError extends SightlineError {
  override readonly name: string = "InvalidOptionError";
}

/** The service could not be reached, or the connection was lost; `cause` is what `fetch` threw. */
export class ConnectionError extends SightlineError {
  override readonly name: string = "ConnectionError";
}

/** The call took longer than `timeoutMs`; `cause` is the failure that was retried, if any. */
export class TimeoutError extends SightlineError {
  override readonly name: string = "TimeoutError";
  readonly timeoutMs: number;

  constructor(timeoutMs: number, cause: unknown) {
    super(`No reply within ${timeoutMs} ms.`, { cause });
    this.timeoutMs = timeoutMs;
  }
}

/** The reply is not from a Sightline service: something else is at this address. */
export class UnexpectedReplyError extends SightlineError {
  override readonly name: string = "UnexpectedReplyError";
}

/** One fault of a request. */
export interface FieldFault {
  /** JSON Pointer (RFC 6901) into the request's body; the empty text is the body itself. */
  readonly path: string;
  readonly code: string;
  /** What the value must be, and what was sent. */
  readonly message: string;
}

/** The contents of an error reply. */
export interface Refusal {
  readonly status: number;
  /** Of v1's closed list, or another text of a newer service; null when none was sent. */
  readonly code: ErrorCode | (string & Record<never, never>) | null;
  /** What happened, and what to do. */
  readonly detail: string;
  /** Identifies the call in the service's log. Null when the reply has none. */
  readonly requestId: string | null;
  /** With status 400: what is wrong, field by field; otherwise empty. */
  readonly errors: readonly FieldFault[];
  /** Seconds to wait before the next call. Undefined when the reply does not say. */
  readonly retryAfter: number | undefined;
}

/** The service replied, but not with 200. Each status that it uses has its own class. */
export class ApiError extends SightlineError implements Refusal {
  override readonly name: string = "ApiError";
  readonly status: number;
  readonly code: Refusal["code"];
  readonly detail: string;
  readonly requestId: string | null;
  readonly errors: readonly FieldFault[];
  readonly retryAfter: number | undefined;

  constructor(refusal: Refusal) {
    super(messageOf(refusal));
    this.status = refusal.status;
    this.code = refusal.code;
    this.detail = refusal.detail;
    this.requestId = refusal.requestId;
    this.errors = refusal.errors;
    this.retryAfter = refusal.retryAfter;
  }
}

/** 400: the request is invalid; `errors` says where. */
export class InvalidRequestError extends ApiError {
  override readonly name = "InvalidRequestError";
}

/** 401: the key, or the given session, is invalid or no longer valid. */
export class UnauthorizedError extends ApiError {
  override readonly name = "UnauthorizedError";
}

/** 403: the key lacks the scope, or pages of this origin are not allowed here. */
export class ForbiddenError extends ApiError {
  override readonly name = "ForbiddenError";
}

/** 404: nothing has this id; or `baseUrl` is wrong, or the service older. */
export class NotFoundError extends ApiError {
  override readonly name = "NotFoundError";
}

/** 405: the address takes another method. */
export class MethodNotAllowedError extends ApiError {
  override readonly name = "MethodNotAllowedError";
}

/** 408: the request did not arrive in time. */
export class RequestTimeoutError extends ApiError {
  override readonly name = "RequestTimeoutError";
}

/** 409: the service cannot do it as it stands, such as asking without a credential. */
export class ConflictError extends ApiError {
  override readonly name = "ConflictError";
}

/** 412: what was to be changed has another entity tag by now; nothing was changed. */
export class PreconditionFailedError extends ApiError {
  override readonly name = "PreconditionFailedError";
}

/** 413: the filters are too long. */
export class PayloadTooLargeError extends ApiError {
  override readonly name = "PayloadTooLargeError";
}

/** 415: something between changed the request's content type. */
export class UnsupportedMediaTypeError extends ApiError {
  override readonly name = "UnsupportedMediaTypeError";
}

/** 421: the service does not answer under the host of `baseUrl`. */
export class MisdirectedRequestError extends ApiError {
  override readonly name = "MisdirectedRequestError";
}

/** 429: too many calls; `retryAfter` says when the next one passes. */
export class RateLimitError extends ApiError {
  override readonly name = "RateLimitError";
}

/** 429 with `quota_exhausted`: the day's calls are used up; `retryAfter` leads to the next day. */
export class QuotaExhaustedError extends ApiError {
  override readonly name = "QuotaExhaustedError";
}

/** 431: the header fields are too large. */
export class HeadersTooLargeError extends ApiError {
  override readonly name = "HeadersTooLargeError";
}

/** 500: the service made a mistake; its operator finds it in the log by `requestId`. */
export class InternalError extends ApiError {
  override readonly name = "InternalError";
}

/** 503: the service has too much to do, took too long, or still builds the account's facts. */
export class OverloadedError extends ApiError {
  override readonly name = "OverloadedError";
}

/** 507: the service has no disk space for answers; what was accepted before is recorded. */
export class StorageFullError extends ApiError {
  override readonly name = "StorageFullError";
}

const classes: Readonly<Record<number, new (refusal: Refusal) => ApiError>> = {
  400: InvalidRequestError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  405: MethodNotAllowedError,
  408: RequestTimeoutError,
  409: ConflictError,
  412: PreconditionFailedError,
  413: PayloadTooLargeError,
  415: UnsupportedMediaTypeError,
  421: MisdirectedRequestError,
  429: RateLimitError,
  431: HeadersTooLargeError,
  500: InternalError,
  503: OverloadedError,
  507: StorageFullError,
};

/** The error of a refusal, in the class of its status. */
export function apiError(refusal: Refusal): ApiError {
  if (refusal.status === 429 && refusal.code === "quota_exhausted") {
    return new QuotaExhaustedError(refusal);
  }
  return new (classes[refusal.status] ?? ApiError)(refusal);
}

function messageOf({ status, code, detail, requestId, errors }: Refusal): string {
  const faults = errors.map(
    ({ path, message }) => `\n  ${path === "" ? "body" : path}: ${message}`,
  );
  const request = requestId === null ? "" : ` (request ${requestId})`;
  return `${status} ${code ?? "without a code"}: ${detail}${request}${faults.join("")}`;
}

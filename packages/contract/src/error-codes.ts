/**
 * Every error code that the service can send, with its HTTP status and title. The list is closed:
 * a client may switch on it, and goes by the status when a later version has a code more. Each
 * code has a page, docs/errors/<code>.md.
 */
export const errorCodes = {
  malformed_json: { status: 400, title: "The body is not JSON" },
  invalid_request: { status: 400, title: "The request is not valid" },
  malformed_http: { status: 400, title: "The HTTP request could not be read" },
  session_required: { status: 401, title: "A session token is required" },
  session_invalid: { status: 401, title: "The session token is not valid" },
  key_invalid: { status: 401, title: "The API key is not valid" },
  origin_not_allowed: { status: 403, title: "Origin not allowed" },
  not_found: { status: 404, title: "There is nothing at this address" },
  method_not_allowed: { status: 405, title: "Method not allowed" },
  request_timeout: { status: 408, title: "The request did not arrive in time" },
  payload_too_large: { status: 413, title: "The body is too large" },
  unsupported_media_type: { status: 415, title: "The body must be application/json" },
  host_not_allowed: { status: 421, title: "Host not allowed" },
  rate_limited: { status: 429, title: "Too many calls" },
  quota_exhausted: { status: 429, title: "The day's calls are used up" },
  headers_too_large: { status: 431, title: "The header fields are too large" },
  internal_error: { status: 500, title: "The service made a mistake" },
  facts_not_ready: { status: 503, title: "The account's facts are being built" },
  overloaded: { status: 503, title: "The service has too much to do" },
  deadline_exceeded: { status: 503, title: "The question took too long" },
  shutting_down: { status: 503, title: "The service is stopping" },
} as const satisfies Record<string, { readonly status: number; readonly title: string }>;

/** One of the closed list of error codes. */
export type ErrorCode = keyof typeof errorCodes;

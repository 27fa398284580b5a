/**
 * Every error code that the service can send, with its HTTP status and title. The list is closed: a
 * client may switch on it, and treats a code of a later version by its status. Each code has a
 * page, docs/errors/<code>.md.
 */
export const errorCodes = {
  malformed_json: { status: 400, title: "Malformed JSON" },
  invalid_request: { status: 400, title: "Invalid request" },
  malformed_http: { status: 400, title: "Malformed HTTP request" },
  session_required: { status: 401, title: "Session token required" },
  session_invalid: { status: 401, title: "Invalid session token" },
  key_invalid: { status: 401, title: "Invalid API key" },
  origin_not_allowed: { status: 403, title: "Origin not allowed" },
  scope_missing: { status: 403, title: "Scope missing" },
  not_from_console: { status: 403, title: "Not from the console" },
  not_found: { status: 404, title: "Not found" },
  answer_not_found: { status: 404, title: "Answer not found" },
  method_not_allowed: { status: 405, title: "Method not allowed" },
  collection_off: { status: 409, title: "Collection off" },
  request_timeout: { status: 408, title: "Request timeout" },
  precondition_failed: { status: 412, title: "Precondition failed" },
  payload_too_large: { status: 413, title: "Payload too large" },
  unsupported_media_type: { status: 415, title: "Unsupported media type" },
  host_not_allowed: { status: 421, title: "Host not allowed" },
  rate_limited: { status: 429, title: "Rate limit exceeded" },
  quota_exhausted: { status: 429, title: "Daily quota exhausted" },
  headers_too_large: { status: 431, title: "Request header fields too large" },
  internal_error: { status: 500, title: "Internal server error" },
  storage_full: { status: 507, title: "Storage full" },
  facts_not_ready: { status: 503, title: "Facts not ready" },
  overloaded: { status: 503, title: "Service overloaded" },
  deadline_exceeded: { status: 503, title: "Deadline exceeded" },
  shutting_down: { status: 503, title: "Service shutting down" },
} as const satisfies Record<string, { readonly status: number; readonly title: string }>;

/** One of the closed list of error codes. */
export type ErrorCode = keyof typeof errorCodes;

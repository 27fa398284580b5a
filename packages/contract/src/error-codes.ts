/**
 * Every error code that the service can send, with its HTTP status and title. The list is closed: a
 * client may switch on it, and treats a code of a later version by its status. docs/errors.md
 * explains each.
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

/** What a reply with an error code has beyond its status and title, as its page shows it. */
export interface ErrorExample {
  readonly detail: string;
  /** Header fields of the reply. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Faults of single fields. */
  readonly errors?: readonly object[];
}

const exampleFaults = [
  {
    path: "/interval",
    code: "not_allowed",
    message: 'must be daily, weekly or monthly, got "hourly".',
  },
  { path: "/filters/branded", code: "wrong_type", message: 'must be a boolean, got "true".' },
  {
    path: "/filters/provider",
    code: "unknown_field",
    message: '"provider" is not a known field. Did you mean providers?',
  },
];

/** An example of each code's reply. What causes the code, and what to do, is in docs/errors.md. */
export const errorExamples: Readonly<Record<ErrorCode, ErrorExample>> = {
  malformed_json: { detail: "Unexpected end of JSON input." },
  invalid_request: {
    detail: exampleFaults.map(({ path, message }) => `${path}: ${message}`).join(" "),
    errors: exampleFaults,
  },
  malformed_http: { detail: "The HTTP parser rejected the request." },
  session_required: {
    detail: "Send `Authorization: Bearer <session token>`; the exchange gives one for an API key.",
    fields: { "WWW-Authenticate": "Bearer" },
  },
  session_invalid: {
    detail: "The token is malformed, expired or revoked. Exchange the API key again and retry.",
    fields: { "WWW-Authenticate": 'Bearer error="invalid_token"' },
  },
  key_invalid: {
    detail:
      "Send a valid API key as `Authorization: Bearer <key>`. `sightline keys create` makes one.",
    fields: { "WWW-Authenticate": 'Bearer error="invalid_token"' },
  },
  origin_not_allowed: {
    detail:
      "Pages of another origin cannot call the tools. " +
      "Call them from a program that sends no Origin.",
  },
  scope_missing: {
    detail:
      "This operation needs a key with the scope read; yours has import. " +
      "Create one with `sightline keys create --scope read`.",
  },
  not_from_console: {
    detail:
      "Only the console's own page may ask here: with the header field `Sightline-Console: 1`, " +
      "and from the same origin. " +
      "Programs use /v1 with a session token.",
  },
  not_found: { detail: "See /openapi.json for the paths of this service." },
  answer_not_found: { detail: "The account has no answer with this id." },
  method_not_allowed: {
    detail: "This path does not accept GET. Use POST.",
    fields: { Allow: "POST" },
  },
  collection_off: {
    detail: "No process that collects has a credential of openai. Set SIGHTLINE_OPENAI_KEY.",
  },
  request_timeout: {
    detail: "Send the header within 10 seconds and the whole request within 30 seconds.",
  },
  precondition_failed: {
    detail:
      'The workspace has the ETag "4", which If-Match does not name. Nothing was changed. ' +
      "Read the workspace again and repeat your change.",
    fields: { ETag: '"4"' },
  },
  payload_too_large: { detail: "The body must be at most 1048576 bytes." },
  unsupported_media_type: {
    detail: "Send the body as JSON in UTF-8, with `Content-Type: application/json`.",
  },
  host_not_allowed: {
    detail: "This host is not in --allowed-hosts. Use a host name that the operator configured.",
  },
  rate_limited: {
    detail: "The rate limit of this key is 20/s. Wait Retry-After seconds, then call more slowly.",
  },
  quota_exhausted: {
    detail: "The daily quota of 100000 calls is used up. It resets in Retry-After seconds.",
  },
  headers_too_large: { detail: "Send at most 16 KiB of header fields." },
  internal_error: { detail: "The cause is in the service's log, under this requestId." },
  storage_full: { detail: "No space is left. 4000 answers were accepted before and are recorded." },
  facts_not_ready: {
    detail: "The account's facts are being built from its recorded answers. Retry shortly.",
    fields: { "Retry-After": "1" },
  },
  overloaded: {
    detail: "Too many requests of this account are queued.",
    fields: { "Retry-After": "1" },
  },
  deadline_exceeded: {
    detail: "The request took longer than 10 seconds. Use a shorter range.",
    fields: { "Retry-After": "1" },
  },
  shutting_down: { detail: "The service is finishing its requests before it stops." },
};

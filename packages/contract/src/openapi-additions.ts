import type { ErrorCode } from "./error-codes.ts";
import type { Json } from "./openapi-parts.ts";

/** What the descriptions of additions begin with. */
export const addition = "An addition to the published interface, which has no such operation.";

/** What the descriptions of operations for managing end with. */
export const needsManage = "The key needs the scope manage.";

/** An addition that a session is asked for. */
export const ofSession = { "x-sightline-addition": true, security: [{ session: [] }] };

/** What an operation without a body may be refused with. */
export const listErrors: readonly ErrorCode[] = [
  "session_invalid",
  "scope_missing",
  "rate_limited",
  "internal_error",
  "overloaded",
];

/** What one that writes may be refused with. */
export const changeErrors: readonly ErrorCode[] = [...listErrors, "storage_full"];

/** What one that writes what its body says may be refused with. */
export const bodyErrors: readonly ErrorCode[] = [
  "invalid_request",
  ...changeErrors,
  "payload_too_large",
  "unsupported_media_type",
];

/** The id in an operation's path. */
export function idInPath(name: string, description: string, example?: string): Json {
  return {
    name,
    in: "path",
    required: true,
    description,
    schema: { type: "string", format: "uuid" },
    ...(example === undefined ? {} : { example }),
  };
}

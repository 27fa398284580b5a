import { type ErrorCode, errorCodes } from "./error-codes.ts";
import { requestExamples } from "./openapi-examples.ts";
import type { SchemaName } from "./openapi-schemas.ts";

/** A JSON object of the document. */
export type Json = Readonly<Record<string, unknown>>;

/** What any question may be refused with. */
export const analyticsErrors: readonly ErrorCode[] = [
  "invalid_request",
  "session_invalid",
  "scope_missing",
  "payload_too_large",
  "unsupported_media_type",
  "rate_limited",
  "internal_error",
  "overloaded",
];

/** A reference to a component. */
export function reference(name: SchemaName): Json {
  return { $ref: `#/components/schemas/${name}` };
}

/** A JSON body with its example, which a test asks. */
export function jsonBody(name: keyof typeof requestExamples): Json {
  const content = { schema: reference(name), example: requestExamples[name] };
  return { required: true, content: { "application/json": content } };
}

/** A successful reply: its schema, and an example that a test verifies. */
export interface DescribedReply {
  readonly schema: SchemaName;
  readonly example?: Json;
  /** Header fields of the 200. */
  readonly headers?: Json;
}

/** The replies of an operation: the 200, and a problem for the status of each code. */
export function replies(
  { schema, example, headers }: DescribedReply,
  description: string,
  errors: readonly ErrorCode[],
): Json {
  const failures = errors.map((code) => {
    const { status, title } = errorCodes[code];
    const fields = headersByStatus[status];
    const described = fields === undefined ? {} : { headers: fields };
    const content = { "application/problem+json": { schema: reference("ProblemDto") } };
    return [String(status), { description: title, ...described, content }] as const;
  });
  const content = { schema: reference(schema), ...(example === undefined ? {} : { example }) };
  return {
    "200": {
      description,
      ...(headers === undefined ? {} : { headers }),
      content: { "application/json": content },
    },
    ...Object.fromEntries(failures),
  };
}

const retryAfter = {
  "Retry-After": {
    description: "Seconds to wait before retrying the call.",
    schema: { type: "integer", minimum: 0 },
  },
} as const;

const headersByStatus: Readonly<Record<number, Json>> = {
  401: { "WWW-Authenticate": { description: "RFC 6750 challenge.", schema: { type: "string" } } },
  429: retryAfter,
  503: retryAfter,
};

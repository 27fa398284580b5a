import { z } from "zod";
import { type ErrorCode, errorCodes } from "./error-codes.ts";
import { components, mayGrow } from "./schema-marks.ts";
import { strictObject } from "./strict-object.ts";

const codes = Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]];

/** A fault of one field of a request. */
const fieldErrorSchema = strictObject({
  path: z.string().describe("JSON Pointer (RFC 6901) into the request's body."),
  code: z.string(),
  message: z.string().describe("What the value must be, and what was sent."),
}).register(components, { id: "FieldErrorDto" });

/** Body of every reply that is not 2xx: RFC 9457, as application/problem+json. */
export const problemSchema = strictObject({
  type: z.string().describe("Relative link to the code's documentation page."),
  title: z.string(),
  status: z.int().min(400).max(599),
  detail: z.string().describe("What happened, and what to do."),
  code: z.enum(codes).meta(mayGrow).describe("A later version may have more: go by the status."),
  requestId: z.string().describe("Equal to the X-Request-Id field and to the service's log."),
  errors: z
    .array(fieldErrorSchema)
    .optional()
    .describe("With status 400: what is wrong, field by field."),
  errorCode: z.string().optional().describe("On the exchange: `code`, as Descope names it."),
  errorDescription: z.string().optional().describe("On the exchange: `title`."),
  errorMessage: z.string().optional().describe("On the exchange: `detail`."),
}).register(components, { id: "ProblemDto" });

/** Body of every reply that is not 2xx. */
export type Problem = Readonly<z.infer<typeof problemSchema>>;

/** The relative link to a code's documentation page. */
export function problemType(code: ErrorCode): string {
  return `/docs/errors/${code}`;
}

/**
 * Every way in which a change breaks a client of the interface, with what to do instead. A client
 * is one that keeps to the document: it sends what was allowed and takes what was promised. New
 * operations, statuses of errors, fields and headers of replies, and optional fields of requests
 * break nobody: readers of a reply ignore names that they do not know.
 */
export const breakRules = {
  "operation-removed": "keep the operation, and mark it as deprecated",
  "operation-renamed": "keep the operationId: generated clients call the operation by it",
  "component-removed": "keep the component's name: generated types are called by it",
  "server-removed": "keep the server's address",
  "security-changed": "keep every way of proving who asks that there was",
  "parameter-required": "make the parameter optional",
  "parameter-removed": "keep the parameter",
  "body-required": "take requests without a body, as before",
  "body-removed": "keep the body",
  "media-type-removed": "keep the media type beside the new one",
  "status-removed": "keep the status, or document that it is not sent any more in a new version",
  "success-added": "answer with the statuses that there were: clients know no other success",
  "header-removed": "keep the header field",
  "request-field-required": "make the field optional, with what held before as its default",
  "request-field-refused": "go on taking the field",
  "request-value-narrowed": "go on taking every value that was taken",
  "request-limit-narrowed": "keep the limit as wide as it was",
  "request-form-changed": "go on taking every text that was taken",
  "request-default-changed": "keep the default: requests that leave the field out mean it",
  "response-field-removed": "keep the field; one of another name may stand beside it",
  "response-field-optional": "go on sending the field in every reply",
  "response-value-widened": "send only values that clients were told of",
  "response-limit-widened": "keep to the limit that clients were told of",
  "response-form-changed": "keep the form that clients were told of",
  "keyword-unknown": "teach the comparison what a change of this keyword means",
} as const satisfies Record<string, string>;

/** The name of one way to break a client. */
export type BreakRule = keyof typeof breakRules;

/** A place at which the interface of today breaks a client of the one before. */
export interface Break {
  readonly rule: BreakRule;
  /** JSON Pointer: of what is gone, into the document before; of all else, into today's. */
  readonly pointer: string;
  /** What was and what is. */
  readonly message: string;
}

/** A break as a line for people. */
export function breakText({ rule, pointer, message }: Break): string {
  return `${pointer} (${rule}): ${message}. Instead: ${breakRules[rule]}.`;
}

import type { z } from "zod";
import { nearestName } from "./nearest-name.ts";
import { quoted, quotedCharactersMax } from "./quoted.ts";

/** What can be wrong with one field. The list is closed. */
export type FieldErrorCode =
  | "missing"
  | "wrong_type"
  | "unknown_field"
  | "not_allowed"
  | "too_small"
  | "too_large"
  | "wrong_format"
  | "excluded"
  | "wrong_order";

/** One fault of a request or a file: where it is, what was found there and what is allowed. */
export interface FieldError {
  /** JSON Pointer (RFC 6901) into the document; the empty text is the document itself. */
  readonly path: string;
  readonly code: FieldErrorCode;
  /** For people: what was got and what is allowed. */
  readonly message: string;
}

type Issue = z.core.$ZodIssue;

/** The most faults that one reply names; a request with more is as wrong with the first ones. */
export const fieldErrorsMax = 20;

/**
 * The faults of a failed parse, in the order in which zod found them, at most fieldErrorsMax.
 * Parse with `reportInput: true`, or the messages cannot say what was got.
 */
export function fieldErrors(error: z.core.$ZodError): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const issue of error.issues) {
    const room = fieldErrorsMax - errors.length;
    if (room === 0) break;
    errors.push(...describe(issue, room));
  }
  return errors;
}

/** A JSON Pointer (RFC 6901) from path segments. */
export function jsonPointer(segments: readonly PropertyKey[]): string {
  return segments
    .map((segment) => `/${String(segment).replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");
}

/** At most `room` faults: a hostile body has a hundred thousand unknown fields in one issue. */
function describe(issue: Issue, room: number): readonly FieldError[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.slice(0, room).map((key) => unknownField(issue, key));
  }
  return [
    { path: jsonPointer(issue.path), code: codeOf(issue), message: sentence(messageOf(issue)) },
  ];
}

function unknownField(issue: Issue, key: string): FieldError {
  const known = issue.message.split(" ").filter((name) => name !== "");
  const nearest = nearestName(key, known);
  const advice = nearest === null ? `allowed are ${known.join(", ")}` : `did you mean ${nearest}?`;
  // A name too long to be shown is not repeated: the pointer leads to the object that holds it.
  const isShort = key.length <= quotedCharactersMax;
  return {
    path: jsonPointer(isShort ? [...issue.path, key] : issue.path),
    code: "unknown_field",
    message: sentence(`${quoted(key)} is not a known field; ${advice}`),
  };
}

function codeOf(issue: Issue): FieldErrorCode {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "missing" : "wrong_type";
    case "invalid_value":
      return issue.input === undefined ? "missing" : "not_allowed";
    case "too_small":
      return "too_small";
    case "too_big":
      return "too_large";
    case "custom":
      return (issue.params?.["code"] as FieldErrorCode | undefined) ?? "wrong_format";
    case "invalid_union":
      return issue.input === undefined ? "missing" : "wrong_type";
    default:
      return "wrong_format";
  }
}

function messageOf(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return `${got(issue.input)}; allowed is ${article(issue.expected)}`;
    case "invalid_value":
      return `${got(issue.input)}; ${adviceOf(issue.input, issue.values.map(String))}`;
    case "too_small": {
      const bound = issue.inclusive ? "at least" : "more than";
      return `got ${size(issue)}; allowed is ${bound} ${issue.minimum}`;
    }
    case "too_big": {
      const bound = issue.inclusive ? "at most" : "less than";
      return `got ${size(issue)}; allowed is ${bound} ${issue.maximum}`;
    }
    case "custom":
      return issue.message;
    default:
      return `got ${shown(issue.input)}; ${issue.message}`;
  }
}

/** All of the allowed values, and the nearest one. */
function adviceOf(input: unknown, values: readonly string[]): string {
  const nearest = typeof input === "string" ? nearestName(input, values) : null;
  const allowed = `allowed are ${values.join(", ")}`;
  return nearest === null ? allowed : `${allowed}. Did you mean ${nearest}?`;
}

function got(input: unknown): string {
  return input === undefined ? "is required" : `got ${shown(input)}`;
}

function article(expected: string): string {
  const kind = expected === "int" ? "integer" : expected;
  return /^[aeiou]/.test(kind) ? `an ${kind}` : `a ${kind}`;
}

function size(issue: { readonly input?: unknown; readonly origin: string }): string {
  if (Array.isArray(issue.input)) return `${issue.input.length} items`;
  if (typeof issue.input === "string") return `${issue.input.length} characters`;
  return shown(issue.input);
}

/** A value as a message shows it: short, and never more than its beginning. */
function shown(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  return typeof value === "string" ? quoted(value) : String(value);
}

function sentence(text: string): string {
  return /[.?]$/.test(text) ? text : `${text}.`;
}

import type { z } from "zod";
import { nearestName } from "./nearest-name.ts";
import { quoted, quotedCharactersMax } from "./quoted.ts";

/** The kinds of faults of one field. The list is closed. */
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

/** One fault of a request or a file: where it is, what must stand there and what was sent. */
export interface FieldError {
  /** JSON Pointer (RFC 6901) into the document; the empty text is the document itself. */
  readonly path: string;
  readonly code: FieldErrorCode;
  /** For people: what the value must be, and what was sent. */
  readonly message: string;
}

type Issue = z.core.$ZodIssue;

/** The maximum number of faults in one reply. */
export const fieldErrorsMax = 20;

/**
 * The faults of a failed parse, in zod's order, at most fieldErrorsMax. Parse with `reportInput:
 * true`, or the messages cannot say what was sent.
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
  const advice =
    nearest === null ? `Known fields: ${known.join(", ")}` : `Did you mean ${nearest}?`;
  // A name too long to be shown is not repeated: the pointer is that of the enclosing object.
  const isShort = key.length <= quotedCharactersMax;
  return {
    path: jsonPointer(isShort ? [...issue.path, key] : issue.path),
    code: "unknown_field",
    message: sentence(`${quoted(key)} is not a known field. ${advice}`),
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
      return demanded(`must be ${article(issue.expected)}`, issue.input);
    case "invalid_value": {
      const values = issue.values.map(String);
      const message = demanded(`must be ${alternatives(values)}`, issue.input);
      return `${message}${hint(issue.input, values)}`;
    }
    case "too_small":
      return outOfBounds(
        issue,
        `${issue.inclusive ? "at least" : "greater than"} ${issue.minimum}`,
      );
    case "too_big":
      return outOfBounds(issue, `${issue.inclusive ? "at most" : "less than"} ${issue.maximum}`);
    case "custom":
      return issue.message;
    default:
      return demanded(issue.message, issue.input);
  }
}

/** What a value must be, and what was sent; for a missing field, that it is required. */
function demanded(must: string, input: unknown): string {
  return input === undefined ? `is required and ${must}` : `${must}, got ${shown(input)}`;
}

/** A schema with both bounds states them in its own message, which begins with "must". */
function outOfBounds(issue: Issue, bound: string): string {
  const { input } = issue;
  if (issue.message.startsWith("must ")) return demanded(issue.message, input);
  if (Array.isArray(input)) return `must have ${bound} items, got ${input.length}`;
  if (typeof input === "string") return `must have ${bound} characters, got ${input.length}`;
  return demanded(`must be ${bound}`, input);
}

function alternatives(values: readonly string[]): string {
  const last = values.at(-1) ?? "";
  return values.length < 2 ? last : `${values.slice(0, -1).join(", ")} or ${last}`;
}

function hint(input: unknown, values: readonly string[]): string {
  const nearest = typeof input === "string" ? nearestName(input, values) : null;
  return nearest === null ? "" : `. Did you mean ${nearest}?`;
}

/** What JSON calls it, where zod has another name. */
const kinds: Readonly<Record<string, string>> = { int: "integer", tuple: "array" };

function article(expected: string): string {
  const kind = kinds[expected] ?? expected;
  return /^[aeiou]/.test(kind) ? `an ${kind}` : `a ${kind}`;
}

/** A value in a message: short, and truncated if necessary. */
function shown(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  return typeof value === "string" ? quoted(value) : String(value);
}

function sentence(text: string): string {
  return /[.?]$/.test(text) ? text : `${text}.`;
}

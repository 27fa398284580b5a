import type { z } from "zod";
import type { ErrorCode } from "./error-codes.ts";
import type { Scope } from "./scopes.ts";

/** A JSON object of the document. */
export type Json = Readonly<Record<string, unknown>>;

/**
 * What an operation is for all who serve it, call it or describe it. The document has its words in
 * the order in which they are declared.
 */
export interface DeclaredOperation {
  readonly tag: string;
  readonly summary: string;
  /** What it does; that it is an addition, and the scope that it needs, is said for it. */
  readonly description: string;
  /** The scope that the session's key needs; null: it takes the static key itself. */
  readonly scope: Scope | null;
  /** One of the published interface's six; all others are additions. */
  readonly isPublished?: true;
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Its address; a variable part is `{name}`. */
  readonly path: string;
  readonly parameters?: readonly Json[];
  /** By media type. */
  readonly body?: Readonly<Record<string, DeclaredBody>>;
  readonly reply: DeclaredReply;
  /** What it may be refused with in addition to what all of its kind may be. */
  readonly errors?: readonly ErrorCode[];
}

/** The operations of a capability, by the name that generated clients give them. */
export type DeclaredOperations = Readonly<Record<string, DeclaredOperation>>;

/** A body, with an example that a test asks. */
interface DeclaredBody {
  /** A component, or a schema of JSON where the body is not JSON. */
  readonly schema: z.ZodType | Json;
  readonly example: unknown;
}

/** A successful reply: its component, and an example that a test verifies. */
interface DeclaredReply {
  readonly schema: z.ZodType;
  readonly description: string;
  readonly example?: object;
  /** Header fields. */
  readonly headers?: Json;
  /** What the same as a reply with 202 says; omitted: there is none. */
  readonly accepted?: string;
}

/** A body of JSON, with an example that a test asks. */
export function json(schema: z.ZodType, example: unknown) {
  return { "application/json": { schema, example } } as const satisfies DeclaredOperation["body"];
}

/** The id in an operation's path. */
export function idInPath(name: string, description: string, example?: string): Json {
  const schema = { type: "string", format: "uuid" };
  const shown = example === undefined ? {} : { example };
  return { name, in: "path", required: true, description, schema, ...shown };
}

import type { ErrorCode, FieldError } from "@sightline/contract";

/** What a ServiceError may carry in addition to its public text. */
export interface ServiceErrorOptions {
  /** Field by field, for status 400. */
  readonly errors?: readonly FieldError[];
  /** Header fields of the reply, such as Retry-After. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The internal reason: logged, never sent. */
  readonly cause?: unknown;
}

/** A failure with a code of the closed list. `detail` is public; `cause` is not. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly errors: readonly FieldError[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, detail: string, options: ServiceErrorOptions = {}) {
    super(`${code}: ${detail}`, options.cause === undefined ? {} : { cause: options.cause });
    this.name = "ServiceError";
    this.code = code;
    this.detail = detail;
    this.errors = options.errors;
    this.headers = options.headers ?? {};
  }
}

import { type ApiError, apiError, type FieldFault } from "./errors.ts";

/** The maximum length of any text taken from an error reply. */
const textCharactersMax = 1_000;
/** The maximum number of faults taken; the service sends 20. */
const faultsMax = 100;

/**
 * The error of a reply that is not 2xx. A proxy's page is not a problem document: its missing
 * fields are null, and none of it is shown.
 */
export function readRefusal({ status, headers }: Response, text: string): ApiError {
  const problem = objectOf(parsed(text));
  const code = textOf(problem["code"]);
  const requestId = textOf(problem["requestId"]) ?? textOf(headers.get("x-request-id"));
  return apiError({
    status,
    code,
    detail: textOf(problem["detail"]) ?? "The reply does not say why.",
    requestId,
    errors: faultsOf(problem["errors"]),
    retryAfter: retryAfterOf(headers),
  });
}

/** A text parsed as JSON; undefined when it is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The properties of an object; none when it is something else. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/**
 * A text that is safe to print: characters that control a terminal or the writing direction are
 * replaced, and a long text is truncated. Null when it is not text.
 */
function textOf(value: unknown): string | null {
  if (typeof value !== "string" || value === "") return null;
  return value.slice(0, textCharactersMax).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\ufffd");
}

function faultsOf(value: unknown): readonly FieldFault[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, faultsMax).map((each: unknown) => {
    const { path, code, message } = objectOf(each);
    return { path: textOf(path) ?? "", code: textOf(code) ?? "", message: textOf(message) ?? "" };
  });
}

/** `Retry-After` in seconds, from either of its forms (RFC 9110, 10.2.3). */
function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get("retry-after");
  if (text === null) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  // By the service's clock, since the client's may be wrong.
  const seconds = (Date.parse(text) - Date.parse(headers.get("date") ?? "")) / 1_000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}

import { isUtf8 } from "node:buffer";
import type { IncomingHttpHeaders } from "node:http";
import { fieldErrors, quoted } from "@sightline/contract";
import type { ZodType } from "zod";
import { type JsonBounds, scanJson } from "../platform/scan-json.ts";
import { ServiceError } from "../platform/service-error.ts";
import { unsupportedMediaType } from "./problems.ts";

/** Why a body is refused for what its fields say of it; null: it says that it is plain JSON. */
export function bodyFault(headers: IncomingHttpHeaders): ServiceError | null {
  if (!isJsonContentType(headers["content-type"])) return unsupportedMediaType();
  const coding = headers["content-encoding"];
  if (coding === undefined || ["", "identity"].includes(coding.toLowerCase())) return null;
  return new ServiceError(
    "unsupported_media_type",
    `Send the body uncompressed: \`Content-Encoding\` must be absent, got ${quoted(coding)}.`,
    { headers: { "Accept-Encoding": "identity" } }, // RFC 9110, 15.5.16
  );
}

/** No request of ours is deeper than four brackets, and no object of ours has ten names. */
const bodyBounds: JsonBounds = { depthMax: 32, namesMax: 1_000 };

/**
 * The value of a JSON body.
 * @throws ServiceError malformed_json; invalid_request when it is too deep or has too many names.
 */
export function parseJsonBody(body: unknown): unknown {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  if (bytes.length === 0) throw new ServiceError("malformed_json", "The body is empty.");
  if (!isUtf8(bytes)) throw new ServiceError("malformed_json", "The body is not UTF-8.");
  const text = bytes.toString("utf8");
  const { beyond, repeatedName } = scanJson(text, bodyBounds);
  if (beyond !== null) throw tooLarge(`${beyond}.`);
  const value = parsed(text);
  if (repeatedName === null) return value;
  const detail = `Duplicate name ${quoted(repeatedName)} in one object.`;
  throw new ServiceError("malformed_json", detail);
}

function tooLarge(message: string): ServiceError {
  const errors = [{ path: "", code: "too_large", message }] as const;
  return new ServiceError("invalid_request", `/: ${message}`, { errors });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ServiceError("malformed_json", `${reason}.`);
  }
}

/**
 * Whether a Content-Type field says JSON in UTF-8. It is cut up rather than matched: a pattern
 * with optional spaces takes minutes for a field of 16 KiB that anybody may send.
 */
export function isJsonContentType(field: string | undefined): boolean {
  if (field === "application/json") return true; // as nearly all clients write it
  const [mediaType, ...parameters] = (field ?? "")
    .toLowerCase()
    .split(";")
    .map((part) => part.trim());
  return (
    mediaType === "application/json" &&
    parameters.every((each) => ["", "charset=utf-8", 'charset="utf-8"'].includes(each))
  );
}

/**
 * The body as its schema describes it.
 * @throws ServiceError invalid_request with every fault, up to the contract's most.
 */
export function validated<Body>(schema: ZodType<Body>, body: unknown): Body {
  const parsed = schema.safeParse(body, { reportInput: true });
  if (parsed.success) return parsed.data;
  const errors = fieldErrors(parsed.error);
  const detail = errors.map(({ path, message }) => `${path || "/"}: ${message}`).join(" ");
  throw new ServiceError("invalid_request", detail, { errors });
}

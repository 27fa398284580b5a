import { isUtf8 } from "node:buffer";
import { ServiceError } from "../platform/service-error.ts";

/** The value of a JSON body. @throws ServiceError malformed_json. */
export function parseJsonBody(body: unknown): unknown {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  if (bytes.length === 0) throw new ServiceError("malformed_json", "The body is empty.");
  if (!isUtf8(bytes)) throw new ServiceError("malformed_json", "The body is not UTF-8.");
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ServiceError("malformed_json", `${reason}.`);
  }
}

/** Whether a Content-Type field says JSON in UTF-8. */
export function isJsonContentType(field: string | undefined): boolean {
  return /^application\/json *(; *charset="?utf-8"?)? *;? *$/i.test(field ?? "");
}

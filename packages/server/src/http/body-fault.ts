import type { IncomingHttpHeaders } from "node:http";
import { quoted } from "@sightline/contract";
import { ServiceError } from "../platform/service-error.ts";
import { isJsonContentType } from "./json-body.ts";
import { unsupportedMediaType } from "./problem-reply.ts";

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

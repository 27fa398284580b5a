import type { IncomingHttpHeaders } from "node:http";
import { acceptsGzip } from "./content-coding.ts";
import type { Entity } from "./entity.ts";
import type { Reply } from "./route.ts";

/**
 * The reply with an entity: 304 when the caller has it already (RFC 9110, 13.1.2), in gzip when the
 * caller takes that.
 */
export function entityReply(
  { contentType, body, gzip, hash }: Entity,
  asked: IncomingHttpHeaders,
  headers: Readonly<Record<string, string>>,
): Reply {
  // Weak: the same tag stands for the plain and the compressed form.
  const tag = `W/"${hash.slice(0, 32)}"`;
  const vary = [headers["Vary"], "Accept-Encoding"].filter(Boolean).join(", ");
  const common = { ...headers, ETag: tag, Vary: vary };
  if (isKnown(tag, asked["if-none-match"])) {
    return { status: 304, contentType, body: "", headers: common };
  }
  if (gzip === null || !acceptsGzip(asked["accept-encoding"]?.toString())) {
    return { contentType, body, headers: common };
  }
  return { contentType, body: gzip, headers: { ...common, "Content-Encoding": "gzip" } };
}

function isKnown(tag: string, field: string | undefined): boolean {
  const opaque = (text: string) => text.trim().replace(/^W\//, "");
  return (field ?? "").split(",").some((item) => opaque(item) === opaque(tag)) || field === "*";
}

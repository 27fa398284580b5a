import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { acceptsGzip, compressedBytesMin, gzipped } from "./content-coding.ts";
import type { Reply } from "./operation.ts";

/** A document that is the same for everybody, with its tag; in gzip too when that pays. */
export interface Entity {
  readonly contentType: string;
  readonly body: Buffer;
  readonly gzip: Buffer | null;
  /** SHA-256 of the body, in hexadecimal. */
  readonly hash: string;
}

/** Makes an entity of a body. */
export async function entityOf(contentType: string, body: Buffer): Promise<Entity> {
  const gzip = body.length < compressedBytesMin ? null : await gzipped(body, 9);
  return { contentType, body, gzip, hash: createHash("sha256").update(body).digest("hex") };
}

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

/** What is read from the file system; null when there is no such file or folder. */
export async function ifThere<Value>(reading: Promise<Value>): Promise<Value | null> {
  try {
    return await reading;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** The header fields of a page of text: it loads style, icon, font and scripts of this service. */
export const pageFields: Readonly<Record<string, string>> = {
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "X-Frame-Options": "DENY", // for browsers that do not know frame-ancestors
};

/** Whether a page is wanted, as browsers say when somebody opens an address. */
export function wantsPage({ accept = "" }: IncomingHttpHeaders): boolean {
  return /\btext\/html\b/i.test(accept);
}

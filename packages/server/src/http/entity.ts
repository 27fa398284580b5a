import { createHash } from "node:crypto";
import { compressedBytesMin, gzipped } from "./content-coding.ts";

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

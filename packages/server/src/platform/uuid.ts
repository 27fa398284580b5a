import { hash } from "node:crypto";

/** Namespace of the ids that Sightline derives itself, where nothing stands above them. */
export const sightlineNamespace = "5a0ba38e-6d1f-5f0c-9d4e-2f4f3a3f7c11";

/** A UUID of version 5 (RFC 9562): the same namespace and name always give the same id. */
export function uuidV5(namespace: string, name: string): string {
  const named = Buffer.concat([uuidBytes(namespace), Buffer.from(name, "utf8")]);
  const digest = hash("sha1", named, "buffer");
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x50;
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80;
  return uuidText(digest.subarray(0, 16));
}

/** The 16 bytes of a UUID's text, in either case. */
export function uuidBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll("-", ""), "hex");
}

/** The lower-case text of 16 bytes. */
export function uuidText(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)];
  return `${parts.join("-")}-${hex.slice(20)}`;
}

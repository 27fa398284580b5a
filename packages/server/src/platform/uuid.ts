import { hash } from "node:crypto";

/** Namespace of the ids that Sightline derives without a parent id. */
export const sightlineNamespace = "5a0ba38e-6d1f-5f0c-9d4e-2f4f3a3f7c11";

/** A UUID of version 5 (RFC 9562): the same namespace and name always give the same id. */
export function uuidV5(namespace: string, name: string): string {
  const named = Buffer.concat([uuidBytes(namespace), Buffer.from(name, "utf8")]);
  const hex = hash("sha1", named, "hex");
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return dashed(`${hex.slice(0, 12)}5${hex.slice(13, 16)}${variant}${hex.slice(17, 32)}`);
}

/** The 16 bytes of a UUID's text, in either case. */
export function uuidBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll("-", ""), "hex");
}

/** The lower-case text of 16 bytes. */
export function uuidText(bytes: Uint8Array): string {
  return dashed(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex"));
}

/** The text of a UUID from its 32 digits. */
function dashed(hex: string): string {
  const [low, mid, high] = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16)];
  return `${low}-${mid}-${high}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

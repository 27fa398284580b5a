import { hash } from "node:crypto";

/**
 * The number of a text: the first eight bytes of its SHA-256. Among ten million texts of an account
 * two have the same number with a probability of one in 370,000.
 */
export function textNumber(text: string): bigint {
  return hash("sha256", text, "buffer").readBigUInt64LE();
}

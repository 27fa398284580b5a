import { hash, randomBytes } from "node:crypto";

/** 256 bits: unlike that of a password, its plain SHA-256 cannot be inverted. */
const secretBytes = 32;

/** A random secret of 43 letters, digits, - and _, as a cookie or an address has it. */
export function newSecret(): string {
  return randomBytes(secretBytes).toString("base64url");
}

/** What is stored in the place of such a secret. */
export function hashOfSecret(secret: string): string {
  return hash("sha256", secret, "base64");
}

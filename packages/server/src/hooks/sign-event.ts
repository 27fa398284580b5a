import { createHmac, randomBytes } from "node:crypto";

/** 256 bits, the recommended key length of HMAC-SHA-256. */
const secretBytes = 32;
const secretPrefix = "whsec_";

/** A new random secret of a webhook, in the format of Standard Webhooks: `whsec_` and base64. */
export function newHookSecret(): string {
  return `${secretPrefix}${randomBytes(secretBytes).toString("base64")}`;
}

/** An event at the time of an attempt. */
export interface SentEvent {
  readonly id: string;
  /** Milliseconds since 1970, UTC. */
  readonly atMs: number;
  readonly body: string;
}

/** The header fields with which a receiver verifies an event, as Standard Webhooks specifies. */
export function signatureFields(
  { id, atMs, body }: SentEvent,
  secret: string,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(atMs / 1_000));
  const key = Buffer.from(secret.slice(secretPrefix.length), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature}`,
  };
}

import { createHmac, randomBytes } from "node:crypto";

/** 256 bits, as the key of an HMAC-SHA-256 ought to have. */
const secretBytes = 32;
const secretPrefix = "whsec_";

/** A new secret of a webhook, in the form that libraries for Standard Webhooks take. */
export function newHookSecret(): string {
  return `${secretPrefix}${randomBytes(secretBytes).toString("base64")}`;
}

/** An attempt to send an event. */
export interface SentEvent {
  readonly id: string;
  /** Milliseconds since 1970, UTC. */
  readonly atMs: number;
  readonly body: string;
}

/** The header fields by which a receiver verifies an event, as Standard Webhooks names them. */
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

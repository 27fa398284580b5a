import type { WebhookEvent } from "@sightline/contract";
import { SightlineError } from "./errors.ts";

/** A request that is not of the service, or too old to be believed. */
export class WebhookVerificationError extends SightlineError {
  override readonly name: string = "WebhookVerificationError";
}

/** Header fields, as `fetch` and as Node's servers give them. */
export type WebhookHeaders =
  | { readonly get: (name: string) => string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** What a request is verified by. */
export interface VerifyOptions {
  /** As the reply showed it that created the webhook. */
  readonly secret: string;
  /** How far its timestamp may be from now, either way; 300 unless it is said. */
  readonly toleranceSeconds?: number;
  /** Milliseconds since 1970; the machine's clock unless it is said. */
  readonly now?: number;
}

const secretPrefix = "whsec_";

/**
 * The event of a request that a webhook received, when the service sent it: its body as it came,
 * not parsed and written again. @param by the webhook's secret, or more.
 * @throws WebhookVerificationError
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  by: string | VerifyOptions,
): Promise<WebhookEvent> {
  const options = typeof by === "string" ? { secret: by } : by;
  const { secret, toleranceSeconds = 300, now = Date.now() } = options as VerifyOptions;
  const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map((part) =>
    fieldOf(headers, `webhook-${part}`),
  ) as [string, string, string];
  const seconds = Number(timestamp);
  if (!/^\d{1,12}$/.test(timestamp)) throw refused("its timestamp is not a number");
  if (Math.abs(now / 1_000 - seconds) > toleranceSeconds) throw refused("it is too old or too new");
  const text =
    typeof body === "string" ? body : new TextDecoder("utf-8", { ignoreBOM: true }).decode(body);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  const key = await keyOf(secret);
  for (const signature of signatures.split(" ")) {
    const [version, base64 = ""] = signature.split(",");
    const bytes = version === "v1" ? bytesOf(base64) : null;
    // In constant time, as Web Cryptography compares.
    if (bytes !== null && (await crypto.subtle.verify("HMAC", key, bytes, signed))) {
      return JSON.parse(text) as WebhookEvent;
    }
  }
  throw refused("no signature fits its body and the secret");
}

function fieldOf(headers: WebhookHeaders, name: string): string {
  const value =
    typeof headers["get"] === "function"
      ? headers["get"](name)
      : (headers as Readonly<Record<string, unknown>>)[name];
  if (typeof value === "string" && value !== "") return value;
  throw refused(`it has no header field ${name}`);
}

async function keyOf(secret: string) {
  const bytes = secret.startsWith(secretPrefix) ? bytesOf(secret.slice(secretPrefix.length)) : null;
  if (bytes === null) throw refused("the secret must be whsec_ and base64");
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, [
    "verify",
  ]);
}

/** Null: it is not base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function refused(why: string): WebhookVerificationError {
  return new WebhookVerificationError(`The webhook's request is refused: ${why}.`);
}

import type { OperationAddress } from "@sightline/contract";
import { ConnectionError, UnexpectedReplyError } from "./errors.ts";
import { cookieSession, type Settings } from "./options.ts";
import { objectOf, parsed, readRefusal } from "./refusal.ts";

/** One call of the service: the method and the path of an operation that the contract declares. */
export type Call = OperationAddress & CallParts;

/** What a call says in addition to its address. */
interface CallParts {
  /** Undefined for none. */
  readonly body?: string | Uint8Array<ArrayBuffer>;
  /** JSON unless it is said. */
  readonly contentType?: string;
  /** The entity tag that what is changed must have. */
  readonly ifMatch?: string;
  /** True: doing it twice is not the same as once. It is not sent again if it may have arrived. */
  readonly isOnce?: boolean;
  /**
   * True: it removes what its path names, so that a retry of one that may have arrived finds
   * nothing. That is a success, whose document is empty.
   */
  readonly isRemoval?: boolean;
}

/** A reply that went well. */
export interface TaggedReply {
  /** The reply's JSON. */
  readonly document: object;
  /** Its entity tag; null: it has none. */
  readonly etag: string | null;
}

/**
 * Sends a call once, with the key or the session as `token`; that of a browser in its cookie.
 * @throws the signal's reason when it is aborted, ConnectionError, ApiError, UnexpectedReplyError
 */
export async function send(
  { baseUrl, fetch }: Pick<Settings, "baseUrl" | "fetch">,
  { method, path, body, contentType = "application/json", ifMatch }: Call,
  { token, signal }: { readonly token: string; readonly signal: AbortSignal },
): Promise<TaggedReply> {
  const url = `${baseUrl}${path}`;
  const headers: Record<string, string> = { accept: "application/json" };
  // No form and no page of another origin can send this field: the service trusts the cookie by it.
  if (token === cookieSession) headers["sightline-console"] = "1";
  else headers["authorization"] = `Bearer ${token}`;
  if (body !== undefined) headers["content-type"] = contentType;
  if (ifMatch !== undefined) headers["if-match"] = ifMatch;
  let reply: Response;
  let text: string;
  try {
    // Redirects are not followed: the token is meant only for this address.
    const init: RequestInit = { method, headers, redirect: "manual", signal };
    if (body !== undefined) init.body = body;
    reply = await fetch(url, init);
    text = await reply.text();
  } catch (cause) {
    signal.throwIfAborted();
    throw new ConnectionError(`No reply from ${url}: ${reasonOf(cause)}.`, { cause });
  }
  if (reply.type === "opaqueredirect" || (reply.status >= 300 && reply.status < 400)) {
    throw new UnexpectedReplyError(`${url} redirects. Set baseUrl to the final address.`);
  }
  if (!reply.ok) throw readRefusal(reply, text);
  const document = parsed(text);
  if (typeof document === "object" && document !== null) {
    return { document, etag: reply.headers.get("etag") };
  }
  throw new UnexpectedReplyError(`${url} replied ${reply.status}, but not with a JSON object.`);
}

/** Node puts the reason into the cause's cause: fetch itself only says that it failed. */
function reasonOf(error: unknown): string {
  const { message, cause } = objectOfError(error);
  const inner = objectOfError(cause);
  return String(inner.code ?? inner.message ?? message ?? error);
}

function objectOfError(error: unknown): { message?: unknown; cause?: unknown; code?: unknown } {
  if (!(error instanceof Error)) return {};
  return { message: error.message, cause: error.cause, ...objectOf(error) };
}

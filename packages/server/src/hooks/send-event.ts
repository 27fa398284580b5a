import { lookup as systemLookup } from "node:dns";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { LookupFunction } from "node:net";
import {
  hostOf,
  isPublicHost,
  PrivateAddressError,
  publicLookup,
} from "../platform/public-address.ts";

/** A request that carries an event. */
interface EventRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The outcome of a request. */
export interface EventReply {
  /** The HTTP status; null: there was no reply. */
  readonly status: number | null;
  /** Why there was no reply; null: there was one. */
  readonly error: string | null;
}

/** Sends an event once. @throws nothing but the signal's reason when it aborts. */
export type SendEvent = (request: EventRequest, signal: AbortSignal) => Promise<EventReply>;

/** Options of sending events. */
export interface SendingOptions {
  /** Whether private addresses and http are allowed. */
  readonly toPrivate: boolean;
  /** The system's resolver when omitted. */
  readonly lookup?: LookupFunction;
  /** PEM certificates of trusted authorities; the system's when omitted. */
  readonly ca?: string;
  readonly withinMs?: number;
}

/** The default deadline of a receiver. */
const withinMsUnlessSaid = 10_000;

/**
 * Sends each event over its own connection, to an address that has been checked. Only the status of
 * a reply is read. Redirects are not followed: their targets were not checked.
 */
export function eventSender(options: SendingOptions): SendEvent {
  const { toPrivate, ca, withinMs = withinMsUnlessSaid } = options;
  const found = options.lookup ?? (systemLookup as LookupFunction);
  const lookup = toPrivate ? found : publicLookup(found);
  return async ({ url: text, headers, body }, signal) => {
    const url = new URL(text);
    const deadline = AbortSignal.timeout(withinMs);
    // An IP address is not resolved, so it is checked here.
    if (!toPrivate && !isPublicHost(hostOf(url))) return failed(new PrivateAddressError());
    try {
      const status = await statusOf(url, {
        headers,
        body,
        lookup,
        signal: AbortSignal.any([deadline, signal]),
        ...(ca === undefined ? {} : { ca }),
      });
      return { status, error: null };
    } catch (error) {
      signal.throwIfAborted();
      return deadline.aborted ? { status: null, error: "no reply in time" } : failed(error);
    }
  };
}

interface Sending {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly lookup: LookupFunction;
  readonly signal: AbortSignal;
  readonly ca?: string;
}

function statusOf(url: URL, { headers, body, ...options }: Sending): Promise<number> {
  const request = url.protocol === "https:" ? httpsRequest : httpRequest;
  const bytes = Buffer.from(body);
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      ...options,
      method: "POST",
      headers: { ...headers, "content-length": bytes.length },
      agent: false, // a pooled connection may predate the check of its address
    });
    sent.on("response", (response) => {
      resolve(response.statusCode ?? 0);
      response.destroy(); // the body is not read
    });
    // TRICKY: without a listener, Node closes the connection of a 101 without an event.
    sent.on("upgrade", ({ statusCode = 0 }, socket) => {
      resolve(statusCode);
      socket.destroy();
    });
    sent.on("error", reject);
    sent.end(bytes);
  });
}

/** The reason of a failure, without host names and IP addresses. */
function failed(error: unknown): EventReply {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  const known = typeof code === "string" ? code : "unknown";
  return { status: null, error: faults[known] ?? `the request failed (${known.slice(0, 60)})` };
}

const faults: Readonly<Record<string, string>> = {
  PRIVATE_ADDRESS: "the address is private, or the name has no public one",
  ENOTFOUND: "the name was not found",
  EAI_AGAIN: "the name could not be looked up",
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was closed",
  ETIMEDOUT: "no connection in time",
};

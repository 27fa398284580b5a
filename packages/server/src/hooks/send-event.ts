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

/** How a request ended. */
export interface EventReply {
  /** Null: there was no reply. */
  readonly status: number | null;
  /** Why there was none; null: there was one. */
  readonly error: string | null;
}

/** Sends an event once. Never throws, except the signal's reason when it aborts. */
export type SendEvent = (request: EventRequest, signal: AbortSignal) => Promise<EventReply>;

/** How events are sent. */
export interface SendingOptions {
  /** Whether private addresses, and http, are allowed. */
  readonly toPrivate: boolean;
  /** The system's when omitted. */
  readonly lookup?: LookupFunction;
  /** Certificates of authorities, in the place of the system's. */
  readonly ca?: string;
  readonly withinMs?: number;
}

/** How long a receiver may take. */
const withinMsUnlessSaid = 10_000;

/**
 * Sends events over a connection each, to an address that was checked. Of a reply only the status
 * is read, and no redirect is followed: what it names was not checked.
 */
export function eventSender(options: SendingOptions): SendEvent {
  const { toPrivate, ca, withinMs = withinMsUnlessSaid } = options;
  const found = options.lookup ?? (systemLookup as LookupFunction);
  const lookup = toPrivate ? found : publicLookup(found);
  return async ({ url: text, headers, body }, signal) => {
    const url = new URL(text);
    const deadline = AbortSignal.timeout(withinMs);
    // An IP address is not looked up.
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
      agent: false, // a connection that is kept might have been made before its address was checked
    });
    sent.on("response", (response) => {
      resolve(response.statusCode ?? 0);
      response.destroy(); // whatever it sends: nobody reads it
    });
    // TRICKY: without a listener, Node closes the connection of a 101 and tells nobody.
    sent.on("upgrade", ({ statusCode = 0 }, socket) => {
      resolve(statusCode);
      socket.destroy();
    });
    sent.on("error", reject);
    sent.end(bytes);
  });
}

/** What went wrong, without names and addresses of networks. */
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

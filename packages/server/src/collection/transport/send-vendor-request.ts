import { request as httpRequest, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { hostOf } from "../../platform/public-address.ts";
import type { AuthorizedRequest, VendorReply, VendorRequest } from "../adapter.ts";
import { connect, type Place, type TlsOptions } from "./connect.ts";
import { acceptedEncodings, ReplyFault, readReply } from "./read-reply.ts";

/** How requests are sent. */
export interface SendingOptions {
  /** The hosts of the adapter that made the request, all that there are. */
  readonly hosts: readonly string[];
  /** Of `standInAddress`: every request goes there. Null: to the vendors. */
  readonly standIn: string | null;
  /** Aborts when the service stops. */
  readonly signal: AbortSignal;
  /** Takes secrets out of what is kept and shown. */
  readonly hideSecrets: (text: string) => string;
  /** How connections to vendors are made; the system's way when omitted. */
  readonly tls?: TlsOptions;
  /** Of vendors; 443 when omitted. */
  readonly port?: number;
}

/** How a request ended. */
export type SentRequest =
  | { readonly kind: "reply"; readonly reply: VendorReply }
  /** Nothing was sent, so nothing is billed: the name, the connection or its certificate failed. */
  | { readonly kind: "not-sent"; readonly reason: string }
  /** All or a part of it was sent, and no whole reply came: the vendor may bill it. */
  | { readonly kind: "unknown"; readonly reason: string };

/**
 * Sends a request once, over a connection of its own. No redirect is followed: what it names was
 * not checked. The deadline is of the whole, from the look-up to the end of the reply. Never throws
 * for what a vendor or a network does.
 * @throws Error for a host that the adapter does not name, which is a fault of the adapter.
 */
export async function sendVendorRequest(
  request: VendorRequest,
  authorized: AuthorizedRequest,
  options: SendingOptions,
): Promise<SentRequest> {
  checkRequest(request, authorized, options);
  const deadline = AbortSignal.timeout(request.withinMs);
  const signal = AbortSignal.any([deadline, options.signal]);
  const failed = (kind: "not-sent" | "unknown", error: unknown): SentRequest => {
    if (options.signal.aborted) return { kind, reason: "cut off: the service stops" };
    const late = kind === "unknown" ? "no reply in time" : "no connection in time";
    const reason = deadline.aborted ? late : reasonOf(error);
    return { kind, reason: options.hideSecrets(reason).slice(0, 300) };
  };
  let socket: Socket;
  try {
    socket = await connect(placeOf(request, options), signal);
  } catch (error) {
    return failed("not-sent", error);
  }
  try {
    const reply = await exchange(socket, { request, authorized, options, signal });
    return { kind: "reply", reply: withoutSecrets(reply, options.hideSecrets) };
  } catch (error) {
    return failed("unknown", error);
  } finally {
    socket.destroy();
  }
}

function checkRequest(
  { host, headers }: VendorRequest,
  { path, headers: authorizing }: AuthorizedRequest,
  { hosts }: SendingOptions,
): void {
  if (!hosts.includes(host) || !/^[a-z0-9.-]+$/.test(host)) {
    throw new Error(`${host} is not a host of this vendor's adapter`);
  }
  // Node refuses control characters too, but in a message that may quote a credential.
  const fields = Object.values({ ...headers, ...authorizing });
  const isClean = /^[\x20-\x7e]*$/;
  if (!path.startsWith("/") || !isClean.test(path) || !fields.every((each) => isClean.test(each))) {
    throw new Error(`A request to ${host} has characters that HTTP does not allow.`);
  }
}

function placeOf({ host }: VendorRequest, { standIn, tls, port }: SendingOptions): Place {
  if (standIn !== null) {
    const url = new URL(standIn);
    return { host: hostOf(url), port: Number(url.port), tls: null };
  }
  return { host, port: port ?? 443, tls: tls ?? {} };
}

interface Exchanging {
  readonly request: VendorRequest;
  readonly authorized: AuthorizedRequest;
  readonly options: SendingOptions;
  readonly signal: AbortSignal;
}

async function exchange(
  socket: Socket,
  { request, authorized, options, signal }: Exchanging,
): Promise<VendorReply> {
  const { host, method } = request;
  const body = request.body === undefined ? null : Buffer.from(JSON.stringify(request.body));
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const sent = httpRequest({
    createConnection: () => socket,
    method,
    path: options.standIn === null ? authorized.path : `/${host}${authorized.path}`,
    headers: {
      host: options.standIn === null ? host : new URL(options.standIn).host,
      "accept-encoding": acceptedEncodings,
      accept: "application/json",
      connection: "close",
      ...(body === null
        ? {}
        : { "content-type": "application/json", "content-length": body.length }),
      ...request.headers,
      ...authorized.headers,
    },
    signal,
  });
  sent.on("response", resolve);
  sent.on("error", reject);
  sent.end(body ?? undefined);
  return readReply(await promise);
}

/** A vendor, or who stands before it, may quote what authorised the request. */
function withoutSecrets(reply: VendorReply, hide: (text: string) => string): VendorReply {
  const headers = Object.entries(reply.headers).map(([name, value]) => [name, hide(value)]);
  return { ...reply, headers: Object.fromEntries(headers), body: hide(reply.body) };
}

/** What went wrong, without names and addresses of networks. */
function reasonOf(error: unknown): string {
  if (error instanceof ReplyFault) return error.message;
  const { code } = (error ?? {}) as { readonly code?: unknown };
  const known = typeof code === "string" ? code : "unknown";
  return faults[known] ?? `the request failed (${known.slice(0, 60)})`;
}

const faults: Readonly<Record<string, string>> = {
  PRIVATE_ADDRESS: "the vendor's name has no public address",
  ENOTFOUND: "the vendor's name was not found",
  EAI_AGAIN: "the vendor's name could not be looked up",
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was closed",
  ERR_STREAM_PREMATURE_CLOSE: "the connection was closed",
  ETIMEDOUT: "no connection in time",
  Z_DATA_ERROR: "the reply cannot be decoded",
  Z_BUF_ERROR: "the reply is cut",
};

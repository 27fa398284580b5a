import { lookup as systemLookup } from "node:dns";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { connect as connectTcp, type LookupFunction, type Socket } from "node:net";
import { PassThrough, type Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { connect as connectTls } from "node:tls";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import {
  hostOf,
  isPublicHost,
  PrivateAddressError,
  publicLookup,
} from "../platform/public-address.ts";
import type { AuthorizedRequest, VendorEndpoint, VendorReply, VendorRequest } from "./adapter.ts";

/** Options of sending a request. */
export interface SendingOptions {
  /** All hosts of the adapter that made the request. */
  readonly hosts: readonly string[];
  /** The address from `standInAddress`, which gets all requests; null: the vendors get them. */
  readonly standIn: string | null;
  /** Aborts when the service stops. */
  readonly signal: AbortSignal;
  /** Removes secrets from texts that are stored or shown. */
  readonly hideSecrets: (text: string) => string;
  /** TLS options of connections to vendors; the system's when omitted. */
  readonly tls?: TlsOptions;
  /** The vendors' port; 443 when omitted. */
  readonly port?: number;
  /** The adapter's own address; omitted: the request's host. */
  readonly endpoint?: VendorEndpoint | undefined;
}

/** The outcome of a request. */
export type SentRequest =
  | { readonly kind: "reply"; readonly reply: VendorReply }
  /** Nothing was sent, so nothing is billed: the name, the connection or its certificate failed. */
  | { readonly kind: "not-sent"; readonly reason: string }
  /**
   * The request was sent at least in part, and no complete reply arrived: the vendor may bill it.
   */
  | { readonly kind: "unknown"; readonly reason: string };

/**
 * Sends a request once, over its own connection. Redirects are not followed: their targets were not
 * checked. The deadline covers everything from the name's resolution to the end of the reply.
 * Failures of vendors and networks are results, not errors.
 * @throws Error for a host that the adapter does not list, which is a bug of the adapter.
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
  // Node rejects control characters too, but its message may quote a credential.
  const fields = Object.values({ ...headers, ...authorizing });
  const isClean = /^[\x20-\x7e]*$/;
  if (!path.startsWith("/") || !isClean.test(path) || !fields.every((each) => isClean.test(each))) {
    throw new Error(`A request to ${host} has characters that HTTP does not allow.`);
  }
}

function placeOf({ host }: VendorRequest, options: SendingOptions): Place {
  const { standIn, tls, port, endpoint } = options;
  if (standIn !== null) {
    const url = new URL(standIn);
    return { host: hostOf(url), port: Number(url.port), tls: null };
  }
  if (endpoint !== undefined) {
    const { isPlain, toPrivate } = endpoint;
    // Clear text is allowed with private addresses alone: reader-config.ts.
    return { host, port: endpoint.port, tls: isPlain ? null : { ...tls, toPrivate } };
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

/** A vendor or its proxy may quote the credential. */
function withoutSecrets(reply: VendorReply, hide: (text: string) => string): VendorReply {
  const headers = Object.entries(reply.headers).map(([name, value]) => [name, hide(value)]);
  return { ...reply, headers: Object.fromEntries(headers), body: hide(reply.body) };
}

/** The reason of a failure, without host names and IP addresses. */
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

/** The target of a connection. */
interface Place {
  readonly host: string;
  readonly port: number;
  /** Null: unencrypted, to a stand-in on this machine or where the operator says so. */
  readonly tls: TlsOptions | null;
}

/** TLS options of a connection to a vendor. */
export interface TlsOptions {
  /** The resolver; the system's when omitted. Private addresses are filtered from its results. */
  readonly lookup?: LookupFunction;
  /** PEM certificates of trusted authorities; the system's when omitted. */
  readonly ca?: string;
  /** Whether private addresses are allowed: by the operator's setting, and in tests. */
  readonly toPrivate?: boolean;
}

/**
 * Opens a connection without sending a request: if this fails, no vendor can bill it. The
 * certificate has been checked when it resolves.
 * @throws the system's error, PrivateAddressError, or the signal's reason.
 */
async function connect(place: Place, signal: AbortSignal): Promise<Socket> {
  signal.throwIfAborted();
  const { tls, host } = place;
  if (tls !== null && tls.toPrivate !== true && !isPublicHost(host))
    throw new PrivateAddressError();
  const socket = tls === null ? connectTcp(place) : tlsTo(place, tls);
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const stop = () => socket.destroy(asError(signal.reason));
  signal.addEventListener("abort", stop, { once: true });
  socket.once(tls === null ? "connect" : "secureConnect", () => resolve(socket));
  socket.once("error", reject);
  socket.once("close", () => reject(new Error("the connection was closed")));
  try {
    return await promise;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function tlsTo({ host, port }: Place, options: TlsOptions): Socket {
  const { lookup = systemLookup as LookupFunction, ca, toPrivate = false } = options;
  return connectTls({
    host,
    port,
    servername: host,
    // Connects to the resolved address: no later lookup can replace it.
    lookup: toPrivate ? lookup : publicLookup(lookup),
    ALPNProtocols: ["http/1.1"],
    ...(ca === undefined ? {} : { ca }),
  });
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}

/** The highest number of bytes in a reply, both encoded and decoded. */
export const replyBytesMax = 10_000_000;

/** A reply is rejected; the message is for people. */
class ReplyFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ReplyFault";
  }
}

/** By the names of RFC 9110; deflate has a header and a checksum (RFC 1950). */
const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  br: createBrotliDecompress,
  deflate: createInflate,
  identity: () => new PassThrough(),
};

/** The value of the header field `accept-encoding`. */
const acceptedEncodings = "gzip, br, deflate";

/** Header fields that adapters read. Others are dropped: their size and content are unbounded. */
const keptFields =
  /^(retry-after(-ms)?|location|content-type|(x-)?request-id|[a-z-]{0,40}ratelimit-[a-z-]{1,40})$/;
/** Long enough for the URL of a redirect. */
const fieldCharactersMax = 8_192;

/**
 * Reads and decodes a reply, and stops as soon as it exceeds `replyBytesMax`: a small reply that
 * decompresses to more is never in memory.
 * @throws ReplyFault, or the error of the connection or the decoder.
 */
export async function readReply(message: IncomingMessage): Promise<VendorReply> {
  if (Number(message.headers["content-length"] ?? 0) > replyBytesMax) throw tooLarge();
  const encoding = (message.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  const decoder = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined;
  if (decoder === undefined) throw new ReplyFault("the reply is encoded in an unknown way");
  const parts: Buffer[] = [];
  await pipeline(message, bounded, decoder(), bounded, async (decoded) => {
    for await (const part of decoded as AsyncIterable<Buffer>) parts.push(part);
  });
  const body = new TextDecoder().decode(Buffer.concat(parts));
  return { status: message.statusCode ?? 0, headers: keptHeaders(message), body };
}

async function* bounded(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const part of parts) {
    bytes += part.length;
    if (bytes > replyBytesMax) throw tooLarge();
    yield part;
  }
}

function tooLarge(): ReplyFault {
  return new ReplyFault(`the reply is larger than ${replyBytesMax / 1_000_000} MB`);
}

function keptHeaders({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  const kept = Object.entries(headers).flatMap(([name, value]) => {
    const text = Array.isArray(value) ? value.join(", ") : (value ?? "");
    return keptFields.test(name) ? [[name, text.slice(0, fieldCharactersMax)] as const] : [];
  });
  return Object.fromEntries(kept);
}

/**
 * Parses the address of a stand-in for all vendors, without a trailing slash; null: invalid. It
 * must be on this machine: a credential is never sent over a network in clear text.
 */
export function standInAddress(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || url.protocol !== "http:" || url.port === "") return null;
  const isLoopback = /^(?:127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
  const isBare = url.pathname === "/" && url.search === "" && url.hash === "";
  const isOpen = url.username === "" && url.password === "";
  return isLoopback && isBare && isOpen ? url.origin : null;
}

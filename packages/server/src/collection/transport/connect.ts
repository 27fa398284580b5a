import { lookup as systemLookup } from "node:dns";
import { connect as connectTcp, type LookupFunction, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { isPublicHost, PrivateAddressError, publicLookup } from "../../platform/public-address.ts";

/** Where a request goes. */
export interface Place {
  readonly host: string;
  readonly port: number;
  /** Null: plain, to a stand-in on this machine. */
  readonly tls: TlsOptions | null;
}

/** How a vendor's connection is made. */
export interface TlsOptions {
  /** The system's when omitted. Private addresses are left out of what it gives. */
  readonly lookup?: LookupFunction;
  /** Certificates of authorities, in the place of the system's. */
  readonly ca?: string;
  /** Whether private addresses are allowed: for tests alone, whose servers are on this machine. */
  readonly toPrivate?: boolean;
}

/**
 * A connection over which nothing was sent yet: of a request that fails before there is one, it is
 * certain that no vendor bills it. The certificate is checked when it resolves.
 * @throws what the system says, PrivateAddressError, or the signal's reason.
 */
export async function connect(place: Place, signal: AbortSignal): Promise<Socket> {
  signal.throwIfAborted();
  const { tls, host } = place;
  if (tls !== null && !isPublicHost(host)) throw new PrivateAddressError();
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
    // The connection is made to what the look-up gives: no later answer can replace it.
    lookup: toPrivate ? lookup : publicLookup(lookup),
    ALPNProtocols: ["http/1.1"],
    ...(ca === undefined ? {} : { ca }),
  });
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}

import { randomUUID } from "node:crypto";
import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type ErrorCode, quoted } from "@sightline/contract";
import { ServiceError } from "../platform/service-error.ts";
import { everyReply } from "./hooks.ts";
import type { HttpServices } from "./http-services.ts";
import { problemContentType, problemReply } from "./problems.ts";

const codes: Readonly<Record<string, ErrorCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: "request_timeout",
  HPE_HEADER_OVERFLOW: "headers_too_large",
};

const details: Readonly<Partial<Record<ErrorCode, string>>> = {
  request_timeout: "Send the header within 10 seconds and the whole request within 30 seconds.",
  headers_too_large: "Send at most 16 KiB of header fields.",
};

/** How long what a client still sends is read and dropped after its refusal. */
const lingerMs = 1_000;

type Observed = Pick<HttpServices, "logger" | "metrics">;

/** Methods that some address takes: a CONNECT names no address of ours. */
const methodsTaken = "GET, HEAD, POST, PUT, DELETE";

/** What answers a request that the HTTP parser itself refuses: a problem, then the end. */
export function answerParserErrors({ logger, metrics }: Observed) {
  return (error: Error & { readonly code?: string }, socket: Socket): void => {
    if (error.code === "ECONNRESET" || socket.destroyed) {
      socket.destroy();
      return;
    }
    if (!socket.writable) return; // refused already: the parser stumbles over the rest as well
    const code = codes[error.code ?? ""] ?? "malformed_http";
    const refusal = new ServiceError(
      code,
      details[code] ?? "The HTTP parser rejected the request.",
    );
    metrics.refusedRequests.inc({ code: refusal.code });
    endWith(socket, refusal, (requestId, status) => {
      logger.info({ requestId, status, parser: error.code }, "request");
    });
  };
}

/** What answers CONNECT, of which Node makes no request: without this it closes in silence. */
export function answerConnect({ logger, metrics }: Observed) {
  return ({ method }: IncomingMessage, socket: Duplex): void => {
    socket.on("error", () => socket.destroy()); // Node's own listeners are gone by now
    socket.resume();
    const detail = `CONNECT is not supported: this service is not a proxy. Use ${methodsTaken}.`;
    const headers = { Allow: methodsTaken };
    const refusal = new ServiceError("method_not_allowed", detail, { headers });
    metrics.refusedRequests.inc({ code: refusal.code });
    endWith(socket, refusal, (requestId, status) => {
      logger.info({ requestId, method, route: "none", status }, "request");
    });
  };
}

/**
 * Writes a refusal by hand and hangs up, once the client did or lingerMs passed. Hanging up on
 * bytes that are on their way would reset the connection, and the client would not see why.
 */
function endWith(
  socket: Duplex,
  refusal: ServiceError,
  log: (requestId: string, status: number) => void,
): void {
  const requestId = `req_${randomUUID()}`;
  const { status, headers, body } = problemReply(refusal, requestId);
  log(requestId, status);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `X-Request-Id: ${requestId}`,
    ...Object.entries({ ...headers, ...everyReply }).map(([name, value]) => `${name}: ${value}`),
    `Content-Type: ${problemContentType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once("close", () => clearTimeout(timer));
}

/** Fields of which Node would take the first in silence, and a proxy perhaps the last. */
const singleFields = ["Host", "Authorization", "Content-Type"] as const;

/**
 * Why a head that the parser took is refused all the same; null: it is good. RFC 9112, 3.2 wants
 * one Host field, which HTTP/1.0 may leave out: Node would refuse a missing one itself, but with an
 * empty reply. Of the transfer codings Node undoes `chunked` alone, and takes others as if they
 * were not there.
 */
export function headFault({ httpVersion, rawHeaders, headers }: IncomingMessage): string | null {
  const repeated = repeatedField(rawHeaders);
  if (repeated === "Host" || (headers.host === undefined && httpVersion !== "1.0")) {
    return "Send exactly one `Host` field.";
  }
  if (repeated !== null) return `Send \`${repeated}\` once.`;
  const coding = headers["transfer-encoding"];
  if (coding === undefined || coding.trim().toLowerCase() === "chunked") return null;
  return `\`Transfer-Encoding\` must be chunked, got ${quoted(coding)}.`;
}

/** The first of the single fields that comes more than once. */
function repeatedField(rawHeaders: readonly string[]): (typeof singleFields)[number] | null {
  const seen = new Set<string>();
  for (let name = 0; name < rawHeaders.length; name += 2) {
    const field = rawHeaders[name] ?? "";
    const single = singleFields.find((each) => isNamed(each, field));
    if (single === undefined) continue;
    if (seen.has(single)) return single;
    seen.add(single);
  }
  return null;
}

/** Compares lengths first: this is done for each field of each request. */
function isNamed(name: string, field: string): boolean {
  return name.length === field.length && name.toLowerCase() === field.toLowerCase();
}

import { randomUUID } from "node:crypto";
import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { ErrorCode } from "@sightline/contract";
import { ServiceError } from "../platform/service-error.ts";
import type { AppServices } from "./app-services.ts";
import { everyReply } from "./hooks.ts";
import { problemContentType, problemReply } from "./problem-reply.ts";

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

type Observed = Pick<AppServices, "logger" | "metrics">;

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

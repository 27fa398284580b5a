import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { ErrorCode } from "@sightline/contract";
import type { Logger } from "../platform/logger.ts";
import { ServiceError } from "../platform/service-error.ts";
import { problemContentType, problemReply } from "./problem-reply.ts";

const codes: Readonly<Record<string, ErrorCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: "request_timeout",
  HPE_HEADER_OVERFLOW: "headers_too_large",
};

const details: Readonly<Partial<Record<ErrorCode, string>>> = {
  request_timeout: "Send the head within 10 and the whole request within 30 seconds.",
  headers_too_large: "At most 16 KiB of header fields are taken.",
};

/** How long what a client still sends is read and dropped after its refusal. */
const lingerMs = 1_000;

/**
 * What answers a request that the HTTP parser itself refuses: with a problem, then hangs up, once
 * the client did or lingerMs passed. Hanging up on bytes that are on their way would reset the
 * connection, and the client would not see why.
 */
export function answerParserErrors(logger: Logger) {
  return (error: Error & { readonly code?: string }, socket: Socket): void => {
    if (error.code === "ECONNRESET" || socket.destroyed) {
      socket.destroy();
      return;
    }
    if (!socket.writable) return; // refused already: the parser stumbles over the rest as well
    const code = codes[error.code ?? ""] ?? "malformed_http";
    const detail = details[code] ?? "The HTTP parser refused the request.";
    const requestId = `req_${randomUUID()}`;
    const { status, body } = problemReply(new ServiceError(code, detail), requestId);
    logger.info({ requestId, status, parser: error.code }, "request");
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `X-Request-Id: ${requestId}`,
      `Content-Type: ${problemContentType}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      "Connection: close",
    ];
    socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    socket.once("close", () => clearTimeout(timer));
  };
}

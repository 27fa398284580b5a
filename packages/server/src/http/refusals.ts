import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ServiceError } from "../platform/service-error.ts";
import type { AppServices } from "./app-services.ts";
import { problemContentType, problemReply, toServiceError } from "./problem-reply.ts";

/** The largest body: room for every filter array at its most items, written with spaces. */
export const bodyBytesMax = 1024 * 1024;

/** Of a body that is refused for its length, so much is read and dropped. */
export const droppedBytesMax = 64 * 1024 * 1024;

/** 405 with `Allow` for an address that exists with another method, else 404. */
export function unknownAddress(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
): ServiceError {
  const allowed = (["GET", "HEAD", "POST", "PUT", "DELETE"] as const).filter(
    (method) => app.findRoute({ method, url: request.url.split("?")[0] ?? "" }) !== null,
  );
  if (allowed.length === 0) return noSuchAddress();
  reply.header("Allow", allowed.join(", "));
  const detail = `This path does not accept ${request.method}. Use ${allowed.join(" or ")}.`;
  return new ServiceError("method_not_allowed", detail);
}

/** The refusal of an address that does not exist. */
export function noSuchAddress(): ServiceError {
  return new ServiceError("not_found", "See /openapi.json for the paths of this service.");
}

/** A request that failed, and with what. */
export interface FailedRequest {
  readonly error: unknown;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Replies with the problem; what nobody foresaw is logged with its cause. */
export function sendProblem(
  { logger, metrics }: Pick<AppServices, "logger" | "metrics">,
  { error, request, reply }: FailedRequest,
): FastifyReply {
  const failure = isCutOff(request)
    ? new ServiceError("malformed_http", "The body ended before it was complete.")
    : toServiceError(error, bodyBytesMax);
  metrics.refusedRequests.inc({ code: failure.code });
  const { errorNames = null } = request.routeOptions.config;
  const problem = problemReply(failure, request.id, errorNames);
  if (failure.code === "payload_too_large") leaveOrClose(request, reply);
  if (failure.cause !== undefined) {
    const cause = failure.cause instanceof Error ? failure.cause.stack : String(failure.cause);
    logger.error({ requestId: request.id, code: failure.code, cause }, "request failed");
  }
  return (
    reply
      .code(problem.status)
      .header("X-Request-Id", request.id)
      .headers(problem.headers)
      .type(problemContentType)
      // TRICKY: Fastify would add a charset to the type of a text, which RFC 9457 does not have.
      .send(Buffer.from(problem.body))
  );
}

/**
 * Leaves the connection of a body that is refused to a client that goes on, where little is left:
 * Node reads and drops that. Closed with bytes unread, it may take the reply with it, and a proxy
 * in front says 502.
 */
function leaveOrClose({ headers, raw }: FastifyRequest, reply: FastifyReply): void {
  // Without a length, nobody knows how much is left.
  const isLittle = Number(headers["content-length"]) <= droppedBytesMax;
  const goesOn = raw.httpVersion === "1.1" && !/\bclose\b/i.test(headers.connection ?? "");
  if (isLittle && goesOn) reply.removeHeader("Connection");
  else reply.header("Connection", "close");
}

/** Whether the client hung up, or was too slow, before its body was there: no fault of ours. */
function isCutOff({ raw }: FastifyRequest): boolean {
  return raw.destroyed && !raw.complete;
}

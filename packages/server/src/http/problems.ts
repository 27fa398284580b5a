import { errorCodes, type Problem, problemType } from "@sightline/contract";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ServiceError } from "../platform/service-error.ts";
import type { HttpServices } from "./http-services.ts";
import { pageFields, wantsPage } from "./static-files.ts";

/** A failure as it goes over the wire: status, header fields, and the body (RFC 9457). */
interface ProblemReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The media type of every reply that is not 2xx. */
export const problemContentType = "application/problem+json";

/** Additional names for a failure's parts in the body, in addition to those of RFC 9457. */
export type ErrorNames = "descope" | null;

/** The reply to a failure. Only a ServiceError's public part shows. */
export function problemReply(
  error: ServiceError,
  requestId: string,
  names: ErrorNames = null,
): ProblemReply {
  const { status, title } = errorCodes[error.code];
  const problem: Problem = {
    type: problemType(error.code),
    title,
    status,
    detail: error.detail,
    code: error.code,
    requestId,
    ...(error.errors === undefined ? {} : { errors: [...error.errors] }),
    ...(names === null
      ? {}
      : { errorCode: error.code, errorDescription: title, errorMessage: error.detail }),
  };
  return { status, headers: error.headers, body: JSON.stringify(problem) };
}

/** Any failure as a ServiceError; what is not foreseen is an internal error, its text kept back. */
export function toServiceError(error: unknown, bodyBytesMax: number): ServiceError {
  if (error instanceof ServiceError) return error;
  switch ((error as Partial<FastifyError> | null)?.code) {
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return new ServiceError(
        "payload_too_large",
        `The body must be at most ${bodyBytesMax} bytes.`,
      );
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return unsupportedMediaType();
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
      return new ServiceError(
        "malformed_http",
        "The length of the body differs from Content-Length.",
      );
    case "FST_ERR_BAD_URL":
      return new ServiceError("not_found", "The request path is not a valid URL path.");
    case "FST_ERR_MAX_PARAM_LENGTH":
      return new ServiceError(
        "not_found",
        "The request path is longer than any path of this service.",
      );
    default:
      return new ServiceError(
        "internal_error",
        "The cause is in the service's log, under this requestId.",
        {
          cause: error,
        },
      );
  }
}

/** The refusal of a body that is not JSON by its own account. */
export function unsupportedMediaType(): ServiceError {
  return new ServiceError(
    "unsupported_media_type",
    "Send the body as JSON in UTF-8, with `Content-Type: application/json`.",
  );
}

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

/** What failed, counted; what nobody foresaw is logged with its cause. */
export function notedFailure(
  { logger, metrics }: Pick<HttpServices, "logger" | "metrics">,
  { error, request, reply }: FailedRequest,
): ServiceError {
  const failure = isCutOff(request)
    ? new ServiceError("malformed_http", "The body ended before it was complete.")
    : toServiceError(error, bodyBytesMax);
  metrics.refusedRequests.inc({ code: failure.code });
  if (failure.code === "payload_too_large") leaveOrClose(request, reply);
  if (failure.cause !== undefined) {
    const cause = failure.cause instanceof Error ? failure.cause.stack : String(failure.cause);
    logger.error({ requestId: request.id, code: failure.code, cause }, "request failed");
  }
  return failure;
}

/** Replies with the problem. */
export function sendProblem(
  services: Pick<HttpServices, "logger" | "metrics">,
  failed: FailedRequest,
): FastifyReply {
  const { request, reply } = failed;
  const failure = notedFailure(services, failed);
  const { errorNames = null } = request.routeOptions.config;
  const problem = problemReply(failure, request.id, errorNames);
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

/** Addresses of programs, which get a problem whatever they accept. */
const ofPrograms = /^\/(v1|v2|mcp|console\/accounts|\.well-known)(\/|$)/;

/** Replies to a failure: with a page to a browser at an address without one, else the problem. */
export async function sendFailure(services: HttpServices, failed: FailedRequest): Promise<void> {
  const { error, request, reply } = failed;
  const isPage =
    error instanceof ServiceError &&
    error.code === "not_found" &&
    (request.method === "GET" || request.method === "HEAD") &&
    wantsPage(request.headers) &&
    !ofPrograms.test(request.url.split("?")[0] ?? "");
  const page = isPage ? await services.documents.notFound().catch(() => null) : null;
  if (page === null) {
    sendProblem(services, failed);
    return;
  }
  services.metrics.refusedRequests.inc({ code: "not_found" });
  reply.code(404).headers(pageFields).header("Cache-Control", "no-store").header("Vary", "Accept");
  reply.type("text/html; charset=utf-8").send(page);
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

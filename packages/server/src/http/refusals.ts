import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { pageFields, wantsPage } from "../pages/page-frame.ts";
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

/** Addresses of programs, which get a problem whatever they accept. */
const ofPrograms = /^\/(v1|v2|mcp|console\/accounts|\.well-known)(\/|$)/;

/** Replies to a failure: with a page to a browser at an address without one, else the problem. */
export async function sendFailure(services: AppServices, failed: FailedRequest): Promise<void> {
  const { error, request, reply } = failed;
  const isPage =
    error instanceof ServiceError &&
    error.code === "not_found" &&
    (request.method === "GET" || request.method === "HEAD") &&
    wantsPage(request.headers) &&
    !ofPrograms.test(request.url.split("?")[0] ?? "");
  const page = isPage ? await notFoundPage(services).catch(() => null) : null;
  if (page === null) {
    sendProblem(services, failed);
    return;
  }
  services.metrics.refusedRequests.inc({ code: "not_found" });
  reply.code(404).headers(pageFields).header("Cache-Control", "no-store").header("Vary", "Accept");
  reply.type("text/html; charset=utf-8").send(page);
}

function notFoundPage({ documents, config }: AppServices): Promise<string> {
  const console = config.console === "on" ? '<a href="/">the console</a>, ' : "";
  const body = `<main class="page" id="content">
<h1>There is no page here</h1>
<p>Nothing has this address. It may be mistyped, or the link that led here may be old. Go to
${console}<a href="/docs/guide/README">the guides</a> or <a href="/docs">the API</a>.</p>
</main>`;
  return documents.framed({ title: "Not found", area: "none", body });
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

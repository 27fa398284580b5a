import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { openApiRoute } from "../pages/routes/openapi/route.ts";
import { afterParsing, beforeSending } from "./hooks.ts";

/** Below this address is the API. */
const apiPrefix = "/v1/";

/** How long a browser may remember a preflight: the most that Chromium takes. */
const preflightSeconds = 7_200;

/** What clients wait by, and what finds a call in the log; a page sees the body without these. */
const exposed = "Date, ETag, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id";

const preflightFields = {
  // An address that takes other methods says so itself: to a page too.
  "Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, DELETE",
  "Access-Control-Allow-Headers": "Authorization, Content-Type, If-Match",
  "Access-Control-Max-Age": String(preflightSeconds),
};

/**
 * Lets pages of these origins read the replies of the API (the Fetch standard, 3.3); nothing is
 * changed when there are none. Credentials of the browser are not allowed: a session is sent.
 */
export function addCors(app: FastifyInstance, origins: ReadonlySet<string>): void {
  if (origins.size === 0) return;
  app.addHook("onRequest", (request, reply, done) => {
    if (isPreflight(request) && isOpen(request) && isAllowed(origins, request)) {
      afterParsing(() => reply.code(204).headers(preflightFields).send());
    } else done();
  });
  // As late as this, so that refusals have the fields, and what a reply sets of Vary is known.
  beforeSending(app, (request, reply) => addCorsFields(origins, request, reply));
}

/** The fields of any reply, refusals included; a foreign origin gets `Vary` alone. */
export function addCorsFields(
  origins: ReadonlySet<string>,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  if (origins.size === 0 || !isOpen(request)) return;
  // Also where no origin was sent: a cache must not give that reply to a page.
  reply.header("Vary", [reply.getHeader("Vary") ?? [], "Origin"].flat().join(", "));
  if (!isAllowed(origins, request)) return;
  reply.header("Access-Control-Allow-Origin", request.headers.origin);
  reply.header("Access-Control-Expose-Headers", exposed);
}

/** Before a page may send a session, its browser asks with OPTIONS and without one. */
function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
}

/**
 * Whether an address is for pages of other origins: all below /v1, known or not, so that a page can
 * read that there is nothing; and the document that describes it.
 */
function isOpen({ routeOptions, url }: FastifyRequest): boolean {
  const address = routeOptions.url ?? url.split("?")[0] ?? "";
  return address === openApiRoute.path || address.startsWith(apiPrefix);
}

function isAllowed(origins: ReadonlySet<string>, { headers }: FastifyRequest): boolean {
  return headers.origin !== undefined && origins.has(headers.origin);
}

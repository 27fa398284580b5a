import { randomUUID } from "node:crypto";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { KeyRecord } from "../control/key-store.ts";
import { ServiceError } from "../platform/service-error.ts";
import { answered, keptReply } from "./answered.ts";
import type { AppServices } from "./app-services.ts";
import { AskedQuestions } from "./asked-questions.ts";
import { callerOf } from "./caller.ts";
import { answerParserErrors } from "./connection-errors.ts";
import { addCors, addCorsFields } from "./cors.ts";
import { beforeSending, refuse } from "./hooks.ts";
import { hasGoodHost } from "./host-field.ts";
import { isJsonContentType } from "./json-body.ts";
import { addMcp } from "./mcp/add-mcp.ts";
import {
  type ErrorNames,
  problemContentType,
  problemReply,
  toServiceError,
  unsupportedMediaType,
} from "./problem-reply.ts";
import { questionSignal } from "./question-signal.ts";
import type {
  AccountRoute,
  AnalyticsRoute,
  ExchangeRoute,
  OpenRoute,
  Reply,
  RouteParameters,
} from "./route.ts";
import { routes } from "./routes.ts";

/** The largest body: room for every filter array at its most items, written with spaces. */
export const bodyBytesMax = 1024 * 1024;

declare module "fastify" {
  interface FastifyRequest {
    /** The key behind the session, once the caller is known; null on routes without a session. */
    caller: KeyRecord | null;
    /** When its head was there, as performance.now() counts; null: it was refused before. */
    startedMs: number | null;
  }
  interface FastifyContextConfig {
    readonly errorNames?: ErrorNames;
  }
}

/** The service over HTTP, not yet listening. */
export function createApp(services: AppServices): FastifyInstance {
  const corsOrigins = new Set(services.config.corsOrigins);
  const app = fastify({
    bodyLimit: bodyBytesMax,
    routerOptions: { maxParamLength: 200 }, // as long as an issuer may be
    trustProxy: [...services.config.trustedProxies],
    genReqId: () => `req_${randomUUID()}`,
    // Requests that come while the service stops are still answered; see lifecycle.
    return503OnClosing: false,
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    http: {
      headersTimeout: 10_000,
      connectionsCheckingInterval: 1_000,
      requireHostHeader: false, // hasGoodHost refuses it with a problem
    },
    frameworkErrors: (error, request, reply) => {
      addCorsFields(corsOrigins, request, reply); // no hook sees these
      sendProblem(services, { error, request, reply });
      logRequest(services, request, reply);
    },
    clientErrorHandler: answerParserErrors(services.logger),
  });
  // An expectation other than 100-continue may be ignored (RFC 9110, 10.1.1); Node would refuse it
  // with an empty reply.
  app.server.on("checkExpectation", (request, reply) => app.server.emit("request", request, reply));
  app.decorateRequest("caller", null);
  app.decorateRequest("startedMs", null);
  // Bodies stay bytes until the caller is known: who has no session learns nothing about them.
  app.removeAllContentTypeParsers();
  // JSON by name: what only "*" takes is looked up anew for every request.
  for (const type of ["application/json", "*"]) {
    app.addContentTypeParser(type, { parseAs: "buffer" }, (_request, body, done) =>
      done(null, body),
    );
  }

  // Hooks of every request call back: a promise each would take as long as all that they do.
  app.addHook("onRequest", (request, reply, done) => {
    request.startedMs = performance.now();
    reply.header("X-Request-Id", request.id);
    if (hasGoodHost(request.raw)) return done();
    refuse(done, new ServiceError("malformed_http", "Send exactly one Host field."));
  });
  addCors(app, corsOrigins); // before the method: no address takes OPTIONS
  app.addHook("onRequest", (request, reply, done) => {
    if (request.is404) refuse(done, unknownAddress(app, request, reply));
    else done();
  });
  beforeSending(app, (request, reply) => {
    // Also for requests that came before the stop: an idle connection would hold it up.
    if (services.lifecycle.stopping) reply.header("Connection", "close");
    logRequest(services, request, reply);
  });
  app.setNotFoundHandler(() => {
    throw new ServiceError("not_found", "See /openapi.json for the addresses that exist.");
  });
  app.setErrorHandler((error, request, reply) => sendProblem(services, { error, request, reply }));
  for (const route of routes) {
    if (route.access === "session") addAnalytics(app, services, route);
    else if (route.access === "key") addExchange(app, services, route);
    else addOpen(app, services, route);
  }
  addMcp(app, services);
  return app;
}

/**
 * The order of checks on a question: address, method and content type (onRequest), size (the
 * parser), session and limits (preValidation), then the body.
 */
function addAnalytics(
  app: FastifyInstance,
  services: AppServices,
  route: AnalyticsRoute | AccountRoute,
): void {
  const ask = asking(services, route);
  app.route({
    method: route.method,
    url: route.path,
    onRequest: (request, reply, done) => {
      // A GET of an account's data is the caller's alone, whatever stands in between.
      if (route.method === "GET") reply.header("Cache-Control", "no-store");
      else if (!isJsonContentType(request.headers["content-type"])) {
        return refuse(done, unsupportedMediaType());
      }
      done();
    },
    preValidation: async (request, reply) => {
      const { authorization } = request.headers;
      const caller = await callerOf(services, { authorization, connection: request.raw.socket });
      request.caller = caller;
      reply.headers(await services.limits.take(caller));
    },
    handler: async (request, reply) => {
      const accountId = request.caller?.accountId;
      if (accountId === undefined) throw new Error("a question came through without a session");
      const asked = await ask(accountId, request.body);
      const encodings = request.headers["accept-encoding"];
      const kept = keptReply(services, { accountId, asked, encodings });
      if (kept !== null) return send(reply, kept);
      const { signal, done } = questionSignal(reply.raw);
      try {
        return send(reply, await answered(services, { accountId, asked, signal, encodings }));
      } finally {
        done();
      }
    },
  });
}

/** What a request asks of a route. */
function asking(services: AppServices, route: AnalyticsRoute | AccountRoute) {
  if (route.method === "GET") return (accountId: string) => route.ask(services, accountId);
  const questions = new AskedQuestions(route);
  return (_accountId: string, body: unknown) => questions.read(body);
}

function addExchange(app: FastifyInstance, services: AppServices, route: ExchangeRoute): void {
  app.route({
    method: route.method,
    url: route.path,
    config: { errorNames: "descope" },
    handler: async (request, reply) =>
      send(
        reply,
        await route.answer(services, {
          authorization: request.headers.authorization,
          address: request.ip,
        }),
      ),
  });
}

function addOpen(app: FastifyInstance, services: AppServices, route: OpenRoute): void {
  app.route({
    method: route.method,
    url: route.path,
    handler: async (request, reply) =>
      send(reply, await route.answer(services, request.params as RouteParameters, request.headers)),
  });
}

function send(reply: FastifyReply, { status, contentType, body, headers }: Reply): FastifyReply {
  return reply
    .code(status ?? 200)
    .headers(headers ?? {})
    .type(contentType)
    .send(body);
}

/** 405 with `Allow` for an address that exists with another method, else 404. */
function unknownAddress(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply) {
  const allowed = (["GET", "HEAD", "POST"] as const).filter(
    (method) => app.findRoute({ method, url: request.url.split("?")[0] ?? "" }) !== null,
  );
  if (allowed.length === 0) {
    return new ServiceError("not_found", "See /openapi.json for the addresses that exist.");
  }
  reply.header("Allow", allowed.join(", "));
  const detail = `${request.method} is not taken here; allowed: ${allowed.join(", ")}.`;
  return new ServiceError("method_not_allowed", detail);
}

interface FailedRequest {
  readonly error: unknown;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

function sendProblem(
  services: AppServices,
  { error, request, reply }: FailedRequest,
): FastifyReply {
  const failure = isCutOff(request)
    ? new ServiceError("malformed_http", "The body did not come whole.")
    : toServiceError(error, bodyBytesMax);
  const { errorNames = null } = request.routeOptions.config;
  const problem = problemReply(failure, request.id, errorNames);
  if (failure.cause !== undefined) {
    const cause = failure.cause instanceof Error ? failure.cause.stack : String(failure.cause);
    services.logger.error({ requestId: request.id, code: failure.code, cause }, "request failed");
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

/** Whether the client hung up, or was too slow, before its body was there: no fault of ours. */
function isCutOff({ raw }: FastifyRequest): boolean {
  return raw.destroyed && !raw.complete;
}

/** To be called when the reply is on its way. */
function logRequest(services: AppServices, request: FastifyRequest, reply: FastifyReply): void {
  const route = request.routeOptions.url ?? "none";
  const status = reply.statusCode;
  const nowMs = performance.now();
  const ms = nowMs - (request.startedMs ?? nowMs);
  services.metrics.requests.observe({ route, method: request.method, status }, ms / 1000);
  services.logger.info(
    {
      requestId: request.id,
      method: request.method,
      route,
      status,
      ms: Math.round(ms * 10) / 10,
      keyId: request.caller?.id,
    },
    "request",
  );
}

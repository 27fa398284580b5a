import { randomUUID } from "node:crypto";
import fastify, { type FastifyInstance } from "fastify";
import { ServiceError } from "../platform/service-error.ts";
import { trustOf } from "./callers.ts";
import { answerConnect, answerParserErrors, headFault } from "./connection-errors.ts";
import { watchConnections } from "./connections.ts";
import { beforeSending, everyReply, logRequest, refuse } from "./hooks.ts";
import type { HttpServices, Surface } from "./http-services.ts";
import { InFlightCalls, watchCalls } from "./in-flight-calls.ts";
import type { CallerKey, Operation } from "./operation.ts";
import { addAllowedHosts, addCors, addCorsFields } from "./origins.ts";
import { PendingReplyBytes } from "./pending-reply-bytes.ts";
import {
  bodyBytesMax,
  type ErrorNames,
  noSuchAddress,
  sendFailure,
  sendProblem,
  unknownAddress,
} from "./problems.ts";
import { register } from "./register.ts";
import { requestWithinMs } from "./slow-bodies.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The key behind the session, once the caller is known; null on routes without a session. */
    caller: CallerKey | null;
    /** Aborts when the caller's call has to end; null as above. */
    ended: AbortSignal | null;
    /** When its head was there, as performance.now() counts; null: it was refused before. */
    startedMs: number | null;
  }
  interface FastifyContextConfig {
    readonly errorNames?: ErrorNames;
    /** Its body is read as it comes, and may be of any length. */
    readonly isStream?: boolean;
    /** It is served under any host. */
    readonly anyHost?: boolean;
  }
}

/** What is served in addition to operations; from one address, so many connections. */
export interface AppOptions<Services> {
  readonly extend?: (app: FastifyInstance, surface: Surface<Services>) => void;
  readonly connectionsPerAddress?: number;
}

/**
 * Bodies stay bytes until the caller is known: a caller without a session learns nothing about
 * them. JSON by name: what only "*" takes is looked up again for every request.
 */
function keepBodiesAsBytes(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  for (const type of ["application/json", "*"]) {
    app.addContentTypeParser(type, { parseAs: "buffer" }, (_request, body, done) =>
      done(null, body),
    );
  }
}

function answerFailures(app: FastifyInstance, services: HttpServices): void {
  app.setNotFoundHandler(() => {
    throw noSuchAddress();
  });
  app.setErrorHandler((error, request, reply) => {
    void sendFailure(services, { error, request, reply });
  });
}

/** Operations over HTTP, not yet listening. */
export function createApp<Services>(
  services: Services & HttpServices,
  operations: readonly Operation<Services>[],
  { extend, connectionsPerAddress }: AppOptions<Services> = {},
): FastifyInstance {
  const corsOrigins = new Set(services.config.corsOrigins);
  const app = fastify({
    bodyLimit: bodyBytesMax,
    routerOptions: { maxParamLength: 200 }, // as long as an issuer may be
    trustProxy: trustOf(services.config.trustedProxies),
    genReqId: () => `req_${randomUUID()}`,
    // Requests that come while the service stops are still answered; see lifecycle.
    return503OnClosing: false,
    requestTimeout: requestWithinMs,
    keepAliveTimeout: 72_000,
    http: {
      headersTimeout: 10_000,
      connectionsCheckingInterval: 1_000,
      requireHostHeader: false, // headFault refuses it with a problem
    },
    frameworkErrors: (error, request, reply) => {
      addCorsFields(corsOrigins, request, reply.headers(everyReply)); // no hook sees these
      sendProblem(services, { error, request, reply });
      logRequest(services, request, reply);
    },
    clientErrorHandler: answerParserErrors(services),
  });
  // An expectation other than 100-continue may be ignored (RFC 9110, 10.1.1); Node would refuse it
  // with an empty reply.
  app.server.on("checkExpectation", (request, reply) => app.server.emit("request", request, reply));
  app.server.on("connect", answerConnect(services));
  app.decorateRequest("caller", null);
  app.decorateRequest("ended", null);
  app.decorateRequest("startedMs", null);
  keepBodiesAsBytes(app);
  watchConnections(app, services, connectionsPerAddress);
  // Hooks of every request call back: a promise each would take as long as all that they do.
  app.addHook("onRequest", (request, reply, done) => {
    request.startedMs = performance.now();
    reply.header("X-Request-Id", request.id).headers(everyReply);
    const fault = headFault(request.raw);
    if (fault === null) done();
    else refuse(done, new ServiceError("malformed_http", fault));
  });
  addAllowedHosts(app, new Set(services.config.allowedHosts));
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
  answerFailures(app, services);
  const surface = {
    services,
    pendingReplyBytes: new PendingReplyBytes(),
    inFlightCalls: new InFlightCalls(),
  };
  watchCalls(app, surface.inFlightCalls);
  register(app, surface, operations);
  extend?.(app, surface);
  return app;
}

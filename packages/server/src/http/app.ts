import { randomUUID } from "node:crypto";
import fastify, { type FastifyInstance } from "fastify";
import { addImport } from "../answers/routes/add-import.ts";
import { entrancesOf } from "../keys/caller-kinds.ts";
import type { KeyRecord } from "../keys/key-store.ts";
import { addMcp } from "../mcp/add-mcp.ts";
import { ServiceError } from "../platform/service-error.ts";
import { addConsole } from "./add-console.ts";
import { addFile } from "./add-file.ts";
import { addOperations } from "./add-operation.ts";
import { addQuestion } from "./add-question.ts";
import { addAllowedHosts } from "./allowed-hosts.ts";
import type { AppServices } from "./app-services.ts";
import { callerAddress, trustOf } from "./caller-address.ts";
import { CallsUnderWay, watchCalls } from "./calls-under-way.ts";
import { answerConnect, answerParserErrors } from "./connection-errors.ts";
import { addCors, addCorsFields } from "./cors.ts";
import { isForeignPage } from "./foreign-page.ts";
import { headFault } from "./head-fault.ts";
import { beforeSending, everyReply, refuse } from "./hooks.ts";
import type { ErrorNames } from "./problem-reply.ts";
import {
  bodyBytesMax,
  noSuchAddress,
  sendFailure,
  sendProblem,
  unknownAddress,
} from "./refusals.ts";
import { RepliesUnderWay } from "./replies-under-way.ts";
import { logRequest } from "./request-log.ts";
import type { ExchangeRoute, OpenRoute, RouteParameters } from "./route.ts";
import { consoleRoutes, routes } from "./routes.ts";
import { sendReply } from "./send-reply.ts";
import { requestWithinMs } from "./slow-bodies.ts";
import { watchConnections } from "./watch-connections.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The key behind the session, once the caller is known; null on routes without a session. */
    caller: KeyRecord | null;
    /** Aborts when the caller's call has to end; null as above. */
    ended: AbortSignal | null;
    /** When its head was there, as performance.now() counts; null: it was refused before. */
    startedMs: number | null;
  }
  interface FastifyContextConfig {
    readonly errorNames?: ErrorNames;
    /** Its body is read as it comes, and may be of any length. */
    readonly isStream?: boolean;
  }
}

/** The service over HTTP, not yet listening. */
export function createApp(services: AppServices, connectionsPerAddress?: number): FastifyInstance {
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
  // Bodies stay bytes until the caller is known: who has no session learns nothing about them.
  app.removeAllContentTypeParsers();
  // JSON by name: what only "*" takes is looked up anew for every request.
  for (const type of ["application/json", "*"]) {
    app.addContentTypeParser(type, { parseAs: "buffer" }, (_request, body, done) =>
      done(null, body),
    );
  }

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
  app.setNotFoundHandler(() => {
    throw noSuchAddress();
  });
  app.setErrorHandler((error, request, reply) => {
    void sendFailure(services, { error, request, reply });
  });
  addRoutes(app, services);
  return app;
}

function addRoutes(app: FastifyInstance, services: AppServices): void {
  const callsUnderWay = new CallsUnderWay();
  watchCalls(app, callsUnderWay);
  const callerServices = {
    ...services,
    repliesUnderWay: new RepliesUnderWay(),
    callsUnderWay,
    entrances: entrancesOf(services),
  };
  const isOn = services.config.console === "on";
  const served = isOn ? [...routes, ...consoleRoutes] : routes;
  addOperations(
    app,
    callerServices,
    served.filter((route) => route.access === "operation"),
  );
  for (const route of served) {
    if (route.access === "session") addQuestion(app, callerServices, route);
    else if (route.access === "import") addImport(app, callerServices, route);
    else if (route.access === "file") addFile(app, callerServices, route);
    else if (route.access === "console") addConsole(app, services, route);
    else if (route.access === "key") addExchange(app, services, route);
    else if (route.access === "open") addOpen(app, services, route);
  }
  addMcp(app, callerServices);
}

const foreignExchange =
  "Pages of another origin cannot exchange keys. Add the origin to --cors-origins, or " +
  "exchange the key on your own server.";

function addExchange(app: FastifyInstance, services: AppServices, route: ExchangeRoute): void {
  app.route({
    method: route.method,
    url: route.path,
    config: { errorNames: "descope" },
    onRequest: (request, _reply, done) => {
      // Before it is looked at: what a page makes a browser send is not its reader's guess.
      if (!isForeignPage(request, services.config.corsOrigins)) return done();
      refuse(done, new ServiceError("origin_not_allowed", foreignExchange));
    },
    handler: async (request, reply) =>
      sendReply(
        reply,
        await route.reply(services, {
          authorization: request.headers.authorization,
          address: callerAddress(request),
        }),
      ),
  });
}

function addOpen(app: FastifyInstance, services: AppServices, route: OpenRoute): void {
  app.route({
    method: route.method,
    url: route.path,
    handler: async (request, reply) =>
      sendReply(
        reply,
        await route.reply(services, request.params as RouteParameters, request.headers),
      ),
  });
}

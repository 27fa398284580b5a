import type { FastifyInstance } from "fastify";
import { ServiceError } from "../platform/service-error.ts";
import type { AppServices } from "./app-services.ts";
import { Connections, connectionsPerAddressMax } from "./connections.ts";
import { refuse } from "./hooks.ts";
import { SlowBodies } from "./slow-bodies.ts";

/** One look at all connections takes microseconds, and a timer for each would take more. */
const lookEveryMs = 1_000;

/** Keeps connections within their bounds; before any other hook, since it refuses requests. */
export function watchConnections(
  app: FastifyInstance,
  { clock, config: { trustedProxies } }: AppServices,
  perAddressMax = connectionsPerAddressMax,
): void {
  const connections = new Connections({ clock, trustedProxies, perAddressMax });
  app.server.on("connection", (socket) => connections.add(socket));
  const bodies = new SlowBodies(clock);
  const timer = setInterval(() => {
    connections.closeStalled();
    bodies.refuseLate(app.server);
  }, lookEveryMs);
  timer.unref();
  app.addHook("onClose", (_app, done) => {
    clearInterval(timer);
    done();
  });
  app.addHook("onRequest", (request, reply, done) => {
    bodies.add(request.raw, { isStream: request.routeOptions.config.isStream === true });
    if (!connections.isRefused(request.raw.socket)) return done();
    reply.headers({ "X-Request-Id": request.id, Connection: "close" });
    refuse(done, tooManyConnections(perAddressMax));
  });
}

function tooManyConnections(perAddressMax: number): ServiceError {
  return new ServiceError(
    "overloaded",
    `An address may have at most ${perAddressMax} connections open. ` +
      "Reuse connections, or close some.",
    { headers: { "Retry-After": "1" } },
  );
}

import type { FastifyReply, FastifyRequest } from "fastify";
import type { AppServices } from "./app-services.ts";

/** Counts and logs a request; to be called when its reply is on its way. */
export function logRequest(
  { metrics, logger }: Pick<AppServices, "metrics" | "logger">,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const route = request.routeOptions.url ?? "none";
  const status = reply.statusCode;
  const nowMs = performance.now();
  const ms = nowMs - (request.startedMs ?? nowMs);
  metrics.requests.observe({ route, method: request.method, status }, ms / 1000);
  logger.info(
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

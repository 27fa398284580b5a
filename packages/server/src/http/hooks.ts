import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { HttpServices } from "./http-services.ts";

/** Header fields of every reply: a browser must not guess a content type. */
export const everyReply = { "X-Content-Type-Options": "nosniff" };

/**
 * Replies from a hook that runs as soon as the head was read. TRICKY: the HTTP parser may yet
 * refuse the same bytes, such as an encoding of the body that is none, and answers them itself: it
 * has to come first, or one request would get two replies.
 */
export function afterParsing(reply: () => void): void {
  queueMicrotask(reply);
}

/** Refuses a request from such a hook. */
export function refuse(done: (error: Error) => void, error: Error): void {
  afterParsing(() => done(error));
}

/** Does something to every reply that is about to be sent; the body stays what it is. */
export function beforeSending(
  app: FastifyInstance,
  work: (request: FastifyRequest, reply: FastifyReply) => void,
): void {
  app.addHook("onSend", (request, reply, ...[payload, done]) => {
    work(request, reply);
    done(null, payload);
  });
}

/** Counts and logs a request; to be called when its reply is on its way. */
export function logRequest(
  { metrics, logger }: Pick<HttpServices, "metrics" | "logger">,
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

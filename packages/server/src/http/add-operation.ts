import type { FastifyInstance } from "fastify";
import type { CallerServices } from "./app-services.ts";
import { admit, callerOf } from "./authenticate.ts";
import { bodyFault } from "./body-fault.ts";
import { refuse } from "./hooks.ts";
import { parseJsonBody } from "./json-body.ts";
import type { OperationRoute, RouteParameters } from "./route.ts";
import { sendReply } from "./send-reply.ts";
import { unlessUnwritable } from "./unwritable.ts";

/**
 * The way of an operation that lists or changes what an account has. The order of checks is that of
 * a question.
 */
export function addOperation(
  app: FastifyInstance,
  services: CallerServices,
  route: OperationRoute,
): void {
  const hasBody = route.method === "POST" && (route.hasBody ?? true);
  for (const entrance of services.entrances) {
    app.route({
      method: route.method,
      url: `${entrance.prefix}${route.path}`,
      onRequest: (request, reply, done) => {
        reply.header("Cache-Control", "no-store");
        const fault = hasBody ? bodyFault(request.headers) : null;
        if (fault === null) done();
        else refuse(done, fault);
      },
      preValidation: (request, reply) => admit(services, { request, reply, entrance }, route.scope),
      handler: async (request, reply) => {
        const call = {
          caller: callerOf(request),
          body: hasBody ? parseJsonBody(request.body) : undefined,
          parameters: request.params as RouteParameters,
        };
        return sendReply(reply, await unlessUnwritable(() => route.reply(services, call)));
      },
    });
  }
}

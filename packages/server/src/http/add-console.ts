import type { FastifyInstance } from "fastify";
import type { AppServices } from "./app-services.ts";
import { bodyFault } from "./body-fault.ts";
import { callerAddress } from "./caller-address.ts";
import { consoleFault } from "./console-fault.ts";
import { refuse } from "./hooks.ts";
import { parseJsonBody } from "./json-body.ts";
import type { ConsoleRoute } from "./route.ts";
import { sendReply } from "./send-reply.ts";
import { unlessUnwritable } from "./unwritable.ts";

/** The way of what signs a browser in and out. Whether the console's page asks comes first. */
export function addConsole(app: FastifyInstance, services: AppServices, route: ConsoleRoute): void {
  app.route({
    method: route.method,
    url: route.path,
    onRequest: (request, reply, done) => {
      reply.header("Cache-Control", "no-store");
      const { headers } = request;
      const fault = consoleFault(request) ?? (route.hasBody ? bodyFault(headers) : null);
      if (fault === null) done();
      else refuse(done, fault);
    },
    handler: async (request, reply) => {
      const call = {
        request,
        address: callerAddress(request),
        isSecure: request.protocol === "https",
        body: route.hasBody ? parseJsonBody(request.body) : undefined,
      };
      return sendReply(reply, await unlessUnwritable(() => route.reply(services, call)));
    },
  });
}

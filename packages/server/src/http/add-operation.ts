import type { FastifyInstance } from "fastify";
import { admit, callerOf, endOf } from "../keys/authenticate.ts";
import { QueryQueue } from "../platform/query-queue.ts";
import type { CallerServices } from "./app-services.ts";
import { bodyFault } from "./body-fault.ts";
import { refuse } from "./hooks.ts";
import { parseJsonBody } from "./json-body.ts";
import { questionSignal } from "./question-signal.ts";
import type { OperationCall, OperationRoute, Reply, RouteParameters } from "./route.ts";
import { sendCounted } from "./send-reply.ts";
import { unlessUnwritable } from "./unwritable.ts";

/** A list may take 20 MB, and as much again while it is made. */
const listsAtOnce = { running: 6, runningPerAccount: 2, waitingPerAccount: 64 };

/**
 * The way of operations that list or change what an account has. The order of checks is that of a
 * question.
 */
export function addOperations(
  app: FastifyInstance,
  services: CallerServices,
  routes: readonly OperationRoute[],
): void {
  const lists = new QueryQueue(listsAtOnce);
  for (const route of routes) addOperation(app, services, { route, lists });
}

interface AddedOperation {
  readonly route: OperationRoute;
  readonly lists: QueryQueue;
}

function addOperation(
  app: FastifyInstance,
  services: CallerServices,
  { route, lists }: AddedOperation,
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
        const make = () => unlessUnwritable(() => route.reply(services, call));
        const made = await (route.method === "GET"
          ? listed(lists, call, { make, ended: endOf(request) })
          : make()); // a change that was begun is completed
        return sendCounted(services, reply, { accountId: call.caller.accountId, made });
      },
    });
  }
}

interface ListMaking {
  readonly make: () => Promise<Reply>;
  readonly ended: AbortSignal;
}

/** A list, under the queue and deadline of a question. @throws ServiceError. */
async function listed(
  lists: QueryQueue,
  { caller: { accountId } }: OperationCall,
  { make, ended }: ListMaking,
): Promise<Reply> {
  const { signal, done } = questionSignal(ended);
  try {
    const making = lists.run(accountId, signal, make);
    const over = new Promise<never>((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
    // One that is being made keeps its place to its end, though nobody waits.
    return await Promise.race([making, over]);
  } finally {
    done();
  }
}

import type { FastifyInstance } from "fastify";
import { accountOf, admit, endOf } from "../keys/authenticate.ts";
import { nextTurn } from "../platform/turns.ts";
import type { AppServices, CallerServices } from "./app-services.ts";
import { bodyFault } from "./body-fault.ts";
import { cachedReply } from "./cached-reply.ts";
import { refuse } from "./hooks.ts";
import { parseJsonBody } from "./json-body.ts";
import { questionSignal } from "./question-signal.ts";
import type { AccountRoute, ParsedRequest, QuestionRoute, RouteParameters } from "./route.ts";
import { sendCounted } from "./send-reply.ts";

/**
 * The one way from a request to its reply. The order of checks: address, method and content type
 * (onRequest), size (the parser), session and limits (preValidation), then the body.
 */
export function addQuestion(
  app: FastifyInstance,
  services: CallerServices,
  route: QuestionRoute | AccountRoute,
): void {
  for (const entrance of services.entrances) {
    app.route({
      method: route.method,
      url: `${entrance.prefix}${route.path}`,
      onRequest: (request, reply, done) => {
        // A GET of an account's data is the caller's alone, whatever stands in between.
        if (route.method === "GET") reply.header("Cache-Control", "no-store");
        const fault = route.method === "GET" ? null : bodyFault(request.headers);
        if (fault === null) done();
        else refuse(done, fault);
      },
      preValidation: (request, reply) => admit(services, { request, reply, entrance }, route.scope),
      handler: async (request, reply) => {
        const accountId = accountOf(request);
        const parameters = request.params as RouteParameters;
        const received = { accountId, body: request.body, parameters };
        const parsed = await parse(services, route, received);
        const { signal, done } = questionSignal(endOf(request));
        try {
          const encodings = request.headers["accept-encoding"];
          const call = { accountId, path: route.path, parsed, signal, encodings };
          const made = await cachedReply(services, call);
          reply.headers(parsed.headers ?? {});
          return sendCounted(services, reply, { accountId, made });
        } finally {
          done();
        }
      },
    });
  }
}

/** To read a body of 10,000 ids takes some 10 ms: larger bodies are read in turns. */
const quickBodyBytesMax = 4_096;

interface Received {
  readonly accountId: string;
  /** Bytes; nothing when none were sent. */
  readonly body: unknown;
  readonly parameters: RouteParameters;
}

/** What a request asks. @throws ServiceError malformed_json or invalid_request. */
async function parse(
  services: AppServices,
  route: QuestionRoute | AccountRoute,
  { accountId, body, parameters }: Received,
): Promise<ParsedRequest> {
  if (route.method === "GET") return route.parse(services, accountId, parameters);
  if (Buffer.isBuffer(body) && body.length > quickBodyBytesMax) await nextTurn();
  return route.parse(parseJsonBody(body), { services, accountId });
}

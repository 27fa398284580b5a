import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AppServices, CallerServices } from "../../http/app-services.ts";
import { refuse } from "../../http/hooks.ts";
import { refusedWork } from "../../http/refused-work.ts";
import { type ImportRoute, jsonReply } from "../../http/route.ts";
import { sendReply } from "../../http/send-reply.ts";
import { accountOf, admit, endOf } from "../../keys/authenticate.ts";
import { QueryQueue } from "../../platform/query-queue.ts";
import { ServiceError } from "../../platform/service-error.ts";
import {
  BrokenImportError,
  type StreamImport,
  type StreamOrigin,
} from "../intake/import-thread.ts";
import { importReply, originOf, streamFault } from "./answers/import-body.ts";

/**
 * What is judged next, the thread decides for each chunk: a body that trickles holds up nobody.
 * So places only bound memory, some 20 MiB each, and an account's are its own.
 */
const importsAtOnce = { running: 64, runningPerAccount: 2, waitingPerAccount: 16 };

/** Nobody waits for a place longer than this. */
const placeWithinMs = 20_000;

/**
 * The way of a stream of answers: as that of a question, but the body is read as it comes, and only
 * once it has a place.
 */
export function addImport(
  app: FastifyInstance,
  services: CallerServices,
  route: ImportRoute,
): void {
  const queue = new QueryQueue(importsAtOnce);
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
    for (const entrance of services.entrances) {
      scope.route({
        method: route.method,
        url: `${entrance.prefix}${route.path}`,
        config: { isStream: true },
        onRequest: (request, _reply, done) => {
          const fault = streamFault(request.headers);
          if (fault === null) done();
          else refuse(done, fault);
        },
        preParsing: (request, reply) => admit(services, { request, reply, entrance }, route.scope),
        handler: async (request, reply) => {
          const accountId = accountOf(request);
          const origin = originOf(request);
          const late = AbortSignal.timeout(placeWithinMs);
          const signal = AbortSignal.any([late, endOf(request)]);
          const imported = await queue
            .run(accountId, signal, () => importBody(services, request, origin))
            .catch((error: unknown) => {
              throw late.aborted && error === late.reason ? noPlace() : error;
            });
          return send(reply, imported);
        },
      });
    }
  });
}

async function importBody(
  { imports }: AppServices,
  request: FastifyRequest,
  origin: StreamOrigin,
): Promise<StreamImport> {
  const signal = endOf(request);
  try {
    // Never destroyed, which would look as if the sender had gone: it has to get the reply.
    const body = request.raw.iterator({ destroyOnReturn: false });
    return await imports.import(accountOf(request), body, { ...origin, signal });
  } catch (error) {
    throw error instanceof BrokenImportError ? refusalOf(error, signal) : error;
  }
}

function send(reply: FastifyReply, imported: StreamImport): FastifyReply {
  return sendReply(reply, jsonReply(importReply(imported)));
}

function noPlace(): ServiceError {
  const detail = "Other imports of this account take longer than 20 seconds. Retry later.";
  return new ServiceError("overloaded", detail, { headers: { "Retry-After": "5" } });
}

/** What a sender is told; the same body again records the rest. */
function refusalOf(error: BrokenImportError, { reason }: AbortSignal): ServiceError {
  const { kind, message, tally } = error;
  const accepted = tally === null ? "What was" : `${tally.accepted} answers were`;
  const done = `${accepted} accepted before ${tally === null ? "is" : "and are"} recorded.`;
  if (kind === "stopped" && reason instanceof ServiceError) {
    const { code, detail, headers } = reason;
    return new ServiceError(code, `${detail} ${done}`, { headers });
  }
  if (kind === "body") {
    const fault = `cannot be read: ${message}.`;
    const errors = [{ path: "", code: "wrong_format", message: fault }] as const;
    return new ServiceError("invalid_request", `/: ${fault} ${done}`, { errors });
  }
  return refusedWork(error, { failed: "The import failed.", advice: done });
}

import type { FastifyInstance, FastifyRequest } from "fastify";
import { QueryQueue } from "../facts/query-queue.ts";
import { ServiceError } from "../platform/service-error.ts";
import type { CallerServices } from "./app-services.ts";
import { admit, callerOf } from "./authenticate.ts";
import { refuse } from "./hooks.ts";
import type { FileRoute } from "./route.ts";
import { sendReply } from "./send-reply.ts";

/** A file takes its size in memory, and up to ten times that while it is read. */
const filesAtOnce = { running: 2, runningPerAccount: 1, waitingPerAccount: 4 };

/** Nobody waits for a place longer than this. */
const placeWithinMs = 5_000;

/**
 * The way of a file: as that of a stream of answers, it is read once its sender is known and it has
 * a place.
 */
export function addFile(app: FastifyInstance, services: CallerServices, route: FileRoute): void {
  const queue = new QueryQueue(filesAtOnce);
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
    for (const entrance of services.entrances) {
      scope.route({
        method: route.method,
        url: `${entrance.prefix}${route.path}`,
        onRequest: (request, reply, done) => {
          reply.header("Cache-Control", "no-store");
          const fault = route.fault(request.headers);
          if (fault === null) done();
          else refuse(done, fault);
        },
        preParsing: (request, reply) => admit(services, { request, reply, entrance }, route.scope),
        handler: async (request, reply) => {
          const caller = callerOf(request);
          const signal = AbortSignal.timeout(placeWithinMs);
          const made = await queue
            .run(caller.accountId, signal, async () => {
              const bytes = await bytesOf(request, route.bytesMax);
              const { headers, query } = request;
              const parameters = query as Readonly<Record<string, unknown>>;
              return route.reply(services, { caller, bytes, headers, query: parameters });
            })
            .catch((error: unknown) => {
              throw signal.aborted && error === signal.reason ? noPlace() : error;
            });
          return sendReply(reply, made);
        },
      });
    }
  });
}

async function bytesOf(
  { raw, headers }: FastifyRequest,
  bytesMax: number,
): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(headers["content-length"]) > bytesMax) throw tooLarge(bytesMax);
  const chunks: Buffer[] = [];
  let length = 0;
  // The stream that is left is not destroyed: its sender has to get the reply.
  for await (const chunk of raw.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk as Buffer);
    length += (chunk as Buffer).length;
    if (length > bytesMax) throw tooLarge(bytesMax);
  }
  const bytes = new Uint8Array(length); // of its own, so that it can be passed to a thread
  let end = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, end);
    end += chunk.length;
  }
  return bytes;
}

function tooLarge(bytesMax: number): ServiceError {
  const detail = `The body must be at most ${bytesMax} bytes.`;
  return new ServiceError("payload_too_large", detail);
}

function noPlace(): ServiceError {
  const detail = "Other files of this service take longer than 5 seconds. Retry later.";
  return new ServiceError("overloaded", detail, { headers: { "Retry-After": "5" } });
}

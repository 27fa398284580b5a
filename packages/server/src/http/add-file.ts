import type { FastifyInstance, FastifyRequest } from "fastify";
import { type FileWork, fileWorkOf } from "../accounts/apply-thread.ts";
import { admit, callerOf, endOf } from "../keys/authenticate.ts";
import { GrowingBytes } from "../platform/growing-bytes.ts";
import { QueryQueue } from "../platform/query-queue.ts";
import { ServiceError } from "../platform/service-error.ts";
import type { CallerServices } from "./app-services.ts";
import { noLongerGood } from "./calls-under-way.ts";
import { refuse } from "./hooks.ts";
import { RepliesUnderWay } from "./replies-under-way.ts";
import type { FileRoute } from "./route.ts";
import { sendCounted } from "./send-reply.ts";

/** Of one account one after another, so that they are applied in the order in which they came. */
const accountsAtOnce = { running: Number.POSITIVE_INFINITY, runningPerAccount: 1 };
/** A file takes up to ten times its size in memory; small ones have a place that no large takes. */
const filesAtOnce = { running: 1, runningPerAccount: 1, waitingPerAccount: 1 };

/** Nobody waits for a turn longer than this. */
const turnWithinMs = 30_000;

/** Bodies that come or wait: one of the largest of each account, of three accounts at least. */
const bodiesMax = { bytes: 128 * 1024 * 1024, bytesPerAccount: 40 * 1024 * 1024 };
const bodiesDetail =
  "Too many bytes of files are being sent. Send one file after another, or retry later.";
/** Counted in pieces of so many bytes as they come, since a sender may announce any length. */
const pieceBytes = 1024 * 1024;

/** The way of a file: it is read once its sender is known, and only then waits for its turn. */
export function addFile(app: FastifyInstance, services: CallerServices, route: FileRoute): void {
  const ofAccounts = new QueryQueue({ ...accountsAtOnce, waitingPerAccount: 4 });
  const ofWork = { small: new QueryQueue(filesAtOnce), large: new QueryQueue(filesAtOnce) };
  const bodies = new RepliesUnderWay(bodiesMax, bodiesDetail);
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
          const { accountId } = caller;
          const body = new FileBody(bodies, accountId);
          try {
            const bytes = await body.read(request, route.bytesMax);
            const late = AbortSignal.timeout(turnWithinMs);
            const signal = AbortSignal.any([late, endOf(request)]);
            const apply = async (work: FileWork) => {
              if (!(await entrance.isStillGood(request))) throw noLongerGood();
              const { headers, query } = request;
              const parameters = query as Readonly<Record<string, unknown>>;
              return route.reply(services, { caller, bytes, work, headers, query: parameters });
            };
            const inTurn = async () => {
              const work = await fileWorkOf(services.control, accountId, bytes.length);
              return ofWork[work].run(accountId, signal, () => apply(work));
            };
            const made = await ofAccounts.run(accountId, signal, inTurn).catch((error: unknown) => {
              throw late.aborted && error === late.reason ? noTurn() : error;
            });
            return sendCounted(services, reply, { accountId, made });
          } finally {
            body.release();
          }
        },
      });
    }
  });
}

/** The body of a file, whose bytes count as its account's until they are released. */
class FileBody {
  readonly #bodies: RepliesUnderWay;
  readonly #accountId: string;
  readonly #held: (() => void)[] = [];

  constructor(bodies: RepliesUnderWay, accountId: string) {
    this.#bodies = bodies;
    this.#accountId = accountId;
  }

  /** @throws ServiceError payload_too_large, or overloaded when others are being sent. */
  async read({ raw, headers }: FastifyRequest, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
    if (Number(headers["content-length"]) > bytesMax) throw tooLarge(bytesMax);
    const bytes = new GrowingBytes();
    // The stream that is left is not destroyed: its sender has to get the reply.
    for await (const chunk of raw.iterator({ destroyOnReturn: false })) {
      bytes.append(chunk as Buffer);
      if (bytes.length > bytesMax) throw tooLarge(bytesMax);
      while (this.#held.length * pieceBytes < bytes.length) {
        this.#held.push(this.#bodies.hold(this.#accountId, { length: pieceBytes }));
      }
    }
    return bytes.take();
  }

  release(): void {
    for (const release of this.#held) release();
  }
}

function tooLarge(bytesMax: number): ServiceError {
  const detail = `The body must be at most ${bytesMax} bytes.`;
  return new ServiceError("payload_too_large", detail);
}

function noTurn(): ServiceError {
  const detail = "Other files of this service take longer than 30 seconds. Retry later.";
  return new ServiceError("overloaded", detail, { headers: { "Retry-After": "5" } });
}

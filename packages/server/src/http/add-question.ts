import { finished } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { KeyRecord } from "../control/key-store.ts";
import type { LimitFields } from "../limits/limits.ts";
import { Pieces } from "../platform/pieces.ts";
import { answered } from "./answered.ts";
import type { AppServices, CallerServices } from "./app-services.ts";
import { AskedQuestions } from "./asked-questions.ts";
import { bodyFault } from "./body-fault.ts";
import { refuse } from "./hooks.ts";
import { questionSignal } from "./question-signal.ts";
import { countedBytesMin } from "./replies-under-way.ts";
import type { AccountRoute, AnalyticsRoute, AskedQuestion, Reply } from "./route.ts";
import { sendReply } from "./send-reply.ts";

/**
 * The order of checks on a question: address, method and content type (onRequest), size (the
 * parser), session and limits (preValidation), then the body. From a caller who is known to a
 * reply that is kept nothing is awaited.
 */
export function addQuestion(
  app: FastifyInstance,
  services: CallerServices,
  route: AnalyticsRoute | AccountRoute,
): void {
  const ask = asking(services, route);
  app.route({
    method: route.method,
    url: route.path,
    onRequest: (request, reply, done) => {
      // A GET of an account's data is the caller's alone, whatever stands in between.
      if (route.method === "GET") reply.header("Cache-Control", "no-store");
      const fault = route.method === "GET" ? null : bodyFault(request.headers);
      if (fault === null) done();
      else refuse(done, fault);
    },
    preValidation: (request, reply, done) => {
      const admit = ({ caller, fields }: Admitted) => {
        request.caller = caller;
        reply.headers(fields);
        done();
      };
      const now = admittedNow(services, request);
      if (now !== null) admit(now);
      else admitted(services, request).then(admit, done);
    },
    handler: (request, reply) => {
      const accountId = request.caller?.accountId;
      if (accountId === undefined) throw new Error("a question came through without a session");
      const encodings = request.headers["accept-encoding"];
      const asked = ask(accountId, request.body);
      return makeReply(services, reply, { accountId, asked, encodings });
    },
  });
}

/** What a request asks of a route. */
function asking(
  services: AppServices,
  route: AnalyticsRoute | AccountRoute,
): (accountId: string, body: unknown) => AskedQuestion | Promise<AskedQuestion> {
  if (route.method === "GET") return (accountId) => route.ask(services, accountId);
  const questions = new AskedQuestions(route);
  return (_accountId, body) => questions.read(body);
}

interface Admitted {
  readonly caller: KeyRecord;
  readonly fields: LimitFields;
}

/** Who calls, and one call taken from its limits; null: it takes `admitted` to tell. */
function admittedNow(
  { callers, limits }: CallerServices,
  { headers: { authorization }, raw: { socket } }: FastifyRequest,
): Admitted | null {
  const caller = callers.known({ authorization, connection: socket });
  const fields = caller === null ? null : limits.takeNow(caller);
  return caller === null || fields === null ? null : { caller, fields };
}

async function admitted(
  { callers, limits }: CallerServices,
  { headers: { authorization }, raw: { socket } }: FastifyRequest,
): Promise<Admitted> {
  const caller = await callers.of({ authorization, connection: socket });
  return { caller, fields: await limits.take(caller) };
}

interface Call {
  readonly accountId: string;
  readonly asked: AskedQuestion | Promise<AskedQuestion>;
  readonly encodings: string | undefined;
}

/** Sends a reply, which is under way until the client has it or is gone. */
function send(
  { repliesUnderWay }: CallerServices,
  reply: FastifyReply,
  { made, accountId }: { readonly made: Reply; readonly accountId: string },
): FastifyReply {
  if (made.body instanceof Pieces && made.body.length >= countedBytesMin) {
    finished(reply.raw, repliesUnderWay.hold(accountId, made.body));
  }
  return sendReply(reply, made);
}

async function makeReply(
  services: CallerServices,
  reply: FastifyReply,
  { accountId, asked, encodings }: Call,
): Promise<FastifyReply> {
  const question = await asked;
  const { signal, done } = questionSignal(reply.raw);
  try {
    const call = { accountId, asked: question, signal, encodings };
    return send(services, reply, { made: await answered(services, call), accountId });
  } finally {
    done();
  }
}

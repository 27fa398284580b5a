import { errorCodes } from "@sightline/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { ServiceError } from "../platform/service-error.ts";
import { callerAddress } from "./callers.ts";
import { refuse } from "./hooks.ts";
import type { Surface } from "./http-services.ts";
import { questionSignal } from "./in-flight-calls.ts";
import type { PathParameters, SharedCall, SharedOperation, SharedQuestion } from "./operation.ts";
import { orBusyProblem } from "./or-problem.ts";
import { notedFailure } from "./problems.ts";
import { cachedReply, sendReply } from "./reply.ts";

/** A form has a password and nothing else. */
const formBytesMax = 4_096;

const formType = "application/x-www-form-urlencoded";

/** Serves an address that has a secret: see `SharedOperation`. */
export function addShared<Services>(
  app: FastifyInstance,
  surface: Surface<Services>,
  operation: SharedOperation<Services>,
): void {
  const { services } = surface;
  const { method, path, hasForm } = operation;
  app.route({
    method,
    url: path,
    ...(hasForm ? { bodyLimit: formBytesMax } : {}),
    onRequest: ({ headers }, _reply, done) => {
      if (!hasForm || isForm(headers["content-type"])) done();
      else refuse(done, new ServiceError("unsupported_media_type", notAForm));
    },
    handler: async (request, reply) => {
      const endedUnless: SharedCall["endedUnless"] = (isStillGood) => {
        request.ended = surface.inFlightCalls.begin(reply.raw, isStillGood);
        return request.ended;
      };
      const call: SharedCall = {
        parameters: request.params as PathParameters,
        headers: request.headers,
        address: callerAddress(request),
        isSecure: request.protocol === "https",
        form: hasForm ? formOf(request) : null,
        take: async (caller) => {
          request.caller = caller;
          await services.limits.take(caller);
        },
        endedUnless,
        ask: (question) => asked(surface, { path, question }, endedUnless(question.isStillGood)),
      };
      return sendReply(reply, await orBusyProblem(() => operation.reply(services, call)));
    },
    errorHandler: (error, request, reply) => {
      const failure = notedFailure(services, { error, request, reply });
      const { contentType, body, headers = {} } = operation.failure(failure);
      reply.code(errorCodes[failure.code].status).headers(failure.headers).headers(headers);
      reply.type(contentType).send(body);
    },
  });
}

const notAForm = `Send a form, with \`Content-Type: ${formType}\`.`;

function isForm(field: string | undefined): boolean {
  return (field ?? "").split(";")[0]?.trim().toLowerCase() === formType;
}

function formOf({ body }: FastifyRequest): URLSearchParams {
  return new URLSearchParams(Buffer.isBuffer(body) ? body.toString("utf8") : "");
}

interface AskedQuestion {
  readonly path: string;
  readonly question: SharedQuestion;
}

/** The reply to a question, from the cache or made, within its deadline. */
async function asked<Services>(
  surface: Surface<Services>,
  { path, question: { accountId, parsed } }: AskedQuestion,
  ended: AbortSignal,
): Promise<Buffer> {
  const { questionSeconds } = surface.services.config;
  const { signal, done } = questionSignal(ended, questionSeconds);
  try {
    // Not compressed here: what is not JSON has another type.
    const question = { accountId, path, parsed, signal, encodings: undefined };
    return (await cachedReply(surface, question)).body;
  } finally {
    done();
  }
}

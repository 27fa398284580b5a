import { Sightline } from "@sightline/client";
import type { McpReply } from "@sightline/mcp";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { bodyFault, parseJsonBody } from "../http/body.ts";
import type { Surface } from "../http/http-services.ts";
import type { KeyServices } from "../keys/key-services.ts";
import { ServiceError } from "../platform/service-error.ts";
import { eachInTurns } from "../platform/turns.ts";
import type { QuestionServices } from "../questions/question-services.ts";
import { InnerQuestions } from "./inner-questions.ts";
import { McpCallers } from "./mcp-callers.ts";

/** Where the tools are served. */
const mcpPath = "/mcp";

/** Loaded when an assistant asks: a sixth of what a service would load. */
const protocol = () => import("@sightline/mcp");

/** The host is never looked up: no request leaves the process. */
const innerUrl = "http://sightline.invalid";
/** Inside the service nothing is retried: the caller gets the error, and may retry. */
const innerRetriesMax = 0;
/** More than a question may take, so that its own refusal is the one that shows. */
const innerMoreMs = 2_000;

/** What the tools are made of. */
export type McpServices = KeyServices & QuestionServices;

/**
 * The tools for assistants over Streamable HTTP, without sessions (docs/decisions/mcp.md).
 * The order of checks is that of the questions; limits come after the session, for what asks.
 */
export function addMcp(app: FastifyInstance, surface: Surface<McpServices>): void {
  const { services, inFlightCalls } = surface;
  const callers = new McpCallers(services);
  app.route({
    method: "POST",
    url: mcpPath,
    onRequest: async ({ headers }) => {
      const { isAllowedOrigin } = await protocol();
      if (!isAllowedOrigin(headers.origin)) throw originNotAllowed();
      const fault = bodyFault(headers);
      if (fault !== null) throw fault;
    },
    handler: async (request, reply) => {
      const { caller, session } = await callers.of(request);
      request.caller = caller;
      const isGood = async () => (await services.keyRing.goodKey(caller.id)) !== null;
      const ended = inFlightCalls.begin(reply.raw, isGood);
      const questions = new InnerQuestions(surface, { caller, requestId: request.id, ended });
      const take = async () => void reply.headers(await services.limits.take(caller));
      const message = await readMessage(request.body, take);
      // A call is paid by its questions; whatever asks none is a call of its own.
      if (!isToolCall(message)) await take();
      const inner = new Sightline({
        baseUrl: innerUrl,
        session,
        fetch: questions.fetch,
        retriesMax: innerRetriesMax,
        timeoutMs: services.config.questionSeconds * 1_000 + innerMoreMs,
      });
      const host = {
        sightline: {
          analytics: inner.analytics,
          insights: inner.insights,
          evidence: (...asked: Parameters<Sightline["evidence"]>) => inner.evidence(...asked),
          workspace: () => questions.workspace(),
        },
        inTurns: eachInTurns,
        now: () => services.clock.now(),
        onUnforeseen: (error: unknown) => {
          const cause = error instanceof Error ? error.stack : String(error);
          services.logger.error({ requestId: request.id, cause }, "a tool failed");
        },
      };
      const headers = protocolFields(request);
      const { mcpOverHttp } = await protocol();
      const answered = await mcpOverHttp(host, { headers, message, signal: ended });
      if (isToolCall(message) && questions.count === 0) await take();
      return send(reply.headers(questions.limitFields), answered);
    },
  });
}

/** @throws ServiceError for what is not one message; it is a call all the same. */
async function readMessage(body: unknown, take: () => Promise<void>): Promise<unknown> {
  try {
    const message = parseJsonBody(body);
    if (typeof message === "object" && message !== null && !Array.isArray(message)) return message;
    const got = Array.isArray(message) ? "an array" : "another value";
    throw notOneMessage(`must be one JSON-RPC message, not a batch, got ${got}.`);
  } catch (error) {
    await take();
    throw error;
  }
}

function notOneMessage(message: string): ServiceError {
  const errors = [{ path: "", code: "wrong_type", message }] as const;
  return new ServiceError("invalid_request", `/: ${message}`, { errors });
}

function originNotAllowed(): ServiceError {
  return new ServiceError(
    "origin_not_allowed",
    "Pages of another origin cannot call the tools. Call them from a program that sends no Origin.",
  );
}

function isToolCall(message: unknown): boolean {
  return (message as { readonly method?: unknown }).method === "tools/call";
}

/** The header fields that the protocol looks at. */
function protocolFields({ headers }: FastifyRequest): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      name.startsWith("mcp-") && typeof value === "string" ? [[name, value]] : [],
    ),
  );
}

function send(reply: FastifyReply, { status, contentType, body }: McpReply): FastifyReply {
  reply.code(status).header("Cache-Control", "no-store");
  return contentType === null ? reply.send() : reply.type(contentType).send(body);
}

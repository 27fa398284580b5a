import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import { QueryQueue } from "../platform/query-queue.ts";
import { ServiceError } from "../platform/service-error.ts";
import { nextTurn } from "../platform/turns.ts";
import { bodyFault, parseJsonBody } from "./body.ts";
import { admit, callerAddress, callerOf, endOf } from "./callers.ts";
import { FileUploads } from "./file-uploads.ts";
import { refuse } from "./hooks.ts";
import type { Surface } from "./http-services.ts";
import { questionSignal } from "./in-flight-calls.ts";
import {
  actorOf,
  type Call,
  type CallerKind,
  type ConsoleOperation,
  type Exchange,
  type KnownOperation,
  type OpenOperation,
  type Operation,
  type PathParameters,
  type Question,
  type Reply,
} from "./operation.ts";
import { orBusyProblem } from "./or-problem.ts";
import { consoleFault, isForeignPage } from "./origins.ts";
import { cachedReply, sendCounted, sendReply } from "./reply.ts";
import { addShared } from "./shared-pages.ts";

/** A list may take 20 MB, and as much again while it is made. */
const listsAtOnce = { running: 6, runningPerAccount: 2, waitingPerAccount: 64 };
/** Streams that are read: places bound memory, some 20 MiB each, and an account's are its own. */
const streamsAtOnce = { running: 64, runningPerAccount: 2, waitingPerAccount: 16 };
/** Nobody waits for the place of a stream longer than this. */
const streamPlaceWithinMs = 20_000;
/** To read a body of 10,000 ids takes some 10 ms: larger bodies are read in turns. */
const quickBodyBytesMax = 4_096;

/** What is done with the request of a caller who was let through. */
type Handle = (request: FastifyRequest, call: Call, kind: CallerKind) => Promise<Reply>;

/** What the operations of a surface share. */
interface Shared<Services> {
  readonly surface: Surface<Services>;
  readonly lists: QueryQueue;
  readonly streams: QueryQueue;
  readonly files: FileUploads;
}

/**
 * Makes an address of each operation. The order of checks is the same for all: address, method and
 * content type (onRequest), size (the parser), session and limits, then the body.
 */
export function register<Services>(
  app: FastifyInstance,
  surface: Surface<Services>,
  operations: readonly Operation<Services>[],
): void {
  const lists = new QueryQueue(listsAtOnce);
  const streams = new QueryQueue(streamsAtOnce);
  const shared = { surface, lists, streams, files: new FileUploads() };
  for (const operation of operations) {
    if (operation.kind === "open") addOpen(app, surface, operation);
    else if (operation.kind === "exchange") addExchange(app, surface, operation);
    else if (operation.kind === "console") addConsole(app, surface, operation);
    else if (operation.kind === "shared") addShared(app, surface, operation);
    else addKnown(app, surface, { operation, handle: handleOf(shared, operation) });
  }
}

function handleOf<Services>(shared: Shared<Services>, operation: KnownOperation<Services>): Handle {
  const { services } = shared.surface;
  switch (operation.kind) {
    case "question":
      return (request, call) => answered(shared.surface, operation, { request, call });
    case "list":
      return (request, call) => {
        const make = () => orBusyProblem(() => operation.reply(services, call));
        const { questionSeconds: seconds } = services.config;
        const ended = endOf(request);
        return listed(shared.lists, call.caller.accountId, { make, ended, seconds });
      };
    case "change":
      return (request, call) => {
        const endable = { ...call, ended: endOf(request) };
        return orBusyProblem(() => operation.reply(services, endable));
      };
    case "file":
      return (request, call, kind) =>
        shared.files.receive(request, {
          bytesMax: operation.bytesMax,
          isStillGood: () => kind.isStillGood(request, call.caller, operation.scope),
          workOf: (bytes) => operation.workOf(services, call.caller.accountId, bytes),
          apply: (bytes, work) => operation.reply(services, { ...call, bytes, work }),
        });
    case "stream":
      return (request, call) => {
        // Never destroyed, which would look as if the sender had gone: it has to get the reply.
        const stream = () => request.raw.iterator({ destroyOnReturn: false });
        const ended = endOf(request);
        const read = () => operation.reply(services, { ...call, stream: stream(), ended });
        return inPlace(shared.streams, call.caller.accountId, { read, ended });
      };
  }
}

interface Asked {
  readonly request: FastifyRequest;
  readonly call: Call;
}

/** The reply to a question, within its deadline. */
async function answered<Services>(
  surface: Surface<Services>,
  { path, parse }: Question<Services>,
  { request, call }: Asked,
): Promise<Reply> {
  const parsed = await parse(surface.services, call);
  const { signal, done } = questionSignal(endOf(request), surface.services.config.questionSeconds);
  try {
    const { accountId } = call.caller;
    const encodings = request.headers["accept-encoding"];
    return await cachedReply(surface, { accountId, path, parsed, signal, encodings });
  } finally {
    done();
  }
}

interface StreamReading {
  readonly read: () => Promise<Reply>;
  readonly ended: AbortSignal;
}

/** Reads a stream once its account has a place. @throws ServiceError overloaded. */
async function inPlace(
  streams: QueryQueue,
  accountId: string,
  { read, ended }: StreamReading,
): Promise<Reply> {
  const late = AbortSignal.timeout(streamPlaceWithinMs);
  try {
    return await streams.run(accountId, AbortSignal.any([late, ended]), read);
  } catch (error) {
    throw late.aborted && error === late.reason ? noStreamPlace() : error;
  }
}

interface AddedOperation<Services> {
  readonly operation: KnownOperation<Services>;
  readonly handle: Handle;
}

function addKnown<Services>(
  app: FastifyInstance,
  surface: Surface<Services>,
  added: AddedOperation<Services>,
): void {
  const add = (to: FastifyInstance) => {
    for (const kind of surface.services.callerKinds) to.route(routeOf(surface, added, kind));
  };
  if (!isRaw(added.operation)) return void add(app);
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
    add(scope);
  });
}

/** Whether the body is read only once the caller is known. */
function isRaw<Services>({ kind }: KnownOperation<Services>): boolean {
  return kind === "file" || kind === "stream";
}

function routeOf<Services>(
  surface: Surface<Services>,
  { operation, handle }: AddedOperation<Services>,
  kind: CallerKind,
): RouteOptions {
  const admitted = (request: FastifyRequest, reply: FastifyReply) =>
    admit(surface, { request, reply, kind }, operation.scope);
  return {
    method: operation.method,
    url: `${kind.prefix}${operation.path}`,
    config: { isStream: operation.kind === "stream" },
    ...(isRaw(operation) ? { preParsing: admitted } : { preValidation: admitted }),
    onRequest: (request, reply, done) => {
      if (!isPost(operation)) reply.header("Cache-Control", "no-store");
      const fault = faultOf(operation, request);
      if (fault === null) done();
      else refuse(done, fault);
    },
    handler: async (request, reply) => {
      const call = await callOf(operation, request);
      const made = await handle(request, call, kind);
      return sendCounted(surface, reply, { accountId: call.caller.accountId, made });
    },
  };
}

/** What browsers and proxies do not keep in any case: the POST of a question or an import. */
function isPost<Services>({ kind, method }: KnownOperation<Services>): boolean {
  return method === "POST" && kind !== "change";
}

function faultOf<Services>(
  operation: KnownOperation<Services>,
  { headers }: FastifyRequest,
): ServiceError | null {
  if (operation.kind === "file" || operation.kind === "stream") return operation.fault(headers);
  return hasJsonBody(operation) ? bodyFault(headers) : null;
}

function hasJsonBody<Services>(operation: KnownOperation<Services>): boolean {
  if (operation.kind === "question") return operation.method === "POST";
  return operation.kind === "change" && operation.hasBody;
}

async function callOf<Services>(
  operation: KnownOperation<Services>,
  request: FastifyRequest,
): Promise<Call> {
  const { body, headers } = request;
  const isJson = hasJsonBody(operation);
  if (isJson && Buffer.isBuffer(body) && body.length > quickBodyBytesMax) await nextTurn();
  const caller = callerOf(request);
  return {
    caller,
    actor: actorOf(caller, request.id),
    body: isJson ? parseJsonBody(body) : undefined,
    parameters: request.params as PathParameters,
    headers,
    query: request.query as Readonly<Record<string, unknown>>,
    origin: `${request.protocol}://${headers.host ?? ""}`,
  };
}

interface ListMaking {
  readonly make: () => Promise<Reply>;
  readonly ended: AbortSignal;
  readonly seconds: number;
}

/** A list, under the queue and deadline of a question. @throws ServiceError. */
async function listed(
  lists: QueryQueue,
  accountId: string,
  { make, ended, seconds }: ListMaking,
): Promise<Reply> {
  const { signal, done } = questionSignal(ended, seconds);
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

function noStreamPlace(): ServiceError {
  const detail = "Other imports of this account take longer than 20 seconds. Retry later.";
  return new ServiceError("overloaded", detail, { headers: { "Retry-After": "5" } });
}

/** Whether the console's page asks comes first. */
function addConsole<Services>(
  app: FastifyInstance,
  { services, inFlightCalls }: Surface<Services>,
  operation: ConsoleOperation<Services>,
): void {
  app.route({
    method: operation.method,
    url: operation.path,
    onRequest: (request, reply, done) => {
      reply.header("Cache-Control", "no-store");
      const { headers } = request;
      const fault = consoleFault(request) ?? (operation.hasBody ? bodyFault(headers) : null);
      if (fault === null) done();
      else refuse(done, fault);
    },
    handler: async (request, reply) => {
      const call = {
        request,
        requestId: request.id,
        address: callerAddress(request),
        isSecure: request.protocol === "https",
        body: operation.hasBody ? parseJsonBody(request.body) : undefined,
        endedUnless: (isStillGood: () => Promise<boolean>) =>
          inFlightCalls.begin(reply.raw, isStillGood),
      };
      return sendReply(reply, await orBusyProblem(() => operation.reply(services, call)));
    },
  });
}

const foreignExchange =
  "Pages of another origin cannot exchange keys. Add the origin to --cors-origins, or " +
  "exchange the key on your own server.";

function addExchange<Services>(
  app: FastifyInstance,
  { services }: Surface<Services>,
  operation: Exchange<Services>,
): void {
  app.route({
    method: operation.method,
    url: operation.path,
    config: { errorNames: "descope" },
    onRequest: (request, _reply, done) => {
      // Before it is looked at: what a page makes a browser send is not its reader's guess.
      if (!isForeignPage(request, services.config.corsOrigins)) return done();
      refuse(done, new ServiceError("origin_not_allowed", foreignExchange));
    },
    handler: async (request, reply) => {
      const { authorization } = request.headers;
      const address = callerAddress(request);
      return sendReply(reply, await operation.reply(services, { authorization, address }));
    },
  });
}

function addOpen<Services>(
  app: FastifyInstance,
  { services }: Surface<Services>,
  operation: OpenOperation<Services>,
): void {
  app.route({
    method: operation.method,
    url: operation.path,
    config: { anyHost: operation.anyHost === true },
    handler: async ({ id, params, headers, protocol, raw }, reply) => {
      const { url = "" } = raw;
      const search = url.includes("?") ? url.slice(url.indexOf("?")) : "";
      const call = { requestId: id, search, isSecure: protocol === "https" };
      const parameters = params as PathParameters;
      return sendReply(reply, await operation.reply(services, parameters, headers, call));
    },
  });
}

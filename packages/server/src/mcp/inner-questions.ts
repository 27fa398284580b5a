import { AsyncLocalStorage } from "node:async_hooks";
import { ApiError } from "@sightline/client";
import { errorCodes, type WorkspaceResponse } from "@sightline/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest, InjectOptions } from "fastify";
import type { AppServices } from "../http/app-services.ts";
import { callerAddress } from "../http/caller-address.ts";
import { questionSignal } from "../http/question-signal.ts";
import { requireScope } from "../keys/authenticate.ts";
import type { KeyRecord } from "../keys/key-store.ts";
import { ServiceError } from "../platform/service-error.ts";
import { workspaceRoute } from "../questions/routes/workspace/route.ts";
import { workspaceNow } from "../questions/routes/workspace/workspace-now.ts";

/** The header fields of a reply that tell the state of its caller's limits. */
const limitFieldNames = ["ratelimit", "ratelimit-policy"] as const;

/** Aborts what is asked from within, in the hooks of that request alone. */
const innerSignal = new AsyncLocalStorage<AbortSignal | undefined>();

/**
 * Asks the service itself, over the same walls as any caller: session, limits, validation, line of
 * questions, metrics and log. A stand-in for `fetch` that opens no connection.
 */
export class InnerQuestions {
  readonly #app: FastifyInstance;
  readonly #address: string;
  readonly #host: { readonly host?: string };
  #count = 0;
  #limitFields: Readonly<Record<string, string>> = {};

  /** @param request whose questions they are: they come from its address, to its host. */
  constructor(app: FastifyInstance, request: FastifyRequest) {
    this.#app = app;
    const { host } = request.headers;
    this.#address = callerAddress(request);
    this.#host = host === undefined ? {} : { host };
  }

  /** How many were asked. */
  get count(): number {
    return this.#count;
  }

  /** What is left of the caller's limits: of what the replies said of them, the least. */
  get limitFields(): Readonly<Record<string, string>> {
    return this.#limitFields;
  }

  /** Sends a request to this service. Its body, if any, is text. */
  readonly fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const { method, headers, body, signal } = init;
    this.#count++;
    const request: InjectOptions = {
      method: method === "POST" ? "POST" : "GET",
      url: new URL(url).pathname,
      headers: { ...Object.fromEntries(new Headers(headers)), ...this.#host },
      remoteAddress: this.#address,
      ...(typeof body === "string" ? { payload: body } : {}),
    };
    // TRICKY: inject starts when it is awaited, so that has to happen in there.
    const ask = async () => await this.#app.inject(request);
    const reply = await innerSignal.run(signal ?? undefined, ask);
    const fields = Object.entries(reply.headers).map(([name, value]) => [name, String(value)]);
    const known = Object.fromEntries(fields) as Readonly<Record<string, string>>;
    this.#noteLimits(known);
    return new Response(reply.body, { status: reply.statusCode, headers: known });
  };

  /**
   * What the caller tracks: under the same limits, scope and deadline as GET /v1/workspace, but
   * without its JSON, which may have 20 MB. The values are shared with other callers.
   * @throws ApiError, as the client would.
   */
  async workspace({ services, caller, reply, ended }: InnerCall): Promise<WorkspaceResponse> {
    this.#count++;
    const { signal, done } = questionSignal(ended);
    try {
      this.#noteLimits(await services.limits.take(caller));
      requireScope(caller, workspaceRoute.scope);
      return await workspaceNow(services, caller.accountId, signal);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      this.#noteLimits(error.headers);
      throw asApiError(error, reply.request.id);
    } finally {
      done();
    }
  }

  /** Replies to concurrent questions come in any order: the least is what is left. */
  #noteLimits(headers: Readonly<Record<string, string>>): void {
    const limitFields = Object.fromEntries(
      Object.entries(headers)
        .map(([name, value]) => [name.toLowerCase(), value] as const)
        .filter(([name]) => limitFieldNames.some((known) => known === name)),
    );
    if (callsLeft(limitFields) <= callsLeft(this.#limitFields)) this.#limitFields = limitFields;
  }
}

/** What a question from within is asked for. */
export interface InnerCall {
  readonly services: AppServices;
  readonly caller: KeyRecord;
  /** The reply that waits for it. */
  readonly reply: FastifyReply;
  /** Aborts when the call that it is part of has to end. */
  readonly ended: AbortSignal;
}

function asApiError({ code, detail, errors, headers }: ServiceError, requestId: string): ApiError {
  const seconds = headers["Retry-After"];
  return new ApiError({
    status: errorCodes[code].status,
    ...{ code, detail, requestId, errors: errors ?? [] },
    retryAfter: seconds === undefined ? undefined : Number(seconds),
  });
}

/**
 * Lets a question from within end when its signal aborts, as one from without does when its client
 * hangs up. TRICKY: inject's own signal ends a request whose body is on its way, and nothing after.
 */
export function endInnerReplies(app: FastifyInstance): void {
  app.addHook("onRequest", (_request, { raw }, done) => {
    innerSignal.getStore()?.addEventListener("abort", () => raw.destroy(), { once: true });
    done();
  });
}

/** The calls that are left by all limits together; infinite when the fields tell of none. */
function callsLeft({ ratelimit }: Readonly<Record<string, string>>): number {
  if (ratelimit === undefined) return Number.POSITIVE_INFINITY;
  const left = [...ratelimit.matchAll(/;r=(\d+)/g)].map(([, calls]) => Number(calls));
  return left.reduce((sum, calls) => sum + calls, 0);
}

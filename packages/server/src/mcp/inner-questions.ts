import { ApiError } from "@sightline/client";
import { errorCodes, type WorkspaceResponse } from "@sightline/contract";
import { parseJsonBody } from "../http/body.ts";
import { requireScope } from "../http/callers.ts";
import type { Surface } from "../http/http-services.ts";
import { questionSignal } from "../http/in-flight-calls.ts";
import { actorOf, type CallerKey, type Question } from "../http/operation.ts";
import { bodyBytesMax, problemReply, toServiceError } from "../http/problems.ts";
import { cachedReply } from "../http/reply.ts";
import { ServiceError } from "../platform/service-error.ts";
import type { QuestionServices } from "../questions/question-services.ts";
import { questionOperations } from "../questions/routes.ts";
import { workspaceNow, workspaceRoute } from "../questions/workspace.ts";

/** The header fields of a reply that tell the state of its caller's limits. */
const limitFieldNames = ["ratelimit", "ratelimit-policy"] as const;

/** The message of an assistant whose tool asks. */
export interface AskingMessage {
  readonly caller: CallerKey;
  readonly requestId: string;
  /** Aborts when the call that the questions are part of has to end. */
  readonly ended: AbortSignal;
}

/**
 * Asks the service itself, over the same walls as any caller: limits, scope, validation, line of
 * questions, cache. A stand-in for `fetch` that sends nothing.
 */
export class InnerQuestions {
  readonly #surface: Surface<QuestionServices>;
  readonly #message: AskingMessage;
  #count = 0;
  #limitFields: Readonly<Record<string, string>> = {};

  constructor(surface: Surface<QuestionServices>, message: AskingMessage) {
    this.#surface = surface;
    this.#message = message;
  }

  /** How many were asked. */
  get count(): number {
    return this.#count;
  }

  /** What is left of the caller's limits: of what the replies said of them, the least. */
  get limitFields(): Readonly<Record<string, string>> {
    return this.#limitFields;
  }

  /** Asks a question of the client. Its body, if any, is text. */
  readonly fetch = async (url: string, init: RequestInit): Promise<Response> => {
    try {
      const { pathname } = new URL(url);
      const operation = questionOperations.find(({ path }) => path === pathname);
      if (operation === undefined) throw new Error(`no question has the address ${pathname}`);
      return await this.#under(init.signal, operation, async (signal) => {
        const { caller, requestId } = this.#message;
        const { accountId } = caller;
        const actor = actorOf(caller, requestId);
        const { parameters, headers, query } = nothingSaid;
        const body = typeof init.body === "string" ? parseJsonBody(Buffer.from(init.body)) : null;
        const call = { caller, actor, body, parameters, headers, query };
        const parsed = await operation.parse(this.#surface.services, call);
        const { path } = operation;
        const asked = { accountId, path, parsed, signal, encodings: undefined };
        const reply = await cachedReply(this.#surface, asked);
        return new Response(new Uint8Array(reply.body), {
          headers: { "content-type": reply.contentType },
        });
      });
    } catch (error) {
      if (init.signal?.aborted) throw init.signal.reason;
      const { status, headers, body } = problemReply(
        toServiceError(error, bodyBytesMax),
        this.#message.requestId,
      );
      return new Response(body, { status, headers });
    }
  };

  /**
   * What the caller tracks: under the same limits, scope and deadline as GET /v1/workspace, but
   * without its JSON, which may have 20 MB. The values are shared with other callers.
   * @throws ApiError, as the client would.
   */
  async workspace(): Promise<WorkspaceResponse> {
    const { caller, requestId } = this.#message;
    try {
      return await this.#under(null, workspaceRoute, (signal) =>
        workspaceNow(this.#surface.services, caller.accountId, signal),
      );
    } catch (error) {
      throw error instanceof ServiceError ? asApiError(error, requestId) : error;
    }
  }

  /** Asks for the caller, and notes what that leaves of the limits. */
  async #under<Result>(
    own: AbortSignal | null | undefined,
    { scope }: Pick<Question<QuestionServices>, "scope">,
    ask: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const { caller, ended } = this.#message;
    this.#count++;
    const over = own ? AbortSignal.any([own, ended]) : ended;
    const { signal, done } = questionSignal(over, this.#surface.services.config.questionSeconds);
    try {
      this.#noteLimits(await this.#surface.services.limits.take(caller));
      requireScope(caller, scope);
      return await ask(signal);
    } catch (error) {
      if (error instanceof ServiceError) this.#noteLimits(error.headers);
      throw error;
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

const nothingSaid = { parameters: {}, headers: {}, query: {} };

function asApiError({ code, detail, errors, headers }: ServiceError, requestId: string): ApiError {
  const seconds = headers["Retry-After"];
  return new ApiError({
    status: errorCodes[code].status,
    code,
    detail,
    requestId,
    errors: errors ?? [],
    retryAfter: seconds === undefined ? undefined : Number(seconds),
  });
}

/** The calls that are left by all limits together; infinite when the fields tell of none. */
function callsLeft({ ratelimit }: Readonly<Record<string, string>>): number {
  if (ratelimit === undefined) return Number.POSITIVE_INFINITY;
  const left = [...ratelimit.matchAll(/;r=(\d+)/g)].map(([, calls]) => Number(calls));
  return left.reduce((sum, calls) => sum + calls, 0);
}

import { AsyncLocalStorage } from "node:async_hooks";
import type { FastifyInstance, InjectOptions } from "fastify";

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
  #count = 0;
  #limitFields: Readonly<Record<string, string>> = {};

  /** @param address whose question it is, for the throttle of guesses. */
  constructor(app: FastifyInstance, address: string) {
    this.#app = app;
    this.#address = address;
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
      headers: Object.fromEntries(new Headers(headers)),
      remoteAddress: this.#address,
      ...(typeof body === "string" ? { payload: body } : {}),
    };
    // TRICKY: inject starts when it is awaited, so that has to happen in there.
    const ask = async () => await this.#app.inject(request);
    const reply = await innerSignal.run(signal ?? undefined, ask);
    const fields = Object.entries(reply.headers).map(([name, value]) => [name, String(value)]);
    const known = Object.fromEntries(fields) as Readonly<Record<string, string>>;
    const limitFields = Object.fromEntries(
      limitFieldNames.flatMap((name) => (known[name] === undefined ? [] : [[name, known[name]]])),
    );
    // Replies to questions that were asked at once come in any order.
    if (callsLeft(limitFields) <= callsLeft(this.#limitFields)) this.#limitFields = limitFields;
    return new Response(reply.body, { status: reply.statusCode, headers: known });
  };
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

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { type Fetch, Sightline, type SightlineOptions } from "../src/index.ts";
import { HeldClock } from "./held-clock.ts";

/** A request as the service saw it. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  /** What came after `Bearer `. */
  readonly token: string;
  readonly body: string;
}

/** What the script has the service do: reply, or never reply, or break the connection. */
export type ScriptedReply =
  | {
      readonly status: number;
      /** An object is sent as JSON. */
      readonly body?: object | string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | "silence"
  | "reset";

/** Decides what a request gets. */
export type Script = (request: SeenRequest) => ScriptedReply;

/** Where keys are exchanged. */
export const exchangePath = "/v1/auth/accesskey/exchange";

/** What the scripted service replies to a good question. */
export const goodReply = { status: 200, body: { series: [] } } as const;

/**
 * A service over real HTTP that does what its script says, seen by a client with a held clock. Time
 * passes only while nothing is on its way: `run` then moves the clock to whatever is waited for.
 */
export class ScriptedService {
  readonly clock = new HeldClock();
  /** Every request, in the order of arrival. */
  readonly requests: SeenRequest[] = [];
  /** The most concurrent requests so far. */
  parallel = 0;
  readonly baseUrl: string;
  readonly #close: () => Promise<void>;
  #onTheWay = 0;

  private constructor(baseUrl: string, close: () => Promise<void>) {
    this.baseUrl = baseUrl;
    this.#close = close;
  }

  /** Starts a service; the test's end stops it. */
  static async start(t: AfterHook, script: Script): Promise<ScriptedService> {
    let service: ScriptedService | undefined;
    // An idle connection that the server closes would be a failure that no script asked for.
    const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
      if (service !== undefined) void service.#answer(request, response, script);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    service = new ScriptedService(`http://127.0.0.1:${port}`, async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    });
    t.after(service.#close);
    return service;
  }

  /** A client of this service. */
  client(options: Partial<SightlineOptions> = {}): Sightline {
    const { baseUrl, clock } = this;
    const secret = options.session === undefined ? { key: "a-key" } : {};
    const given = { baseUrl, clock, fetch: this.#fetch, ...secret, ...options };
    return new Sightline(given as SightlineOptions);
  }

  /** How many requests there were for exchanges, and how many others. */
  get counts(): { readonly exchanges: number; readonly questions: number } {
    const exchanges = this.requests.filter(({ path }) => path === exchangePath).length;
    return { exchanges, questions: this.requests.length - exchanges };
  }

  /** Lets time pass wherever it is waited for, until the promise has come to its end. */
  async run<Value>(promise: Promise<Value>): Promise<Value> {
    let over = false;
    const end = (): void => {
      over = true;
    };
    promise.then(end, end);
    while (!over) {
      await new Promise((resolve) => setImmediate(resolve));
      if (!over && this.#onTheWay === 0) this.clock.toNext();
    }
    return promise;
  }

  /** Until so many requests have arrived. No time passes. */
  async arrived(count: number): Promise<void> {
    while (this.requests.length < count) await new Promise((resolve) => setImmediate(resolve));
  }

  /** Bodies are read here already, so that reading them takes the client no turn of the loop. */
  readonly #fetch: Fetch = async (url, init) => {
    this.#onTheWay++;
    this.parallel = Math.max(this.parallel, this.#onTheWay);
    try {
      const reply = await fetch(url, init);
      const body = await reply.text();
      return Object.assign(reply, { text: async () => body });
    } finally {
      this.#onTheWay--;
    }
  };

  async #answer(request: IncomingMessage, response: ServerResponse, script: Script): Promise<void> {
    const { method = "", url = "", headers } = request;
    const token = (headers.authorization ?? "").replace(/^Bearer /, "");
    const seen = { method, path: url, token, body: await text(request) };
    this.requests.push(seen);
    const reply = script(seen);
    if (reply === "silence") return;
    if (reply === "reset") {
      request.socket.destroy();
      return;
    }
    const { status, body = "" } = reply;
    response.writeHead(status, { "content-type": "application/json", ...reply.headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  }
}

/** A problem as the service sends it. */
export function problem(status: number, code: string, more: object = {}): object {
  return { type: `/docs/errors/${code}`, title: code, status, detail: "It is so.", code, ...more };
}

let sessions = 0;

/** A good reply to an exchange: a session that nobody had yet. */
export function newSession(lifeSeconds = 600): {
  readonly status: 200;
  readonly body: { readonly keyId: string; readonly sessionJwt: string };
} {
  sessions++;
  return { status: 200, body: { keyId: "a", sessionJwt: sessionJwt(sessions, lifeSeconds) } };
}

/** A refusal with a code of the service, and perhaps with the seconds to wait. */
export function refusal(status: number, code: string, retryAfter?: number): ScriptedReply {
  const headers = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
  return { status, body: problem(status, code), headers };
}

/** Exchanges every key, and leaves the questions to the script. */
export function exchanging(script: Script): Script {
  return (request) => (request.path === exchangePath ? newSession() : script(request));
}

/** An unsigned token with the claims that the client reads. */
function sessionJwt(number: number, lifeSeconds: number): string {
  const claims = { jti: `${number}`, iat: 1_000, exp: 1_000 + lifeSeconds };
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "none" })}.${part(claims)}.c2lnbmF0dXJl`;
}

/** What a promise was rejected with. */
export async function rejection(promise: PromiseLike<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("was not rejected");
}

/** What a test's context offers: something to be done when the test ended. */
export interface AfterHook {
  readonly after: (hook: () => Promise<void>) => void;
}

/** A question that needs no more thought. */
export const question = {
  interval: "daily",
  filters: { timeRange: { from: "2026-01-05T00:00:00Z", to: "2026-01-08T00:00:00Z" } },
} as const;

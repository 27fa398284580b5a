import { Agent, request } from "node:http";
import { text } from "node:stream/consumers";

/** A reply to one request, read to its end. */
export interface LoadReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
  /** From the call to the last byte, the wait for a free connection included. */
  readonly ms: number;
}

/** What a request carries. */
export interface LoadRequest {
  readonly token?: string;
  /** Sent as JSON with POST; left out: a GET. Null: a POST without a body. */
  readonly body?: object | null;
  /** Hangs up when it aborts. */
  readonly signal?: AbortSignal;
}

/** A client with so many kept-alive connections. */
export class LoadClient {
  readonly #url: string;
  readonly #agent: Agent;

  constructor(url: string, connections: number) {
    this.#url = url;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  /** @throws the socket's error when no whole reply came. */
  ask(path: string, { token, body, signal }: LoadRequest = {}): Promise<LoadReply> {
    const started = performance.now();
    const sent = body === undefined || body === null ? "" : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const call = request(`${this.#url}${path}`, {
        agent: this.#agent,
        method: body === undefined ? "GET" : "POST",
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(sent === "" ? {} : { "content-type": "application/json" }),
          ...(body === undefined ? {} : { "content-length": Buffer.byteLength(sent) }),
        },
        ...(signal === undefined ? {} : { signal }),
      });
      call.once("error", reject);
      call.once("response", (reply) => {
        text(reply).then((whole) => {
          const { statusCode: status = 0, headers } = reply;
          resolve({ status, headers, body: whole, ms: performance.now() - started });
        }, reject);
      });
      call.end(sent);
    });
  }

  /** A session for a key. @throws when the exchange is refused. */
  session(key: string): Promise<string> {
    return exchanged(key, (path, request) => this.ask(path, request));
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** Exchanges a key for a session, through any client. @throws when the exchange is refused. */
export async function exchanged(
  key: string,
  ask: (path: string, request: LoadRequest) => Promise<Pick<LoadReply, "status" | "body">>,
): Promise<string> {
  const { status, body } = await ask("/v1/auth/accesskey/exchange", { token: key, body: null });
  if (status !== 200) throw new Error(`exchange: ${status} ${body}`);
  return (JSON.parse(body) as { sessionJwt: string }).sessionJwt;
}

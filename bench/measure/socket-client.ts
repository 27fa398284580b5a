import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { type HttpReply, type HttpRequest, onReplies, requestBytes } from "./http-replies.ts";

/** A reply that was read to its end. */
export interface TimedReply {
  readonly status: number;
  readonly body: string;
  /** From the call to the last byte. */
  readonly ms: number;
}

/**
 * One kept-alive connection, spoken to directly: a whole HTTP client in this process would take as
 * long as what is measured.
 */
export class SocketClient {
  readonly #host: string;
  readonly #socket: Socket;
  #waiting: PromiseWithResolvers<HttpReply & { readonly atMs: number }> | null = null;

  private constructor(host: string, socket: Socket) {
    this.#host = host;
    this.#socket = socket;
    onReplies(socket, {
      reply: (reply) => this.#waiting?.resolve({ ...reply, atMs: performance.now() }),
      fail: (reason) => this.#waiting?.reject(new Error(reason)),
    });
  }

  /** Resolves when it is connected. */
  static async connect(url: string): Promise<SocketClient> {
    const { hostname, port, host } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.setNoDelay(true);
    await once(socket, "connect");
    return new SocketClient(host, socket);
  }

  /** One request at a time. @throws when no whole reply came. */
  async ask(request: HttpRequest): Promise<TimedReply> {
    if (this.#waiting !== null) throw new Error("one request at a time");
    const startedMs = performance.now();
    const waiting = Promise.withResolvers<HttpReply & { readonly atMs: number }>();
    this.#waiting = waiting;
    this.#socket.write(requestBytes(this.#host, request));
    const { status, parts, atMs } = await waiting.promise;
    this.#waiting = null;
    return { status, body: Buffer.concat(parts).toString("utf8"), ms: atMs - startedMs };
  }

  /** A session for a key. @throws when the exchange is refused. */
  async session(key: string): Promise<string> {
    const path = "/v1/auth/accesskey/exchange";
    const { status, body } = await this.ask({ path, token: key, body: null });
    if (status !== 200) throw new Error(`exchange: ${status} ${body}`);
    return (JSON.parse(body) as { sessionJwt: string }).sessionJwt;
  }

  close(): void {
    this.#socket.destroy();
  }
}

import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { exchanged } from "../../packages/server/test/load/load-client.ts";
import { type HttpReply, type HttpRequest, onReplies, requestBytes } from "./http-replies.ts";

/** A reply that was read to its end. */
export interface TimedReply {
  readonly status: number;
  readonly body: string;
  /** From the call to the last byte. */
  readonly ms: number;
}

interface Arrived extends HttpReply {
  readonly atMs: number;
}

/**
 * One kept-alive connection, spoken to directly: a whole HTTP client in this process would take as
 * long as what is measured. It is opened again when the server has closed it, being idle.
 */
export class SocketClient {
  readonly #url: URL;
  #socket: Socket | null = null;
  #waiting: PromiseWithResolvers<Arrived> | null = null;

  constructor(url: string) {
    this.#url = new URL(url);
  }

  /** One request at a time. @throws when no whole reply came. */
  async ask(request: HttpRequest): Promise<TimedReply> {
    if (this.#waiting !== null) throw new Error("one request at a time");
    const waiting = Promise.withResolvers<Arrived>();
    this.#waiting = waiting;
    const startedMs = performance.now();
    try {
      this.#socket ??= await this.#connected();
      this.#socket.write(requestBytes(this.#url.host, request));
      const { status, parts, atMs } = await waiting.promise;
      return { status, body: Buffer.concat(parts).toString("utf8"), ms: atMs - startedMs };
    } finally {
      this.#waiting = null;
    }
  }

  /** A session for a key. @throws when the exchange is refused. */
  session(key: string): Promise<string> {
    return exchanged(key, (path, request) => this.ask({ token: null, ...request, path }));
  }

  close(): void {
    this.#socket?.destroy();
  }

  async #connected(): Promise<Socket> {
    const socket = connect(Number(this.#url.port), this.#url.hostname);
    socket.setNoDelay(true);
    await once(socket, "connect");
    onReplies(socket, {
      reply: (reply) => this.#waiting?.resolve({ ...reply, atMs: performance.now() }),
      fail: (reason) => {
        if (this.#socket === socket) this.#socket = null;
        socket.destroy();
        this.#waiting?.reject(new Error(reason));
      },
    });
    return socket;
  }
}

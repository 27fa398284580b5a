import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { exchanged } from "../../packages/server/test/load/load-client.ts";

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

/** What is sent, over a connection that is kept alive. */
interface HttpRequest {
  readonly path: string;
  /** Null: no session. */
  readonly token: string | null;
  /** Sent as JSON with POST; null: a POST without a body; left out: a GET. */
  readonly body?: object | null;
}

/** A request as a client sends it. */
function requestBytes(host: string, { path, token, body }: HttpRequest): Buffer {
  const json = body === undefined || body === null ? "" : JSON.stringify(body);
  const fields = [
    `${body === undefined ? "GET" : "POST"} ${path} HTTP/1.1`,
    `Host: ${host}`,
    ...(token === null ? [] : [`Authorization: Bearer ${token}`]),
    ...(json === "" ? [] : ["Content-Type: application/json"]),
    ...(body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(json)}`]),
  ];
  return Buffer.from(`${fields.join("\r\n")}\r\n\r\n${json}`);
}

/** A reply, all of it. */
interface HttpReply {
  readonly status: number;
  /** The body, as it came. */
  readonly parts: readonly Buffer[];
}

interface Listener {
  readonly reply: (reply: HttpReply) => void;
  readonly fail: (reason: string) => void;
}

const headEnd = "\r\n\r\n";

/** Tells of each reply once its last byte is there; one request at a time. */
function onReplies(socket: Socket, { reply, fail }: Listener): void {
  let head = "";
  let status = 0;
  let missing = 0;
  let parts: Buffer[] = [];
  socket.once("error", (error) => fail(String(error)));
  socket.once("close", () => fail("the connection was closed"));
  socket.on("data", (chunk: Buffer) => {
    let body = chunk;
    if (missing === 0) {
      const before = head.length;
      head += chunk.toString("latin1");
      const end = head.indexOf(headEnd);
      if (end === -1) return;
      const length = /^content-length: (\d+)$/im.exec(head.slice(0, end));
      if (length === null) return fail(head);
      status = Number(head.slice("HTTP/1.1 ".length, "HTTP/1.1 200".length));
      missing = Number(length[1]);
      body = chunk.subarray(end + headEnd.length - before);
      head = "";
    }
    parts.push(body);
    missing -= body.length;
    if (missing < 0) return fail("more bytes than were announced");
    if (missing > 0) return;
    const whole = { status, parts };
    parts = [];
    reply(whole); // one request at a time: no byte belongs to a later reply
  });
}

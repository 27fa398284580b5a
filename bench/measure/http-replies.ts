import type { Socket } from "node:net";

/** What is sent, over a connection that is kept alive. */
export interface HttpRequest {
  readonly path: string;
  /** Null: no session. */
  readonly token: string | null;
  /** Sent as JSON with POST; null: a POST without a body; left out: a GET. */
  readonly body?: object | null;
}

/** A request as a client sends it. */
export function requestBytes(host: string, { path, token, body }: HttpRequest): Buffer {
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
export interface HttpReply {
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
export function onReplies(socket: Socket, { reply, fail }: Listener): void {
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

import { connect, type Socket } from "node:net";
import type { ClosedLoop, ClosedLoopResult } from "./closed-loop.ts";

// The process behind closedLoop. It speaks to the sockets itself: with a whole HTTP client it
// would be the client that is measured.
process.once("message", (plan) => {
  run(plan as ClosedLoop).then(end, (error: unknown) => end({ failure: String(error) }));
});
process.once("disconnect", () => process.exit());

function end(result: ClosedLoopResult | { readonly failure: string }): void {
  process.send?.(result, () => process.disconnect());
}

async function run(plan: ClosedLoop): Promise<ClosedLoopResult> {
  const { hostname, port } = new URL(plan.url);
  const bytes = requestBytes(plan);
  const failed = Promise.withResolvers<never>();
  let replies = 0;
  const sockets = Array.from({ length: plan.connections }, () => {
    const socket = connect(Number(port), hostname);
    socket.setNoDelay(true);
    socket.once("error", failed.reject);
    onReplies(socket, {
      reply: () => {
        replies++;
        socket.write(bytes);
      },
      fail: (head) => failed.reject(new Error(head)),
    });
    socket.write(bytes);
    return socket;
  });
  const started = performance.now();
  const { promise: over, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, plan.seconds * 1_000);
  await Promise.race([over, failed.promise]);
  const result = { replies, seconds: (performance.now() - started) / 1_000 };
  for (const socket of sockets) socket.destroy();
  return result;
}

function requestBytes({ url, path, token, body }: ClosedLoop): Buffer {
  const json = JSON.stringify(body);
  const fields = [
    `POST ${path} HTTP/1.1`,
    `Host: ${new URL(url).host}`,
    ...(token === null ? [] : [`Authorization: Bearer ${token}`]),
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(json)}`,
  ];
  return Buffer.from(`${fields.join("\r\n")}\r\n\r\n${json}`);
}

interface Listener {
  readonly reply: () => void;
  readonly fail: (head: string) => void;
}

/** Tells of each reply once its last byte is there: heads are read, bodies only counted. */
function onReplies(socket: Socket, { reply, fail }: Listener): void {
  let head = "";
  let missing = 0;
  socket.on("data", (chunk: Buffer) => {
    if (missing > 0) {
      missing -= chunk.length;
    } else {
      head += chunk.toString("latin1");
      const end = head.indexOf("\r\n\r\n");
      if (end === -1) return;
      const length = /^content-length: (\d+)$/im.exec(head.slice(0, end));
      if (!head.startsWith("HTTP/1.1 200 ") || length === null) return fail(head);
      missing = Number(length[1]) - (head.length - end - "\r\n\r\n".length);
      head = "";
    }
    if (missing === 0)
      reply(); // one request at a time: no byte belongs to a later reply
    else if (missing < 0) fail("more bytes than were announced");
  });
}

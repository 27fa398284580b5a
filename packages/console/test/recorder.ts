import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import type { TestContext } from "node:test";

/** A call that passed. */
interface Recorded {
  readonly path: string;
  readonly body: object;
}

/** Stands before a service, passes calls on, and keeps those with a body. */
export interface Recorder {
  readonly url: string;
  readonly calls: Recorded[];
}

/** Starts it; it closes when the test ends. */
export async function startRecorder(t: TestContext, origin: string): Promise<Recorder> {
  const calls: Recorded[] = [];
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "GET", url: path = "/", headers } = request;
    const hasBody = Number(headers["content-length"] ?? 0) > 0;
    const body = hasBody ? ((await json(request)) as object) : null;
    if (body !== null) calls.push({ path, body });
    const reply = await fetch(`${origin}${path}`, {
      method,
      headers: { authorization: headers.authorization ?? "", "content-type": "application/json" },
      ...(body === null ? {} : { body: JSON.stringify(body) }),
    });
    response.writeHead(reply.status, { "content-type": reply.headers.get("content-type") ?? "" });
    response.end(await reply.text());
  };
  const server = createServer((request, response) => {
    pass(request, response).catch((error: Error) => response.destroy(error));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls };
}

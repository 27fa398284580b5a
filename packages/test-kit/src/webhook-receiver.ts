import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo, Server } from "node:net";
import type { AfterHook } from "./sample-account.ts";

/** A request that a receiver got. */
export interface ReceivedRequest {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver of webhooks on this machine. Its replies are 204 unless the test says others. */
export interface WebhookReceiver {
  readonly url: string;
  /** All requests so far, oldest first. */
  readonly received: ReceivedRequest[];
  /** The statuses of the next replies, each used once; null: the connection is closed. */
  readonly statuses: (number | null)[];
}

/** Starts a receiver, which ends with the test. */
export async function startReceiver(t: AfterHook): Promise<WebhookReceiver> {
  const received: ReceivedRequest[] = [];
  const statuses: (number | null)[] = [];
  const server = createServer(async (request, response) => {
    const { method, url: path, headers } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    received.push({ method, path, headers, body: Buffer.concat(chunks).toString("utf8") });
    const status = statuses.length === 0 ? 204 : statuses.shift();
    if (status == null) request.socket.destroy();
    else response.writeHead(status, { location: "/elsewhere" }).end();
  });
  const { port } = await listening(server);
  t.after(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  return { url: `http://127.0.0.1:${port}/hook`, received, statuses };
}

/** Listens on a free port of this machine. */
export function listening(server: Server): Promise<AddressInfo> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve(server.address() as AddressInfo));
  });
}

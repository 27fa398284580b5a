import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { LoadQuestion } from "../../packages/server/test/load/load-plan.ts";
import { SocketClient } from "./socket-client.ts";

/** Fastify with one route and nothing behind it, in a process of its own. */
export interface BareService {
  readonly url: string;
  /** Milliseconds until a reply of so many bytes was read, over one kept-alive connection. */
  readonly ask: (bytes: number, question: LoadQuestion) => Promise<number>;
  readonly stop: () => void;
}

/** Starts the bare service; resolves when it listens. */
export async function startBare(): Promise<BareService> {
  const child = fork(join(import.meta.dirname, "bare-process.ts"));
  const [url] = (await once(child, "message")) as [string];
  const client = new SocketClient(url);
  return {
    url,
    ask: async (bytes, { body }) =>
      (await client.ask({ path: `/bytes/${bytes}`, token: null, body })).ms,
    stop: () => {
      client.close();
      child.disconnect();
    },
  };
}

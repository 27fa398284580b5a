import { createServer, type ServerResponse } from "node:http";
import type { Collection } from "../../../server/src/collection/collection.ts";
import type { AfterHook } from "../sample-account.ts";
import { listening } from "../webhook-receiver.ts";
import { type Collecting, collectionOf } from "./collecting.ts";

/** Replies as a vendor does; 429 asks to wait for two minutes. */
export function reply(response: ServerResponse, status: number, body: object): void {
  const wait = status === 429 ? { "retry-after": "120" } : {};
  response.writeHead(status, { "content-type": "application/json", ...wait });
  response.end(JSON.stringify(body));
}

/** A vendor whose replies the test gives, and what asks it; all ends with the test. */
export async function startHeld(t: AfterHook, { clock, service }: Collecting) {
  const asked: ServerResponse[] = [];
  let seen = Promise.withResolvers<void>();
  const server = createServer((_request, response) => {
    asked.push(response);
    seen.resolve();
    seen = Promise.withResolvers();
  });
  const { port } = await listening(server);
  const made: Collection[] = [];
  const collect = () => {
    const collection = collectionOf(service.services, {
      clock,
      standIn: `http://127.0.0.1:${port}`,
      secrets: { openai: "secret", anthropic: "secret" },
    });
    made.push(collection);
    return collection;
  };
  t.after(async () => {
    server.closeAllConnections();
    for (const collection of made) await collection.close(Promise.resolve());
    server.close();
  });
  /** Those that came, once they are so many. */
  const requests = async (count: number): Promise<readonly ServerResponse[]> => {
    while (asked.length < count) await seen.promise;
    return asked;
  };
  return { collection: collect(), collect, requests };
}

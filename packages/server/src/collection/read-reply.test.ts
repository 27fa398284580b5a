import assert from "node:assert/strict";
import { createServer, get, type IncomingMessage } from "node:http";
import { test } from "node:test";
import { listening } from "@sightline/test-kit/webhook-receiver.ts";
import { readReply } from "./send.ts";
import { waitHeaders } from "./vendors/reply-failure.ts";

test("every field that tells how long to wait is kept, and others are not", async (t) => {
  const fields = Object.fromEntries(waitHeaders.map((name) => [name, "1"]));
  const server = createServer((_request, response) => {
    response.writeHead(429, { ...fields, "set-cookie": "a=b", "retry-after-all": "1" });
    response.end("{}");
  });
  const { port } = await listening(server);
  t.after(() => server.close());
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ port, host: "127.0.0.1", agent: false }, resolve).on("error", reject);
  });
  assert.deepEqual(await readReply(message), { status: 429, headers: fields, body: "{}" });
});

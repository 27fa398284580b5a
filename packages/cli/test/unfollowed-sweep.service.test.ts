import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { printedDocument, runCommand } from "@sightline/test-kit/command.ts";

const id = "3f2a9c1e-5b7d-4e8a-9c0f-1d2e3f4a5b6c";
const started = {
  id,
  jobs: 1,
  dollars: 0.01,
  pricesDate: "2026-11-01",
  estimates: [],
  unanswered: [],
};

test("collect --now names the sweep that it started and cannot follow", async (t) => {
  const server = createServer(({ url = "", method }, reply) => {
    const isGood = method === "POST";
    const document = url.endsWith("/exchange") ? { sessionJwt: "a.b.c" } : started;
    const refusal = { code: "scope_missing", detail: "Not any more." };
    reply.writeHead(isGood ? 200 : 403).end(JSON.stringify(isGood ? document : refusal));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const finished = await runCommand(
    ["collect", "--now", "--json", "--url", `http://127.0.0.1:${port}`],
    { environment: { SIGHTLINE_KEY: "sl_key" } },
  );
  assert.equal(finished.status, 1);
  const { error } = printedDocument(finished) as { error: { message: string; details: unknown } };
  assert.deepEqual(error.details, started);
  assert.match(error.message, new RegExp(`^Sweep ${id} was started, .*403 .*Not any more\\.`));
  assert.match(error.message, new RegExp(`\nSee: sightline collect status ${id}$`));
});

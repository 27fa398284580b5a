import assert from "node:assert/strict";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { createServer, request } from "node:http";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { Engine } from "../../../server/src/facts/duckdb/engine.ts";
import { InFlightCalls, questionSignal } from "../../../server/src/http/in-flight-calls.ts";
import { sql } from "../../../server/src/platform/sql.ts";
import { temporaryFolder } from "../test-service.ts";

/** Hours of work on any machine, in pieces between which the engine looks up. */
export const endless = {
  query: sql`select sum(hash(a.range + b.range)) from range(10000000) a, range(10000000) b`,
  shape: { sum: "number or null" },
} as const;
/** After which the endless question is interrupted. */
export const endlessSeconds = 10;
const quick = { query: sql`select 1`, shape: { one: "number" } } as const;

/** An engine over a file of its own. */
export async function openEngine(t: TestContext): Promise<Engine> {
  const folder = temporaryFolder();
  const engine = await Engine.open(join(folder, "facts.duckdb"));
  t.after(() => {
    engine.close();
    rmSync(folder, { recursive: true });
  });
  return engine;
}

/** Requires that the engine answers. */
export async function requireAnswer(engine: Engine): Promise<void> {
  assert.deepEqual(await engine.query(quick, AbortSignal.timeout(60_000)), [{ one: 1 }]);
}

/** A server whose every question is the endless one, and a client that waits for its reply. */
export async function askEndless(t: TestContext, engine: Engine) {
  const ended = Promise.withResolvers<unknown>();
  const server = createServer((_request, reply) => {
    const { signal, done } = questionSignal(
      new InFlightCalls().begin(reply, async () => true),
      endlessSeconds,
    );
    engine
      .query(endless, signal)
      .catch((error: unknown) => ended.resolve(error))
      .finally(() => reply.end(done()));
  });
  t.after(() => server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as { port: number };
  const client = request({ port, host: "127.0.0.1" });
  client.on("error", () => undefined); // it may hang up
  client.end();
  await once(server, "request");
  return { client, ended: ended.promise };
}

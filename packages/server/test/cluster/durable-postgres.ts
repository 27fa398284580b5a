import { rmSync } from "node:fs";
import type { TestContext } from "node:test";
import { freePort } from "@sightline/test-kit/engines/free-port.ts";
import {
  type PostgresServer,
  startPostgresServer,
} from "@sightline/test-kit/engines/postgres-server.ts";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { until } from "@sightline/test-kit/until.ts";

/** A PostgreSQL server that keeps what it committed over `kill -9`. */
export interface DurablePostgres {
  readonly url: string;
  readonly kill: () => Promise<void>;
  /** Starts a killed one again, at the same address. */
  readonly restart: () => Promise<void>;
}

/** Starts a server with an empty database, gone with the test. */
export async function startDurablePostgres(
  t: Pick<TestContext, "after">,
): Promise<DurablePostgres> {
  const folder = temporaryFolder();
  const port = await freePort();
  let server: PostgresServer = await startPostgresServer(folder, { port });
  t.after(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });
  return {
    url: server.url("postgres"),
    kill: () => server.kill(),
    restart: async () => {
      // Its processes end one after the other: until then the folder is in use.
      const started = () => startPostgresServer(folder, { port }).catch(() => null);
      server = await until("PostgreSQL is started again", started, 60_000);
    },
  };
}

import assert from "node:assert/strict";
import { test } from "node:test";
import { postgresUrl } from "@sightline/test-kit/engines/postgres-database.ts";
import { PoolerError, requireOwnSession } from "./own-session.ts";
import { openPostgresDatabase } from "./postgres-dialect.ts";

test("a connection that has not the deadline that was asked for is refused", async (t) => {
  const database = await openPostgresDatabase(await postgresUrl(), {
    statementMs: 3_000,
    connectionsMax: 1,
  });
  t.after(() => database.destroy());
  await requireOwnSession(database, 3_000);
  await assert.rejects(() => requireOwnSession(database, 4_000), PoolerError);
});

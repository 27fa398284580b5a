import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { migratedPostgresUrl } from "@sightline/test-kit/engines/migrated-postgres.ts";
import { openPostgres } from "../../platform/postgres.ts";
import { asOnlyWriter } from "./only-writer.ts";

const account = (number: number) => `aaaaaaaa-0000-4000-8000-${String(number).padStart(12, "0")}`;

async function opened(t: TestContext) {
  const url = await migratedPostgresUrl();
  const pool = await openPostgres(url, { statementMs: 3_000, connectionsMax: 6 });
  t.after(() => pool.end());
  return pool;
}

test("imports of one account that wait for each other leave connections to the rest", async (t) => {
  const pool = await opened(t);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const order: number[] = [];
  const writers = Array.from({ length: 9 }, (_, number) =>
    asOnlyWriter(pool, account(1), async () => {
      await released;
      order.push(number);
    }),
  );
  const other = asOnlyWriter(pool, account(2), async () => "written").finally(release);
  assert.equal(await other, "written");
  await Promise.all(writers);
  assert.deepEqual(order, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
});

test("imports of many accounts leave connections to all else, and each gets a turn", async (t) => {
  const pool = await opened(t);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const writers = Array.from({ length: 9 }, (_, number) =>
    asOnlyWriter(pool, account(number), () => released),
  );
  const failing = asOnlyWriter(pool, account(10), () => Promise.reject(new Error("full")));
  const failed = assert.rejects(failing, /full/);
  const { rowCount } = await pool.query("select 1").finally(release);
  assert.equal(rowCount, 1);
  await Promise.all(writers);
  await failed;
  await asOnlyWriter(pool, account(10), async () => undefined);
});

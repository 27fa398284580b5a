import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { migratedPostgresUrl } from "@sightline/test-kit/engines/migrated-postgres.ts";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import { until } from "@sightline/test-kit/until.ts";
import { Client } from "pg";
import { applyWorkspace } from "../../accounts/apply-workspace.ts";
import { systemClock } from "../../platform/clock.ts";
import { openControl } from "../control.ts";
import { LeaseLostError } from "../leases.ts";

const accountId = "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a001";
const otherAccount = "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a002";

/** Two nodes; the test holds the clock of the first. */
async function nodes(t: TestContext) {
  const url = await migratedPostgresUrl();
  const clock = new HeldClock();
  const one = await openControl({ postgres: url }, clock);
  const other = await openControl({ postgres: url }, systemClock);
  const client = new Client(url);
  await client.connect();
  t.after(() => Promise.all([one.close(), other.close(), client.end()]));
  for (const id of [accountId, otherAccount]) {
    const nothing = { entities: [], topics: [], prompts: [] };
    await applyWorkspace(
      one,
      id,
      { accountId: id, accountName: "Acme", ...nothing },
      { now: clock.now() },
    );
  }
  const expire = () => client.query("update leases set expires_at = clock_timestamp()");
  return { clock, one: one.leases, other: other.leases, client, expire };
}

test("one node holds an account, until it releases it; each taking raises the fence", async (t) => {
  const { one, other } = await nodes(t);
  assert.equal(await one.take(accountId), 1);
  assert.equal(await one.take(accountId), 1, "held already");
  assert.equal(one.fence(accountId), 1);
  assert.equal(await other.take(accountId), null);
  assert.throws(() => other.fence(accountId), LeaseLostError);
  assert.equal(await other.take(otherAccount), 1);
  await one.release(accountId);
  assert.throws(() => one.fence(accountId), LeaseLostError);
  assert.equal(await other.take(accountId), 2);
  assert.equal(await one.take(accountId), null);
  await other.close();
  assert.deepEqual(await Promise.all([one.take(accountId), one.take(otherAccount)]), [3, 2]);
});

test("of two nodes that take an account together, one has it", async (t) => {
  const { one, other } = await nodes(t);
  const taken = await Promise.all([one.take(accountId), other.take(accountId)]);
  assert.deepEqual(taken.toSorted(), [1, null]);
});

test("a node that was paused does not hold what another one took meanwhile", async (t) => {
  const { clock, one, other, expire } = await nodes(t);
  await one.take(accountId);
  clock.advance(5_999);
  assert.equal(one.fence(accountId), 1);
  clock.advance(1); // it was paused: nothing was renewed
  await expire();
  assert.equal(await other.take(accountId), 2);
  assert.throws(() => one.fence(accountId), LeaseLostError);
  assert.equal(await one.take(accountId), null);
  await one.release(accountId); // not its own any more
  assert.equal(other.fence(accountId), 2);
  assert.equal(await one.take(accountId), null);
});

test("a lease is renewed while it is held, and not by a node that has lost it", async (t) => {
  const { one, other, client, expire } = await nodes(t);
  await one.take(accountId);
  const end = async () => {
    const { rows } = await client.query("select expires_at from leases");
    return Number(rows[0].expires_at);
  };
  const first = await end();
  await until("the lease is renewed", async () => ((await end()) > first ? true : null));
  await expire();
  assert.equal(await other.take(accountId), 2);
  const lost = () => {
    try {
      one.fence(accountId);
      return null;
    } catch (error) {
      return error;
    }
  };
  // Its own clock stands still: it detects the loss at the next renewal.
  assert.ok((await until("the lease is lost", lost)) instanceof LeaseLostError);
  assert.equal(other.fence(accountId), 2);
});

test("a node that dies is replaced within ten seconds", async (t) => {
  const url = await migratedPostgresUrl();
  const dead = await openControl({ postgres: url }, systemClock);
  const other = await openControl({ postgres: url }, systemClock);
  t.after(() => Promise.all([dead.close(), other.close()]));
  await applyWorkspace(
    dead,
    accountId,
    {
      accountId,
      accountName: "Acme",
      entities: [],
      topics: [],
      prompts: [],
    },
    { now: systemClock.now() },
  );
  // Rows of an unknown holder, as a killed process leaves them.
  const client = new Client(url);
  await client.connect();
  await client.query(
    "insert into leases values ($1, 'dead', 7, clock_timestamp() + interval '6 seconds')",
    [accountId],
  );
  await client.end();
  assert.equal(await other.leases.take(accountId), null);
  const taken = () => other.leases.take(accountId);
  assert.equal(await until("the account is taken", taken, 10_000), 8);
});

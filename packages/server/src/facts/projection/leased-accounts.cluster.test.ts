import assert from "node:assert/strict";
import { test } from "node:test";
import { postgresUrl } from "../../../test/engines/postgres-database.ts";
import { until } from "../../../test/until.ts";
import { openControl } from "../../control/control.ts";
import { LeaseLostError, onlyNode } from "../../control/leases.ts";
import { systemClock } from "../../platform/clock.ts";
import { LeasedAccounts } from "./leased-accounts.ts";

const accountId = "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a001";

test("of two nodes one projects; the other tries again, and gets its turn", async (t) => {
  const url = await postgresUrl();
  const open = () => openControl({ postgres: url }, systemClock);
  const [one, other] = await Promise.all([open(), open()]);
  t.after(() => Promise.all([one.close(), other.close()]));
  const nothing = { entities: [], topics: [], prompts: [] };
  await one.apply(accountId, { accountId, accountName: "Acme", ...nothing });
  const [here, there] = [one, other].map(({ leases }) => new LeasedAccounts(leases)) as [
    LeasedAccounts,
    LeasedAccounts,
  ];
  const { promise: done, resolve: finish } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const projecting = here.project(accountId, async () => {
    begin();
    await done;
  });
  await begun;
  const never = () => assert.fail("both project");
  assert.equal(await there.project(accountId, never), false);
  assert.equal(there.isDue(accountId), false);
  finish();
  assert.equal(await projecting, true);
  await until("it is due again", () => there.isDue(accountId) || null);
  assert.equal(await there.project(accountId, async () => undefined), true);
  assert.ok(there.isDue(accountId));
});

test("work that loses its lease is tried again; other failures are its own", async () => {
  const accounts = new LeasedAccounts(onlyNode);
  const lost = async () => {
    throw new Error("appending failed", { cause: new LeaseLostError(accountId) });
  };
  assert.equal(await accounts.project(accountId, lost), false);
  assert.equal(accounts.isDue(accountId), false);
  const broken = async () => {
    throw new Error("the disk is full");
  };
  await assert.rejects(accounts.project(accountId, broken), /the disk is full/);
});

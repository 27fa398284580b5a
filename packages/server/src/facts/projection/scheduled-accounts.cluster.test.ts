import assert from "node:assert/strict";
import { test } from "node:test";
import { postgresUrl } from "@sightline/test-kit/engines/postgres-database.ts";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import { recordedLog } from "@sightline/test-kit/recorded-log.ts";
import { until } from "@sightline/test-kit/until.ts";
import { applyWorkspace } from "../../accounts/apply-workspace.ts";
import { RecordError } from "../../answers/answer-store.ts";
import { openControl } from "../../control/control.ts";
import { LeaseLostError, onlyNode } from "../../control/leases.ts";
import { systemClock } from "../../platform/clock.ts";
import { createMetrics } from "../../platform/metrics.ts";
import { FactsError } from "../engine.ts";
import { FailingAccounts, LeasedAccounts } from "./scheduled-accounts.ts";

const leasedId = "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a001";

test("of two nodes one projects; the other tries again, and gets its turn", async (t) => {
  const url = await postgresUrl();
  const open = () => openControl({ postgres: url }, systemClock);
  const [one, other] = await Promise.all([open(), open()]);
  t.after(() => Promise.all([one.close(), other.close()]));
  const nothing = { entities: [], topics: [], prompts: [] };
  const workspace = { accountId: leasedId, accountName: "Acme", ...nothing };
  await applyWorkspace(one, leasedId, workspace, { now: systemClock.now() });
  const [here, there] = [one, other].map(({ leases }) => new LeasedAccounts(leases)) as [
    LeasedAccounts,
    LeasedAccounts,
  ];
  const { promise: done, resolve: finish } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const projecting = here.project(leasedId, async () => {
    begin();
    await done;
  });
  await begun;
  const never = () => assert.fail("both project");
  assert.equal(await there.project(leasedId, never), false);
  assert.equal(there.isDue(leasedId), false);
  finish();
  assert.equal(await projecting, true);
  await until("it is due again", () => there.isDue(leasedId) || null);
  assert.equal(await there.project(leasedId, async () => undefined), true);
  assert.ok(there.isDue(leasedId));
});

test("work that loses its lease is tried again; other failures are its own", async () => {
  const accounts = new LeasedAccounts(onlyNode);
  const lost = async () => {
    throw new Error("appending failed", { cause: new LeaseLostError(leasedId) });
  };
  assert.equal(await accounts.project(leasedId, lost), false);
  assert.equal(accounts.isDue(leasedId), false);
  const broken = async () => {
    throw new Error("the disk is full");
  };
  await assert.rejects(accounts.project(leasedId, broken), /the disk is full/);
});

const accountId = "cccccccc-0000-4000-8000-000000000001";

function failingAccounts() {
  const { logger, lines } = recordedLog();
  const clock = new HeldClock();
  const metrics = createMetrics();
  return { failing: new FailingAccounts({ logger, metrics, clock }), clock, lines, metrics };
}

/** Milliseconds until the account is due again. */
function pauseOf(failing: FailingAccounts, clock: HeldClock): number {
  let ms = 0;
  for (; !failing.isDue(accountId); ms += 1_000) clock.advance(1_000);
  return ms;
}

test("an account is tried again ever more slowly, up to 30 seconds", () => {
  const { failing, clock } = failingAccounts();
  const pauses = Array.from({ length: 6 }, () => {
    failing.failed(accountId, new Error("no"));
    return pauseOf(failing, clock);
  });
  assert.deepEqual(pauses, [2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
});

test("a failure is logged when it begins, changes and ends, and counted meanwhile", async () => {
  const { failing, clock, lines, metrics } = failingAccounts();
  const count = async () => (await metrics.failingAccounts.get()).values[0]?.value;
  for (let attempt = 0; attempt < 20; attempt++) {
    failing.failed(accountId, new RecordError("file is not a database"));
    clock.advance(30_000);
  }
  failing.failed(accountId, new FactsError("unavailable", "Could not set lock on file"));
  assert.equal(await count(), 1);
  failing.recovered(accountId);
  failing.recovered(accountId);
  assert.equal(await count(), 0);
  assert.deepEqual(
    lines.map(({ level, msg, reason, attempts, ms }) => [level, msg, reason, attempts, ms]),
    [
      [50, "account fails", "record_unreadable", undefined, undefined],
      [50, "account fails", "facts_unreadable", undefined, undefined],
      [30, "account recovered", "facts_unreadable", 21, 600_000],
    ],
  );
});

test("each kind of failure has its reason", () => {
  const { failing } = failingAccounts();
  const reasons = [
    new RecordError("malformed"),
    new FactsError("unavailable", "IO Error: Too many open files"),
    new FactsError("disk-full", "IO Error: No space left on device"),
    new Error("extraction failed"),
  ].map((error) => {
    failing.failed(accountId, error);
    return failing.list();
  });
  assert.deepEqual(
    reasons.flat().map(({ reason }) => reason),
    ["record_unreadable", "facts_unreadable", "disk_full", "projection_failed"],
  );
});

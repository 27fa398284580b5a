import assert from "node:assert/strict";
import { testOnEachEngine } from "@sightline/test-kit/engines/control-engines.ts";
import { openedCollection } from "@sightline/test-kit/opened-collection.ts";
import { emptyAccount, newJobs, newSweep, noCaps } from "@sightline/test-kit/sweeps.ts";
import { deleteAccount } from "../../accounts/account-deletions.ts";
import {
  credentialsDue,
  credentialsOf,
  deleteCredential,
  hasCredentials,
  recordCredentialState,
  saveCredential,
} from "./credential-store.ts";
import { leaseJobs } from "./lease-jobs.ts";
import { bookSingle, settleSingle, spendOf } from "./spend-ledger.ts";
import { addSweep } from "./sweep-store.ts";

const sealed = Buffer.from("sealed");
const ready = { state: "ready", until: null, reason: null } as const;

testOnEachEngine(
  "a credential is stored, replaced and deleted, for its account alone",
  async (t, engine) => {
    const { clock, control, accountId } = await openedCollection(t, engine);
    const other = await emptyAccount(control);
    assert.equal(await hasCredentials(control), false);
    const stored = { accountId, vendor: "openai" as const, sealed, storedAt: clock.now() };
    await saveCredential(control, stored);
    assert.deepEqual(await credentialsOf(control, accountId), [{ ...stored, ...ready }]);
    assert.deepEqual(await credentialsOf(control, other), []);
    const stopped = { state: "stopped", until: clock.now() + 5, reason: "no" } as const;
    await recordCredentialState(control, { ...stored, storedAt: 1 }, stopped);
    assert.equal((await credentialsOf(control, accountId))[0]?.state, "ready", "it was replaced");
    await recordCredentialState(control, stored, stopped);
    assert.deepEqual(await credentialsOf(control, accountId), [{ ...stored, ...stopped }]);
    const again = { ...stored, sealed: Buffer.from("again"), storedAt: clock.now() + 1 };
    await saveCredential(control, again);
    assert.deepEqual(await credentialsOf(control, accountId), [{ ...again, ...ready }]);
    assert.equal(await deleteCredential(control, { accountId: other, vendor: "openai" }, 1), null);
    assert.deepEqual(await deleteCredential(control, again, 1), { ...again, ...ready });
    assert.equal(await hasCredentials(control), false);
    await saveCredential(control, stored);
    await deleteAccount(control, accountId, clock.now());
    assert.equal(await hasCredentials(control), false);
  },
);

testOnEachEngine("jobs are leased for the account whose credential it is", async (t, engine) => {
  const { clock, control, accountId } = await openedCollection(t, engine);
  const other = await emptyAccount(control);
  for (const each of [accountId, other]) {
    await addSweep(control, each, newSweep(clock.now(), newJobs(2)), clock.now());
  }
  const find = (except: readonly "openai"[] = []) =>
    credentialsDue(control, { except, now: clock.now(), credentialsMax: 10 });
  assert.deepEqual(await find(), []);
  const stored = { accountId, vendor: "openai" as const, sealed, storedAt: clock.now() };
  await saveCredential(control, stored);
  await saveCredential(control, { ...stored, vendor: "cloro" });
  assert.deepEqual(await find(), [{ ...stored, ...ready }]);
  assert.deepEqual(await find(["openai"]), []);
  const waiting = { state: "waiting", until: clock.now() + 5, reason: "limit" } as const;
  await recordCredentialState(control, stored, waiting);
  assert.deepEqual(await find(), []);
  clock.advance(5);
  assert.deepEqual(await find(), [{ ...stored, ...waiting }]);
  const options = { now: clock.now(), untilMs: clock.now() + 60_000, jobsMax: 10, accountId };
  const jobs = await leaseJobs(control, ["openai"], options);
  assert.deepEqual(
    jobs.map((job) => job.accountId),
    [accountId, accountId],
  );
  assert.deepEqual(await find(), []);
});

testOnEachEngine("a single question counts toward the caps", async (t, engine) => {
  const { clock, control, accountId, today } = await openedCollection(t, engine);
  const of = { accountId, provider: "OPENAI", vendor: "openai" } as const;
  const question = { ...of, now: clock.now(), micros: 600 };
  const caps = { ...noCaps, all: { calls: null, micros: 1_000 } };
  assert.equal(await bookSingle(control, question, caps), "booked");
  assert.equal(await bookSingle(control, question, caps), "cap");
  await settleSingle(control, question, { spentMicros: 100, assumedMicros: 0 });
  assert.equal(await bookSingle(control, question, caps), "booked");
  const [row] = await spendOf(control, accountId, today, today + 1);
  assert.deepEqual([row?.calls, row?.spentMicros, row?.unsettledMicros], [2, 100, 600]);
});

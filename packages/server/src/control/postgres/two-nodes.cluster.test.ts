import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Role } from "@sightline/contract";
import { migratedPostgresUrl } from "@sightline/test-kit/engines/migrated-postgres.ts";
import { postgresUrl, sharedPostgres } from "@sightline/test-kit/engines/postgres-database.ts";
import { until } from "@sightline/test-kit/until.ts";
import { Client } from "pg";
import { allAccounts, revisionOf, workspaceOf } from "../../accounts/account-store.ts";
import { applyWorkspace } from "../../accounts/apply-workspace.ts";
import {
  beginRecording,
  changesAfter,
  endRecording,
  noteProjected,
  noteRecorded,
  progressOf,
} from "../../accounts/progress-store.ts";
import { KeyRing } from "../../keys/key-ring.ts";
import { revokeKey, touchKey } from "../../keys/key-store.ts";
import { DailyQuota } from "../../keys/limits/daily-quota.ts";
import { addUsage, usageStore } from "../../keys/limits/usage-store.ts";
import { SigningKeys, signingKeyRecords } from "../../keys/signing-keys.ts";
import { acceptInvitation, invite } from "../../people/invitation-store.ts";
import { MemberDirectory } from "../../people/member-directory.ts";
import { changeRole, removePerson } from "../../people/memberships.ts";
import { systemClock } from "../../platform/clock.ts";
import { openControl } from "../control.ts";
import type { ControlEngine } from "../control-engine.ts";
import { lockInTransaction } from "./advisory-locks.ts";
import { listenerName } from "./change-listener.ts";
import { openPostgresDatabase } from "./postgres-dialect.ts";

const accountId = "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a001";
const workspace = { accountId, accountName: "Acme", entities: [], topics: [], prompts: [] };
const pepper = Buffer.alloc(32, 7);
/** The statement timeout of a serving node. */
const servingMs = 3_000;
/** Every change reaches every node within this time. */
const spreadMs = 5_000;

async function connect(t: TestContext, url: string): Promise<Client> {
  const client = new Client(url);
  await client.connect();
  t.after(() => client.end());
  return client;
}

async function nodes(t: TestContext) {
  const url = await migratedPostgresUrl();
  const open = () => openControl({ postgres: url }, systemClock);
  const [one, other] = await Promise.all([open(), open()]);
  t.after(() => Promise.all([one.close(), other.close()]));
  await applyWorkspace(one, accountId, workspace, { now: systemClock.now() });
  return { url, one, other };
}

/** Waits until only a notification changes the version. */
function listening(control: ControlEngine): Promise<true> {
  return until("the node listens", async () => {
    return (await control.version()).includes("/") ? null : true;
  });
}

test("nodes that start together migrate an empty database once", async (t) => {
  const url = await postgresUrl();
  const started = await Promise.all(
    Array.from({ length: 4 }, () => openControl({ postgres: url }, systemClock)),
  );
  t.after(() => Promise.all(started.map((control) => control.close())));
  for (const control of started) assert.deepEqual(await allAccounts(control), []);
});

test("a database of a later version is refused", async (t) => {
  const { url } = await nodes(t);
  const client = await connect(t, url);
  await client.query("insert into kysely_migration values ('9999-later', '')");
  await assert.rejects(() => openControl({ postgres: url }, systemClock), /9999-later/);
});

test("a key revoked at one node dies at the other, also while notices are lost", async (t) => {
  const { url, one, other } = await nodes(t);
  const [ring, otherRing] = [one, other].map(
    (control) => new KeyRing(control, pepper, systemClock),
  ) as [KeyRing, KeyRing];
  const dies = async () => {
    const { keyId } = await ring.create(accountId, { name: "", expiresAt: null });
    assert.ok((await otherRing.goodKey(keyId)) !== null);
    await revokeKey(one, keyId, systemClock.now());
    const gone = async () => ((await otherRing.goodKey(keyId)) === null ? true : null);
    await until("the key is refused", gone, spreadMs);
  };
  await otherRing.goodKey("");
  await listening(other);
  await dies();

  const client = await (await sharedPostgres()).connect();
  const database = new URL(url).pathname.slice(1);
  const killListeners = () =>
    client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = $1 and datname = $2`,
      [listenerName, database],
    );
  // New connections are refused, so the node cannot listen again.
  await client.query(`alter database ${database} allow_connections false`);
  await killListeners();
  await dies();
  await client.query(`alter database ${database} allow_connections true`);
  await listening(other);
  await dies();
});

test("a role that is taken away at one node is gone at the other", async (t) => {
  const { one, other } = await nodes(t);
  const directory = new MemberDirectory(other, new KeyRing(other, pepper, systemClock));
  const now = systemClock.now();
  const asked = { email: "ann@example.com", role: "manager", expiresAt: now + 60_000 } as const;
  const { invitation } = await invite(one, accountId, asked, now);
  const accepted = { invitationId: invitation.id, name: "Ann", personId: null, requestId: null };
  await other.version();
  await listening(other);
  const person = await acceptInvitation(one, invitation, { ...accepted, now });
  assert.ok(person !== null);
  const becomes = (role: Role | undefined) =>
    until(
      `the role is ${role}`,
      async () => ((await directory.find(accountId, person.id))?.role === role ? true : null),
      spreadMs,
    );
  await becomes("manager");
  await changeRole(one, accountId, { personId: person.id, role: "viewer", now });
  await becomes("viewer");
  await removePerson(one, accountId, { personId: person.id, now });
  await becomes(undefined);
});

test("progress, uses and leases leave the version; workspaces and keys change it", async (t) => {
  const { one, other } = await nodes(t);
  await other.version();
  await listening(other);
  const ring = new KeyRing(one, pepper, systemClock);
  const start = await other.version();
  const { keyId } = await ring.create(accountId, { name: "", expiresAt: null });
  const after = (before: string) =>
    until(
      "the version changes",
      async () => {
        const version = await other.version();
        return version === before ? null : version;
      },
      spreadMs,
    );
  const created = await after(start);
  await noteRecorded(one, accountId, { sequence: 5, recordedAtMs: 7 });
  await beginRecording(one, accountId, "an import", systemClock.now());
  await endRecording(one, "an import");
  await touchKey(one, keyId, systemClock.now());
  await addUsage(one, [{ keyId, day: 1, calls: 1 }]);
  const progress = await progressOf(one, accountId);
  assert.ok(progress?.recorded != null);
  const { recorded, change } = progress;
  await noteProjected(one, [{ accountId, recorded, change, projected: null }]);
  await one.leases.take(accountId);
  await applyWorkspace(
    one,
    accountId,
    { ...workspace, accountName: "Another" },
    { now: systemClock.now() },
  );
  // Notifications arrive in the order of commits: this one, and none before it.
  assert.equal(Number(await after(created)), Number(created) + 1);
});

test("what writers change together, a reader of changes sees all of", async (t) => {
  const { one, other } = await nodes(t);
  const ids = Array.from({ length: 20 }, (_, n) => {
    return `cccccccc-0000-4000-8000-0000000000${String(n).padStart(2, "0")}`;
  });
  for (const id of ids)
    await applyWorkspace(one, id, { ...workspace, accountId: id }, { now: systemClock.now() });
  const rounds = 15;
  const seen = new Map<string, number>();
  let cursor = 0;
  let isWriting = true;
  const read = async () => {
    const changes = await changesAfter(other, cursor);
    for (const { id, recorded } of changes.accounts) seen.set(id, recorded?.sequence ?? 0);
    cursor = changes.cursor;
  };
  const reading = (async () => {
    while (isWriting) await read();
  })();
  const write = async (id: string, index: number) => {
    const control = index % 2 === 0 ? one : other;
    for (let sequence = 1; sequence <= rounds; sequence++) {
      await noteRecorded(control, id, { sequence, recordedAtMs: null });
    }
  };
  await Promise.all(ids.map(write));
  isWriting = false;
  await reading;
  await read();
  assert.deepEqual([...seen].toSorted(), [[accountId, 0], ...ids.map((id) => [id, rounds])]);
});

test("applies of one account from two nodes come one after the other", async (t) => {
  const { one, other } = await nodes(t);
  const id = "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a002";
  const names = Array.from({ length: 10 }, (_, n) => `Name ${n}`);
  const reports = await Promise.all(
    names.map((accountName, n) =>
      applyWorkspace(
        n % 2 === 0 ? one : other,
        id,
        {
          ...workspace,
          accountId: id,
          accountName,
          topics: [{ id: `0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9b00${n}`, name: `Topic ${n}` }],
        },
        { now: systemClock.now() },
      ),
    ),
  );
  assert.equal(await revisionOf(one, id), names.length + 1);
  const last = await workspaceOf(one, id);
  assert.equal(last?.topics.length, 1);
  assert.equal(last?.topics[0]?.name.at(-1), last?.accountName.at(-1));
  const count = (what: "created" | "retired") => reports.reduce((sum, each) => sum + each[what], 0);
  assert.deepEqual([count("created"), count("retired")], [11, 9]);
});

test("an import's notes and an apply of its account do not stop each other", async (t) => {
  const { one, other } = await nodes(t);
  const apply = async (n: number) => {
    await applyWorkspace(
      one,
      accountId,
      { ...workspace, accountName: `Name ${n}` },
      { now: systemClock.now() },
    );
  };
  const note = (sequence: number) =>
    noteRecorded(other, accountId, { sequence, recordedAtMs: null });
  await Promise.all(Array.from({ length: 20 }, (_, n) => Promise.all([apply(n), note(n + 1)])));
  assert.equal(await revisionOf(one, accountId), 22);
});

test("a process that sleeps within a transaction does not fail waiting ones", async (t) => {
  const { url, other } = await nodes(t);
  const serving = await openControl({ postgres: url }, systemClock, { statementMs: servingMs });
  t.after(() => serving.close());
  const sleeping = await openPostgresDatabase(url, { statementMs: 60_000, connectionsMax: 1 });
  t.after(() => sleeping.destroy());
  const woken = sleeping.transaction().execute(async (transaction) => {
    await transaction.updateTable("accounts").set({ name: "Asleep" }).execute();
    await lockInTransaction(transaction, "changes");
    await noteRecorded(serving, accountId, { sequence: 5, recordedAtMs: null });
  });
  await assert.rejects(woken, /PostgreSQL is unavailable: .*(idle|connection error)/);
  assert.equal((await progressOf(other, accountId))?.recorded?.sequence, 5);
  assert.equal((await workspaceOf(other, accountId))?.accountName, "Acme");
});

test("two nodes that start or rotate together add one signing key", async (t) => {
  const { one, other } = await nodes(t);
  const open = (control: ControlEngine) => SigningKeys.open(control, systemClock);
  const [keys, otherKeys] = await Promise.all([open(one), open(other)]);
  assert.equal((await signingKeyRecords(one)).length, 1);
  assert.equal(keys.current.kid, otherKeys.current.kid);
  await Promise.all([keys.rotateOlderThan(-1), otherKeys.rotateOlderThan(-1)]);
  assert.equal((await signingKeyRecords(one)).length, 2);
  assert.deepEqual(keys.jwks, otherKeys.jwks);
});

test("the calls of a day are those of all nodes", async (t) => {
  const { one, other } = await nodes(t);
  const { keyId } = await new KeyRing(one, pepper, systemClock).create(accountId, {
    name: "",
    expiresAt: null,
  });
  const there = new DailyQuota(systemClock, usageStore(other));
  let meanwhile = 1;
  const here = new DailyQuota(systemClock, {
    ...usageStore(one),
    addUsage: async (added) => {
      const stored = await addUsage(one, added);
      call(here, meanwhile--); // not part of the save that is under way
      return stored;
    },
  });
  const left = (quota: DailyQuota) => quota.today(keyId)?.left(100).remaining;
  const call = (quota: DailyQuota, calls: number) => {
    for (let n = 0; n < calls; n++) quota.today(keyId)?.add();
  };
  await Promise.all([here.load(keyId), there.load(keyId)]);
  call(here, 10);
  call(there, 5);
  await here.save();
  assert.equal(left(here), 89);
  await there.save();
  assert.equal(left(there), 85);
  await here.save();
  assert.equal(left(here), 84);
  const later = new DailyQuota(systemClock, usageStore(other));
  await later.load(keyId);
  assert.equal(left(later), 84);
});

test("one pepper is that of all nodes: the first's", async (t) => {
  const { one, other } = await nodes(t);
  const claims = await Promise.all([one.claimPepper("a"), other.claimPepper("b")]);
  assert.deepEqual(claims.toSorted(), [false, true]);
  const first = claims[0] ? "a" : "b";
  assert.deepEqual([await one.claimPepper(first), await other.claimPepper(first)], [true, true]);
});

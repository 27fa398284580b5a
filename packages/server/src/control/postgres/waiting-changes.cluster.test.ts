import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type TestContext, test } from "node:test";
import type { Role } from "@sightline/contract";
import {
  atAuditOf,
  atSessions,
  one,
  two,
  twoNodes,
  whileHeld,
} from "@sightline/test-kit/engines/two-transactions.ts";
import { deleteAccount } from "../../accounts/account-deletions.ts";
import { importsOf, noteImport } from "../../answers/import-store.ts";
import { credentialsOf, saveCredential } from "../../collection/store/credential-store.ts";
import { takeMails } from "../../hooks/delivery-store.ts";
import { addHook, deleteHook, enableHook, hooksOf } from "../../hooks/hook-store.ts";
import { createKey, keyById, keysOf } from "../../keys/key-store.ts";
import { addLink, linkById } from "../../links/link-store.ts";
import {
  acceptInvitation,
  invitationsOf,
  invite,
  withdrawInvitation,
} from "../../people/invitation-store.ts";
import { changeRole, removePerson } from "../../people/memberships.ts";
import { PersonSessions } from "../../people/person-sessions.ts";
import { confirmPerson, membersOf, type Person } from "../../people/person-store.ts";
import { actingFor, type ControlEngine } from "../control-engine.ts";

// Changes that wait for a lock while what allows them ends. On SQLite one runs at a time.

/** Makes somebody belong to the first account. */
async function joined(
  control: ControlEngine,
  { name, role, now }: { readonly name: string; readonly role: Role; readonly now: number },
): Promise<Person> {
  const asked = { email: `${name}@example.com`, role, expiresAt: now + 60_000 };
  const { invitation } = await invite(control, one, asked, now);
  const person = { invitationId: invitation.id, name, personId: null, requestId: null };
  const accepted = await acceptInvitation(control, invitation, { ...person, now });
  assert.ok(accepted !== null);
  return accepted;
}

/** Two nodes; Ann and Bob are the owners of an account. */
async function opened(t: TestContext) {
  const nodes = await twoNodes(t);
  const { control, now } = nodes;
  const ann = await joined(control, { name: "ann", role: "owner", now });
  const bob = await joined(control, { name: "bob", role: "owner", now });
  return { ...nodes, ann, bob };
}

function as(control: ControlEngine, { id, name }: Person): ControlEngine {
  return actingFor(control, { kind: "person", id, name, requestId: null });
}

/** Whether a call was refused since what allowed it has ended. */
function isEnded(call: PromiseSettledResult<unknown>): boolean {
  return call.status === "rejected" && call.reason.code === "session_invalid";
}

async function rolesOf(control: ControlEngine) {
  return (await membersOf(control, one)).map(({ name, role }) => `${name}: ${role}`);
}

function newHook(now: number) {
  const plain = { url: "https://example.com/", form: "json", name: "", thresholds: [] } as const;
  const times = { createdAt: now, nextCheckAt: now };
  const made = { ...plain, ...times, secret: Buffer.alloc(1) };
  return { ...made, id: randomUUID(), events: ["moved"] as const };
}

function newKey(id: string, personId: string | null) {
  const limits = { expiresAt: null, ratePerSecond: null, dailyQuota: null };
  const key = { id, name: "", hash: Buffer.alloc(32), scopes: ["read"] as const };
  return { ...key, ...limits, personId };
}

const view = {
  kind: "csv",
  name: "board",
  view: null,
  reportId: null,
  showsEvidence: false,
  passwordHash: null,
  expiresAt: null,
} as const;

function newLink() {
  return { ...view, id: randomUUID(), tokenHash: randomUUID() };
}

test("who loses a role gives nobody a role any more, nor themselves", async (t) => {
  const { control, node, now, ann, bob } = await opened(t);
  const [lowered, raised] = await whileHeld(node, atAuditOf(one), [
    () => changeRole(as(control, ann), one, { personId: bob.id, role: "viewer", now }),
    () => changeRole(as(control, bob), one, { personId: bob.id, role: "owner", now }),
  ]);
  assert.equal(lowered.status, "fulfilled");
  assert.ok(isEnded(raised));
  assert.deepEqual(await rolesOf(control), ["ann: owner", "bob: viewer"]);
});

test("of two owners who remove each other, one stays", async (t) => {
  const { control, node, now, ann, bob } = await opened(t);
  const [removed, other] = await whileHeld(node, atAuditOf(one), [
    () => removePerson(as(control, ann), one, { personId: bob.id, now }),
    () => removePerson(as(control, bob), one, { personId: ann.id, now }),
  ]);
  assert.equal(removed.status, "fulfilled");
  assert.ok(isEnded(other));
  assert.deepEqual(await rolesOf(control), ["ann: owner"]);
});

type Change = (by: ControlEngine, now: number) => Promise<unknown>;

type Maker = "person" | "key";

/** Runs a change of a person, or of the person's key, while the person is removed. */
async function whileRemoved(t: TestContext, by: Maker, change: Change): Promise<ControlEngine> {
  const { control, node, now, bob } = await opened(t);
  const scopes = ["read", "manage", "people"] as const;
  const { id } = await createKey(control, one, { ...newKey("bobs", bob.id), scopes }, now);
  const key = actingFor(control, { kind: "key", id, name: "", requestId: null });
  const actor = by === "person" ? as(control, bob) : key;
  const [removed, changed] = await whileHeld(node, atAuditOf(one), [
    () => removePerson(control, one, { personId: bob.id, now }),
    () => change(actor, now),
  ]);
  assert.deepEqual([removed.status, isEnded(changed)], ["fulfilled", true]);
  return control;
}

for (const by of ["person", "key"] as const) {
  test(`a ${by} that goes creates no webhook`, async (t) => {
    const control = await whileRemoved(t, by, (actor, now) => addHook(actor, one, newHook(now)));
    assert.deepEqual(await hooksOf(control, one), []);
  });

  test(`a ${by} that goes invites nobody`, async (t) => {
    const control = await whileRemoved(t, by, (actor, now) => {
      const asked = { email: "eve@example.com", role: "viewer", expiresAt: now + 60_000 } as const;
      return invite(actor, one, asked, now);
    });
    assert.deepEqual(await invitationsOf(control, one, 0), []);
  });

  test(`a ${by} that goes makes no share link`, async (t) => {
    const control = await whileRemoved(t, by, (actor, now) => addLink(actor, one, newLink(), now));
    const links = control.database.selectFrom("links").select("id");
    assert.deepEqual(await links.execute(), []);
  });

  test(`a ${by} that goes deletes and enables no webhook, and withdraws nothing`, async (t) => {
    const { control, node, now, bob } = await opened(t);
    const hook = await addHook(control, one, newHook(now));
    const asked = { email: "eve@example.com", role: "viewer", expiresAt: now + 60_000 } as const;
    const { invitation } = await invite(control, one, asked, now);
    await createKey(control, one, newKey("bobs", bob.id), now);
    const key = actingFor(control, { kind: "key", id: "bobs", name: "", requestId: null });
    const actor = by === "person" ? as(control, bob) : key;
    const [removed, deleted] = await whileHeld(node, atAuditOf(one), [
      () => removePerson(control, one, { personId: bob.id, now }),
      () => deleteHook(actor, one, hook?.id ?? "", now),
    ]);
    assert.deepEqual([removed.status, isEnded(deleted)], ["fulfilled", true]);
    // A test enables a disabled webhook when it has been delivered, after seconds.
    const enabled = enableHook(actor, one, hook?.id ?? "", { now, nextCheckAt: now });
    await assert.rejects(enabled, { code: "session_invalid" });
    const withdrawn = withdrawInvitation(actor, one, { invitationId: invitation.id, now });
    await assert.rejects(withdrawn, { code: "session_invalid" });
    assert.deepEqual(await hooksOf(control, one), [hook]);
    assert.deepEqual(await invitationsOf(control, one, now), [invitation]);
  });
}

test("the first proof of an address ends what is just being made under it", async (t) => {
  const { control, node, now, ann } = await opened(t);
  const [key, ofKey] = await whileHeld(node, atAuditOf(one), [
    () => createKey(as(control, ann), one, newKey("anns", ann.id), now),
    () => confirmPerson(control, ann.id, { now }),
  ]);
  assert.deepEqual([key.status, ofKey.status], ["fulfilled", "fulfilled"]);
  assert.equal((await keyById(control, "anns"))?.revokedAt, now);
});

test("so it does with share links", async (t) => {
  const { control, node, now, ann } = await opened(t);
  const link = newLink();
  const [made, proved] = await whileHeld(node, atAuditOf(one), [
    () => addLink(as(control, ann), one, link, now),
    () => confirmPerson(control, ann.id, { now }),
  ]);
  assert.deepEqual([made.status, proved.status], ["fulfilled", "fulfilled"]);
  assert.equal((await linkById(control, one, link.id))?.revokedAt, now);
});

test("so it does with invitations", async (t) => {
  const { control, node, now, ann } = await opened(t);
  const asked = { email: "eve@example.com", role: "viewer", expiresAt: now + 60_000 } as const;
  const [made, proved] = await whileHeld(node, atAuditOf(one), [
    () => invite(as(control, ann), one, asked, now),
    () => confirmPerson(control, ann.id, { now }),
  ]);
  assert.deepEqual([made.status, proved.status], ["fulfilled", "fulfilled"]);
  assert.deepEqual(await invitationsOf(control, one, now), []);
});

test("what waits for the first proof of its maker's address is not made", async (t) => {
  const { control, node, clock, now, ann } = await opened(t);
  await new PersonSessions(control, clock).begin(ann.id);
  const [proved, key] = await whileHeld(node, atSessions, [
    () => confirmPerson(control, ann.id, { now }),
    () => createKey(as(control, ann), one, newKey("anns", ann.id), now),
  ]);
  assert.equal(proved.status, "fulfilled");
  assert.ok(isEnded(key));
  assert.equal(await keyById(control, "anns"), null);
  const late = createKey(as(control, ann), one, newKey("late", ann.id), now - 1);
  await assert.rejects(late, { code: "session_invalid" });
  assert.ok(await createKey(as(control, ann), one, newKey("next", ann.id), now));
});

/** What adds a row that refers to an account, and an entry to its log. */
const adding: Readonly<
  Record<string, (control: ControlEngine, accountId: string, now: number) => Promise<unknown>>
> = {
  key: (control, id, now) => createKey(control, id, newKey(id, null), now),
  import: (control, id, now) => {
    const counts = { accepted: 1, duplicates: 0, rejected: 0 };
    return noteImport(control, id, { id, source: "a", isComplete: true, ...counts }, now);
  },
  credential: (control, accountId, now) => {
    const key = { accountId, vendor: "openai", sealed: Buffer.alloc(1) } as const;
    return saveCredential(control, { ...key, storedAt: now });
  },
};

for (const [what, add] of Object.entries(adding)) {
  test(`a deletion of an account and a new ${what} do not block each other`, async (t) => {
    const { control, node, now } = await twoNodes(t);
    for (const accountId of [one, two]) {
      const deleted = () => deleteAccount(control, accountId, now);
      const added = () => add(control, accountId, now);
      const works = accountId === one ? ([deleted, added] as const) : ([added, deleted] as const);
      const ends = await whileHeld<unknown, unknown>(node, atAuditOf(accountId), works);
      const [deletion, addition] = accountId === one ? ends : ends.toReversed();
      assert.deepEqual(deletion, { status: "fulfilled", value: true });
      // What is added later is refused since there is no such account: a broken reference.
      if (accountId === two) assert.equal(addition?.status, "fulfilled");
      else assert.equal(addition?.status === "rejected" && addition.reason.code, "23503");
      const left = await Promise.all([
        keysOf(control, accountId),
        importsOf(control, accountId),
        credentialsOf(control, accountId),
      ]);
      assert.deepEqual(left.flat(), []);
    }
  });
}

test("an account whose first mail is being counted is deleted", async (t) => {
  const { control, node, now } = await twoNodes(t);
  const [deleted, counted] = await whileHeld(node, atAuditOf(one), [
    () => deleteAccount(control, one, now),
    () => takeMails(control, one, { mailboxes: 1, now }),
  ]);
  assert.deepEqual(deleted, { status: "fulfilled", value: true });
  assert.equal(counted.status === "rejected" && counted.reason.code, "23503");
});

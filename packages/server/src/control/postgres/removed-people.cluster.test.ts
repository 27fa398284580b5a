import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import {
  addAccount,
  atAuditOf,
  atSessions,
  one,
  two,
  twoNodes,
  whileHeld,
} from "@sightline/test-kit/engines/two-transactions.ts";
import { recordedLog } from "@sightline/test-kit/recorded-log.ts";
import { deleteAccount } from "../../accounts/account-deletions.ts";
import { createKey, keyById, revokeKey } from "../../keys/key-store.ts";
import { admit } from "../../people/admit.ts";
import { acceptInvitation, type Invitation, invite } from "../../people/invitation-store.ts";
import { changeRole, removePerson } from "../../people/memberships.ts";
import { PersonSessions } from "../../people/person-sessions.ts";
import {
  accountsOfPerson,
  confirmPerson,
  type Person,
  personByEmail,
  personById,
} from "../../people/person-store.ts";
import { createSignInLink } from "../../people/sign-in-links.ts";
import { actingFor, type ControlEngine } from "../control-engine.ts";

// Two transactions, of which the second waits for the first. On SQLite one runs at a time.

const email = "ann@example.com";

/** Two nodes, and Ann, who is the only person of the first of two accounts. */
async function opened(t: TestContext) {
  const { control, now, ...nodes } = await twoNodes(t);
  const person = await accepted(control, await invited(control, one, now), { now, personId: null });
  assert.ok(person !== null);
  return { ...nodes, control, now, person };
}

async function invited(control: ControlEngine, accountId: string, now: number) {
  const asked = { email, role: "viewer", expiresAt: now + 60_000 } as const;
  return (await invite(control, accountId, asked, now)).invitation;
}

function accepted(
  control: ControlEngine,
  invitation: Invitation,
  { now, personId }: { readonly now: number; readonly personId: string | null },
): Promise<Person | null> {
  const asked = { invitationId: invitation.id, name: "Ann", requestId: null };
  return acceptInvitation(control, invitation, { ...asked, now, personId });
}

function remove(control: ControlEngine, person: Person, now: number) {
  return removePerson(control, one, { personId: person.id, now });
}

test("who joins an account while another one removes them stays known", async (t) => {
  const { control, node, now, person } = await opened(t);
  const invitation = await invited(control, two, now);
  const [joined, removed] = await whileHeld(node, atAuditOf(two), [
    () => accepted(control, invitation, { now, personId: person.id }),
    () => remove(control, person, now),
  ]);
  assert.deepEqual([joined.status, removed.status], ["fulfilled", "fulfilled"]);
  const accounts = await accountsOfPerson(control, person.id);
  assert.deepEqual(
    accounts.map(({ id }) => id),
    [two],
  );
});

test("who is removed while they accept is asked to open the invitation again", async (t) => {
  const { control, node, now, person } = await opened(t);
  const invitation = await invited(control, two, now);
  const [removed, joined] = await whileHeld(node, atAuditOf(one), [
    () => remove(control, person, now),
    () => accepted(control, invitation, { now, personId: person.id }),
  ]);
  assert.equal(removed.status, "fulfilled");
  assert.equal(joined.status === "rejected" && joined.reason.code, "session_required");
  const again = await accepted(control, invitation, { now, personId: null });
  assert.equal(again?.email, email, "the invitation was not used up");
});

test("nobody who is being removed gets a session", async (t) => {
  const { control, node, clock, now, person } = await opened(t);
  const [removed, session] = await whileHeld(node, atAuditOf(one), [
    () => remove(control, person, now),
    () => new PersonSessions(control, clock).begin(person.id),
  ]);
  assert.equal(removed.status, "fulfilled");
  assert.deepEqual(session, { status: "fulfilled", value: null });
});

test("nobody who is being removed gets a link", async (t) => {
  const { control, node, now, person } = await opened(t);
  const [removed, link] = await whileHeld(node, atAuditOf(one), [
    () => remove(control, person, now),
    () => createSignInLink(control, person.id, now),
  ]);
  assert.equal(removed.status, "fulfilled");
  assert.deepEqual(link, { status: "fulfilled", value: null });
});

/** A key of the person, which both a removal and a proof of the address revoke. */
async function keyOf(control: ControlEngine, { id: personId }: Person, now: number) {
  const limits = { expiresAt: null, ratePerSecond: null, dailyQuota: null };
  const key = { id: "ann", name: "", hash: Buffer.alloc(32), scopes: ["read"] as const };
  return createKey(control, one, { ...key, ...limits, personId }, now);
}

test("a removal and the proof of an address do not block each other", async (t) => {
  const { control, node, now, person } = await opened(t);
  const { id: keyId } = await keyOf(control, person, now);
  const [removed, confirmed] = await whileHeld(node, atAuditOf(one), [
    () => remove(control, person, now),
    () => confirmPerson(control, person.id, { now }),
  ]);
  assert.deepEqual([removed.status, confirmed.status], ["fulfilled", "fulfilled"]);
  assert.equal(await personById(control, person.id), null);
  assert.equal((await keyById(control, keyId))?.revokedAt, now);
});

test("a deletion of the account and a proof of the address neither", async (t) => {
  const { control, node, clock, now, person } = await opened(t);
  await new PersonSessions(control, clock).begin(person.id);
  const [deleted, confirmed] = await whileHeld(node, atSessions, [
    () => deleteAccount(control, one, now),
    () => confirmPerson(control, person.id, { now }),
  ]);
  assert.deepEqual([deleted.status, confirmed.status], ["fulfilled", "fulfilled"]);
  assert.equal(await personById(control, person.id), null);
});

test("a deletion of the account and a revocation of its key neither", async (t) => {
  const { control, node, clock, now, person } = await opened(t);
  const { id: keyId } = await keyOf(control, person, now);
  // The deletion stops after the keys, at the people whom no account has any more.
  await new PersonSessions(control, clock).begin(person.id);
  const [deleted, revoked] = await whileHeld(node, atSessions, [
    () => deleteAccount(control, one, now),
    () => revokeKey(control, keyId, now),
  ]);
  assert.deepEqual([deleted.status, revoked.status], ["fulfilled", "fulfilled"]);
  assert.equal(await keyById(control, keyId), null);
});

test("the proof of an address and the acceptance of an own invitation neither", async (t) => {
  const { control, node, clock, now, person } = await opened(t);
  const own = actingFor(control, { kind: "person", id: person.id, name: "Ann", requestId: null });
  await changeRole(control, one, { personId: person.id, role: "owner", now });
  const invitation = await invited(own, one, now);
  await new PersonSessions(control, clock).begin(person.id);
  const [confirmed, joined] = await whileHeld(node, atSessions, [
    () => confirmPerson(control, person.id, { now }),
    () => accepted(control, invitation, { now, personId: person.id }),
  ]);
  assert.equal(confirmed.status, "fulfilled");
  assert.deepEqual(joined, { status: "fulfilled", value: null }, "the proof ended the invitation");
});

test("who is removed while they sign in joins others as somebody new", async (t) => {
  const { control, node, clock, now, person } = await opened(t);
  const three = "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a003";
  await addAccount(control, three, now);
  for (const accountId of [two, three]) await invited(control, accountId, now);
  const { logger, lines } = recordedLog();
  const [removed, admitted] = await whileHeld(node, atAuditOf(one), [
    () => remove(control, person, now),
    () => admit({ control, clock, logger }, { email, name: "Ann", requestId: null }),
  ]);
  assert.equal(removed.status, "fulfilled");
  assert.equal(admitted.status, "fulfilled");
  const known = await personByEmail(control, email);
  assert.ok(known !== null);
  assert.deepEqual([admitted.value?.id, known.confirmedAt], [known.id, now]);
  const accounts = await accountsOfPerson(control, known.id);
  assert.deepEqual(accounts.map(({ id }) => id).toSorted(), [two, three]);
  assert.deepEqual(lines, []);
});

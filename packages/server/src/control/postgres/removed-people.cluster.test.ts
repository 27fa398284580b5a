import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { controlOf } from "@sightline/test-kit/engines/control-of.ts";
import { migratedPostgresUrl } from "@sightline/test-kit/engines/migrated-postgres.ts";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import { until } from "@sightline/test-kit/until.ts";
import { sql } from "kysely";
import { deleteAccount } from "../../accounts/account-deletions.ts";
import { applyWorkspace } from "../../accounts/apply-workspace.ts";
import { createKey, keyById, revokeKey } from "../../keys/key-store.ts";
import { acceptInvitation, type Invitation, invite } from "../../people/invitation-store.ts";
import { removePerson } from "../../people/memberships.ts";
import { PersonSessions } from "../../people/person-sessions.ts";
import {
  accountsOfPerson,
  confirmPerson,
  type Person,
  personById,
} from "../../people/person-store.ts";
import { createSignInLink } from "../../people/sign-in-links.ts";
import { openControl } from "../control.ts";
import type { ControlEngine } from "../control-engine.ts";

// Two transactions, of which the second waits for the first. On SQLite one runs at a time.

const [one, two] = [
  "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a001",
  "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a002",
] as const;
const workspace = { accountName: "Acme", entities: [], topics: [], prompts: [] };
const email = "ann@example.com";

/** Two nodes, and Ann, who is the only person of the first of two accounts. */
async function opened(t: TestContext) {
  const clock = new HeldClock();
  const address = { postgres: await migratedPostgresUrl() };
  const control = await controlOf(one, clock, address);
  const node = await openControl(address, clock);
  t.after(() => Promise.all([control.close(), node.close()]));
  const now = clock.now();
  await applyWorkspace(control, two, { ...workspace, accountId: two }, { now });
  const person = await accepted(control, await invited(control, one, now), { now, personId: null });
  assert.ok(person !== null);
  return { control, node, clock, now, person };
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

/** Waits until so many statements wait for a lock. */
function waiting({ database }: ControlEngine, count: number): Promise<true> {
  return until(`${count} wait for a lock`, async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(database);
    return rows[0]?.count === count ? true : null;
  });
}

/** What is locked while two works run: the first stops there. */
type Hold = (within: ControlEngine) => Promise<unknown>;

/** A change writes the audit log at the end of its transaction. */
function atAuditOf(accountId: string): Hold {
  return ({ lock, database }) => lock(database, { auditOf: accountId });
}

/** Runs two works: the first stops at what is held, until the second waits, too. */
async function whileHeld<First, Second>(
  node: ControlEngine,
  hold: Hold,
  [first, second]: readonly [() => Promise<First>, () => Promise<Second>],
): Promise<readonly [PromiseSettledResult<First>, PromiseSettledResult<Second>]> {
  const works = await node.database.transaction().execute(async (database) => {
    await hold({ ...node, database });
    const stops = Promise.allSettled([first()]);
    await waiting(node, 1);
    const waits = Promise.allSettled([second()]);
    await waiting(node, 2);
    return [stops, waits] as const;
  });
  const [[stopped], [waited]] = await Promise.all(works);
  return [stopped, waited];
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
  const sessionsHeld: Hold = ({ database }) =>
    database.selectFrom("person_sessions").select("hash").forUpdate().execute();
  const [deleted, confirmed] = await whileHeld(node, sessionsHeld, [
    () => deleteAccount(control, one, now),
    () => confirmPerson(control, person.id, { now }),
  ]);
  assert.deepEqual([deleted.status, confirmed.status], ["fulfilled", "fulfilled"]);
  assert.equal(await personById(control, person.id), null);
});

test("a deletion of the account and a revocation of its key neither", async (t) => {
  const { control, node, now, person } = await opened(t);
  const { id: keyId } = await keyOf(control, person, now);
  // What refers to the account keeps its row, not what was read of it.
  const accountHeld: Hold = ({ database }) =>
    database.selectFrom("accounts").select("id").where("id", "=", one).forKeyShare().execute();
  const [deleted, revoked] = await whileHeld(node, accountHeld, [
    () => deleteAccount(control, one, now),
    () => revokeKey(control, keyId, now),
  ]);
  assert.deepEqual([deleted.status, revoked.status], ["fulfilled", "fulfilled"]);
  assert.equal(await keyById(control, keyId), null);
});

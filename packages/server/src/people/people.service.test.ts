import assert from "node:assert/strict";
import { test } from "node:test";
import type { KeysResponse, PeopleResponse } from "@sightline/contract";
import { cookieOf, fromConsole } from "@sightline/test-kit/console-page.ts";
import { everyEntry } from "@sightline/test-kit/every-entry.ts";
import { codeOf, invited, PersonPage, type ShownPerson } from "@sightline/test-kit/person-page.ts";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { auditOf } from "../audit/audit-log.ts";
import { personByEmail } from "./person-store.ts";
import { createSignInLink } from "./sign-in-links.ts";

async function opened(t: { after: (end: () => Promise<void>) => void }) {
  const service = await TestService.start();
  t.after(() => service.close());
  const one = await service.apply({ account: "One", brand: "One" });
  const two = await service.apply({ account: "Two", brand: "Two" });
  return { service, one, two };
}

test("a person joins two accounts, and has a role of its own in each", async (t) => {
  const { service, one, two } = await opened(t);
  const ann = await PersonPage.join(service, one, { email: "Ann@Example.com ", role: "owner" });
  assert.equal((await ann.request("GET", [one, "/v1/people"])).status, 200);
  const invitation = await invited(service, two, { email: "ann@example.com", role: "viewer" });
  assertProblem(await ann.request("GET", [two, "/v1/workspace"]), "session_required");
  const accepted = (await ann.accept(invitation)).json<ShownPerson>();
  assert.deepEqual(accepted.accounts, [
    { id: one, name: "One", role: "owner" },
    { id: two, name: "Two", role: "viewer" },
  ]);
  assert.equal(accepted.person.email, "ann@example.com");
  assert.equal((await ann.request("GET", [two, "/v1/workspace"])).status, 200);
  assertProblem(await ann.request("GET", [two, "/v1/keys"]), "scope_missing");
  const session = (await ann.request("GET", [two, "/session"])).json<object>();
  assert.deepEqual(session, {
    account: { id: two, name: "Two" },
    scopes: ["read"],
    expiresAt: new Date(service.clock.now() + 12 * 3_600_000).toISOString(),
    person: { id: ann.personId, name: "Ann", email: "ann@example.com", role: "viewer" },
  });
  const listed = (await ann.request("GET", [one, "/v1/people"])).json<PeopleResponse>();
  const at = new Date(service.clock.now()).toISOString();
  const hour = `${at.slice(0, 13)}:00:00.000Z`;
  assert.deepEqual(listed, {
    people: [
      {
        personId: ann.personId,
        email: "ann@example.com",
        name: "Ann",
        role: "owner",
        joinedAt: at,
        lastSeenAt: hour,
      },
    ],
    invitations: [],
  });
});

test("an invitation is taken once, until it ends or is withdrawn", async (t) => {
  const { service, one } = await opened(t);
  const accept = (address: { address: string }) =>
    service.post("/console/person/invitation/accept", {
      body: { code: codeOf(address), name: "Bea" },
      headers: fromConsole,
    });
  const bea = { email: "bea@example.com", role: "analyst" } as const;
  const taken = await invited(service, one, bea);
  assert.equal((await accept(taken)).status, 200);
  assertProblem(await accept(taken), "key_invalid");
  const old = await invited(service, one, { ...bea, email: "c@example.com", expiresIn: "1h" });
  service.clock.advance(3_600_000);
  assertProblem(await accept(old), "key_invalid");
  const owner = await PersonPage.join(service, one, { email: "o@example.com", role: "owner" });
  const withdrawn = await invited(service, one, { ...bea, email: "d@example.com" });
  const path = `/v1/people/invitations/${withdrawn.invitationId}`;
  assert.equal((await owner.request("DELETE", [one, path])).status, 200);
  assertProblem(await accept(withdrawn), "key_invalid");
  assertProblem(await owner.request("DELETE", [one, path]), "not_found");
});

test("an invitation does not prove whose the address is", async (t) => {
  const { service, one, two } = await opened(t);
  const ann = await PersonPage.join(service, one, { email: "ann@example.com", role: "owner" });
  const invitation = await invited(service, two, { email: "ann@example.com", role: "owner" });
  const body = { code: codeOf(invitation), name: "Somebody else" };
  const path = "/console/person/invitation/accept";
  assertProblem(await service.post(path, { body, headers: fromConsole }), "session_required");
  const other = await PersonPage.join(service, two, { email: "eve@example.com", role: "owner" });
  assertProblem(await other.accept(invitation), "session_required");
  assert.equal((await ann.accept(invitation)).status, 200, "it was not used up");
});

test("who proves an address ends the sessions of who joined under it", async (t) => {
  const { service, one } = await opened(t);
  const eve = await PersonPage.join(service, one, { email: "ann@example.com", role: "viewer" });
  const { control } = service.services;
  const code = await createSignInLink(control, eve.personId, service.clock.now());
  const open = () =>
    service.post("/console/person/sessions", { body: { code }, headers: fromConsole });
  const signedIn = await open();
  assert.equal(signedIn.status, 200);
  assertProblem(await open(), "key_invalid");
  assertProblem(await eve.request("GET", [one, "/v1/workspace"]), "session_required");
  const headers = { ...fromConsole, cookie: cookieOf(signedIn).pair };
  assert.equal((await service.request("GET", "/console/person", { headers })).status, 200);
  const again = await createSignInLink(control, eve.personId, service.clock.now());
  await service.post("/console/person/sessions", { body: { code: again }, headers: fromConsole });
  const still = await service.request("GET", "/console/person", { headers });
  assert.equal(still.status, 200, "the second time ends nothing");
});

test("who is removed may nothing, and its keys neither", async (t) => {
  const { service, one, two } = await opened(t);
  const ann = await PersonPage.join(service, one, { email: "ann@example.com", role: "owner" });
  const bea = await PersonPage.join(service, one, { email: "bea@example.com", role: "manager" });
  await bea.accept(await invited(service, two, { email: "bea@example.com", role: "viewer" }));
  const made = await bea.request("POST", [one, "/v1/keys"], { name: "bea's", scopes: ["read"] });
  const { key, keyId } = made.json<{ key: string; keyId: string }>();
  const keys = (await ann.request("GET", [one, "/v1/keys"])).json<KeysResponse>().keys;
  assert.equal(keys.find((each) => each.keyId === keyId)?.person, "bea");
  const removed = await ann.request("DELETE", [one, `/v1/people/${bea.personId}`]);
  assert.deepEqual(removed.json<{ revokedKeys: string[] }>().revokedKeys, [keyId]);
  assertProblem(await bea.request("GET", [one, "/v1/workspace"]), "session_required");
  assertProblem(await service.post("/v1/auth/accesskey/exchange", { token: key }), "key_invalid");
  assert.equal((await bea.request("GET", [two, "/v1/workspace"])).status, 200);
  const [entry] = await auditOf(service.services.control, one, {
    ...everyEntry,
    action: "person.removed",
  });
  assert.deepEqual(
    [entry?.actor.kind, entry?.actor.name, entry?.subject, entry?.before],
    [
      ...["person", "ann", bea.personId],
      { name: "bea", email: "bea@example.com", role: "manager", revokedKeys: 1, revokedLinks: 0 },
    ],
  );
});

test("a lowered role takes what it allowed, and the last owner stays", async (t) => {
  const { service, one } = await opened(t);
  const ann = await PersonPage.join(service, one, { email: "ann@example.com", role: "owner" });
  const bea = await PersonPage.join(service, one, { email: "bea@example.com", role: "manager" });
  const scopes = ["read", "manage"];
  const made = await bea.request("POST", [one, "/v1/keys"], { name: "strong", scopes });
  const weak = await bea.request("POST", [one, "/v1/keys"], { name: "weak" });
  const role = (id: string, to: string) =>
    ann.request("PUT", [one, `/v1/people/${id}`], { role: to });
  const lowered = (await role(bea.personId, "viewer")).json<{ revokedKeys: string[] }>();
  assert.deepEqual(lowered.revokedKeys, [made.json<{ keyId: string }>().keyId]);
  assertProblem(await bea.request("GET", [one, "/v1/keys"]), "scope_missing");
  const token = weak.json<{ key: string }>().key;
  assert.equal((await service.post("/v1/auth/accesskey/exchange", { token })).status, 200);
  assertProblem(await role(ann.personId, "viewer"), "invalid_request");
  assertProblem(
    await ann.request("DELETE", [one, `/v1/people/${ann.personId}`]),
    "invalid_request",
  );
  await role(bea.personId, "owner");
  assert.equal((await role(ann.personId, "viewer")).status, 200);
});

test("nobody gives what they lack", async (t) => {
  const { service, one } = await opened(t);
  const token = await service.session(one, ["read", "people"]);
  const invite = (role: string) =>
    service.post("/v1/people/invitations", { token, body: { email: "a@example.com", role } });
  assert.equal((await invite("viewer")).status, 200);
  for (const role of ["analyst", "manager", "owner"]) {
    assertProblem(await invite(role), "scope_missing");
  }
});

test("somebody whom no account has is forgotten", async (t) => {
  const { service, one, two } = await opened(t);
  const ann = await PersonPage.join(service, one, { email: "ann@example.com", role: "owner" });
  await ann.accept(await invited(service, two, { email: "ann@example.com", role: "owner" }));
  const { control } = service.services;
  await ann.request("DELETE", [one, `/v1/people/${ann.personId}`]);
  assert.notEqual(await personByEmail(control, "ann@example.com"), null);
  await ann.request("DELETE", [two, `/v1/people/${ann.personId}`]);
  assert.equal(await personByEmail(control, "ann@example.com"), null);
});

test("an invitation is void once its maker may not give its role", async (t) => {
  const { service, one } = await opened(t);
  const ann = await PersonPage.join(service, one, { email: "ann@example.com", role: "owner" });
  const eve = await PersonPage.join(service, one, { email: "eve@example.com", role: "owner" });
  const scopes = ["read", "people"];
  const key = (await eve.request("POST", [one, "/v1/keys"], { scopes })).json<{ key: string }>();
  const exchanged = await service.post("/v1/auth/accesskey/exchange", { token: key.key });
  const token = exchanged.json<{ sessionJwt: string }>().sessionJwt;
  const path = "/v1/people/invitations";
  const body = (name: string) => ({ email: `${name}@example.com`, role: "viewer" });
  const made = [
    await eve.request("POST", [one, path], body("by.person")),
    await service.post(path, { token, body: body("by.key") }),
    await ann.request("POST", [one, path], body("eve")),
    await ann.request("POST", [one, path], body("bea")),
  ].map((reply) => reply.json<{ address: string }>());
  await ann.request("DELETE", [one, `/v1/people/${eve.personId}`]);
  const taken = [];
  for (const invitation of made) {
    const { status } = await service.post("/console/person/invitation/accept", {
      body: { code: codeOf(invitation), name: "Somebody" },
      headers: fromConsole,
    });
    taken.push(status);
  }
  // Of the removed person, of the person's key, to the person's own address, and another one.
  assert.deepEqual(taken, [401, 401, 401, 200]);
});

test("with the sessions under an address its keys and invitations end", async (t) => {
  const { service, one } = await opened(t);
  const eve = await PersonPage.join(service, one, { email: "ann@example.com", role: "owner" });
  const made = await eve.request("POST", [one, "/v1/keys"], { name: "copy", scopes: ["read"] });
  const { key, quota } = made.json<{ key: string; quota: unknown }>();
  assert.equal(quota, null, "a program of a person has the service's quota");
  const body = { email: "bea@example.com", role: "owner" };
  const invitation = await eve.request("POST", [one, "/v1/people/invitations"], body);
  const { control } = service.services;
  const code = await createSignInLink(control, eve.personId, service.clock.now());
  await service.post("/console/person/sessions", { body: { code }, headers: fromConsole });
  assertProblem(await service.post("/v1/auth/accesskey/exchange", { token: key }), "key_invalid");
  const accepted = await service.post("/console/person/invitation/accept", {
    body: { code: codeOf(invitation.json<{ address: string }>()), name: "Bea" },
    headers: fromConsole,
  });
  assertProblem(accepted, "key_invalid");
});

test("a key whose person may it no longer is not made", async (t) => {
  const { service, one } = await opened(t);
  const ann = await PersonPage.join(service, one, { email: "ann@example.com", role: "viewer" });
  const { keyRing } = service.services;
  const create = (scopes: readonly ("read" | "manage")[]) =>
    keyRing.create(one, { name: "", expiresAt: null, scopes, personId: ann.personId });
  assert.ok((await create(["read"])).key);
  await assert.rejects(create(["manage"]), /role of the person has changed/);
});

/** What works once, and how it is used. */
const usedOnce = {
  link: "/console/person/sessions",
  invitation: "/console/person/invitation/accept",
} as const;

for (const [what, path] of Object.entries(usedOnce)) {
  test(`a failure before the session is there does not use the ${what} up`, async (t) => {
    const { service, one } = await opened(t);
    const { control } = service.services;
    const ann = await PersonPage.join(service, one, { email: "ann@example.com", role: "owner" });
    const made = { email: "bea@example.com", role: "viewer" } as const;
    const body =
      what === "link"
        ? { code: await createSignInLink(control, ann.personId, service.clock.now()) }
        : { code: codeOf(await invited(service, one, made)), name: "Bea" };
    const use = () => service.post(path, { body, headers: fromConsole });
    await control.database.schema.alterTable("person_sessions").renameTo("away").execute();
    assertProblem(await use(), "internal_error");
    await control.database.schema.alterTable("away").renameTo("person_sessions").execute();
    assert.equal((await use()).status, 200);
    assertProblem(await use(), "key_invalid");
  });
}

test("of many who use a link together one is signed in", async (t) => {
  const { service, one } = await opened(t);
  const ann = await PersonPage.join(service, one, { email: "ann@example.com", role: "owner" });
  const { control, clock } = service.services;
  const body = { code: await createSignInLink(control, ann.personId, clock.now()) };
  const use = () => service.post(usedOnce.link, { body, headers: fromConsole });
  const replies = await Promise.all(Array.from({ length: 8 }, use));
  assert.equal(replies.filter(({ status }) => status === 200).length, 1);
});

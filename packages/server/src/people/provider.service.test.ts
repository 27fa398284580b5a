import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { cookieOf, fromConsole } from "@sightline/test-kit/console-page.ts";
import {
  type IdentityProvider,
  type ProvidedClaims,
  signInAt,
  startProvider,
} from "@sightline/test-kit/identity-provider.ts";
import { invited, PersonPage, type ShownPerson } from "@sightline/test-kit/person-page.ts";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { type TestReply, TestService } from "@sightline/test-kit/test-service.ts";
import { callbackPath } from "./person-provider.ts";

const publicUrl = "https://sightline.example";

/** What the provider says of people changes with time. */
const people: Record<string, ProvidedClaims[string]> = {
  ann: { email: "Ann@example.com", email_verified: true, name: "Ann at work" },
  eve: { email: "ann@example.com", email_verified: false, name: "Eve" },
  bea: { email: "bea@example.com", email_verified: true },
};

async function opened(t: TestContext) {
  const provider = await startProvider(`${publicUrl}${callbackPath}`, people);
  t.after(() => provider.close());
  const service = await TestService.start({
    settings: { oidcIssuer: provider.issuer, oidcClientId: provider.clientId, publicUrl },
    environment: { SIGHTLINE_OIDC_CLIENT_SECRET: provider.clientSecret },
  });
  t.after(() => service.close());
  const account = await service.apply({ account: "One", brand: "One" });
  return { provider, service, account };
}

/** A browser's visit to the provider and back. */
async function visit(
  service: TestService,
  provider: IdentityProvider,
  login: string,
): Promise<{ readonly back: string; readonly cookie: string }> {
  const begun = await service.request("GET", "/console/person/provider");
  assert.equal(begun.status, 303);
  const address = await signInAt(provider, String(begun.headers["location"]), login);
  const { pathname, search } = new URL(address);
  assert.equal(pathname, callbackPath);
  return { back: `${pathname}${search}`, cookie: cookieOf(begun).pair };
}

async function cameBack(
  service: TestService,
  { back, cookie }: Awaited<ReturnType<typeof visit>>,
): Promise<TestReply> {
  return service.request("GET", back, { headers: { cookie } });
}

function sessionOf({ headers }: TestReply): string {
  const fields = headers["set-cookie"] as readonly string[];
  const field = fields.find((each) => each.startsWith("sightline-person="));
  assert.ok(field !== undefined, String(fields));
  return field.split(";")[0] ?? "";
}

test("a person who was invited signs in at the provider, and joins with that", async (t) => {
  const { provider, service, account } = await opened(t);
  const ways = await service.request("GET", "/console/sign-in", { headers: { ...fromConsole } });
  assert.deepEqual(ways.json(), { provider: new URL(provider.issuer).host, mail: false });
  const uninvited = await cameBack(service, await visit(service, provider, "ann"));
  assert.equal(uninvited.headers["location"], "/#refused=not-invited");
  await invited(service, account, { email: "ann@example.com", role: "analyst" });
  const reply = await cameBack(service, await visit(service, provider, "ann"));
  assert.deepEqual([reply.status, reply.headers["location"]], [303, "/"]);
  const headers = { ...fromConsole, cookie: sessionOf(reply) };
  const shown = (await service.request("GET", "/console/person", { headers })).json<ShownPerson>();
  assert.equal(shown.person.name, "Ann at work");
  assert.deepEqual(shown.accounts, [{ id: account, name: "One", role: "analyst" }]);
  const again = await cameBack(service, await visit(service, provider, "ann"));
  assert.equal(again.headers["location"], "/");
});

test("an address that the provider does not vouch for is nobody's", async (t) => {
  const { provider, service, account } = await opened(t);
  await invited(service, account, { email: "ann@example.com", role: "owner" });
  const reply = await cameBack(service, await visit(service, provider, "eve"));
  assert.equal(reply.headers["location"], "/#refused=not-vouched");
});

test("a visit is ended by the browser that began it, once, and by no other text", async (t) => {
  const { provider, service, account } = await opened(t);
  await invited(service, account, { email: "ann@example.com", role: "owner" });
  const refused = "/#refused=provider-refused";
  const mine = await visit(service, provider, "ann");
  const other = await visit(service, provider, "ann");
  for (const cookie of ["", other.cookie, "sightline-visit=a.b", "sightline-visit=a.b.c"]) {
    assert.equal((await cameBack(service, { ...mine, cookie })).headers["location"], refused);
  }
  const changed = mine.back.replace(/code=[^&]+/, "code=another");
  const tampered = await cameBack(service, { ...mine, back: changed });
  assert.equal(tampered.headers["location"], refused);
  assert.equal((await cameBack(service, mine)).headers["location"], "/");
  assert.equal((await cameBack(service, mine)).headers["location"], refused);
});

test("who joined under an address ends when its person comes", async (t) => {
  const { provider, service, account } = await opened(t);
  const squatter = await PersonPage.join(service, account, {
    email: "bea@example.com",
    role: "viewer",
  });
  const reply = await cameBack(service, await visit(service, provider, "bea"));
  assert.equal(reply.headers["location"], "/");
  assertProblem(await squatter.request("GET", [account, "/v1/workspace"]), "session_required");
});

test("a provider that is away is said", async (t) => {
  const { provider, service } = await opened(t);
  await provider.close();
  const reply = await service.request("GET", "/console/person/provider");
  assert.equal(reply.headers["location"], "/#refused=provider-away");
});

test("without a provider there is none", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  for (const path of ["/console/person/provider", callbackPath]) {
    assertProblem(await service.request("GET", path), "not_found");
  }
});

test("an address that the provider gives to somebody new is not the old one's", async (t) => {
  const { provider, service, account } = await opened(t);
  await invited(service, account, { email: "carl@example.com", role: "owner" });
  people["carl"] = { email: "carl@example.com", email_verified: true };
  people["carla"] = { email: "carl@example.com", email_verified: true };
  const location = async (login: string) =>
    (await cameBack(service, await visit(service, provider, login))).headers["location"];
  assert.equal(await location("carl"), "/");
  assert.equal(await location("carla"), "/#refused=not-invited");
  assert.equal(await location("carl"), "/", "the first one is who it was");
});

test("a changed address is the same person, who takes invitations to it", async (t) => {
  const { provider, service, account } = await opened(t);
  const two = await service.apply({ account: "Two", brand: "Two" });
  await invited(service, account, { email: "dora@example.com", role: "owner" });
  people["dora"] = { email: "dora@example.com", email_verified: true };
  await cameBack(service, await visit(service, provider, "dora"));
  await invited(service, two, { email: "dora.new@example.com", role: "viewer" });
  people["dora"] = { email: "dora.new@example.com", email_verified: true };
  const reply = await cameBack(service, await visit(service, provider, "dora"));
  const headers = { ...fromConsole, cookie: sessionOf(reply) };
  const shown = (await service.request("GET", "/console/person", { headers })).json<ShownPerson>();
  assert.equal(shown.person.email, "dora.new@example.com");
  assert.deepEqual(
    shown.accounts.map(({ name, role }) => [name, role]),
    [
      ["One", "owner"],
      ["Two", "viewer"],
    ],
  );
});

test("an account that is full holds up no sign-in", async (t) => {
  const { provider, service, account } = await opened(t);
  const full = await service.apply({ account: "Full", brand: "Full" });
  const { database } = service.services.control;
  const ids = Array.from({ length: 1_000 }, (_, place) => `person-${place}`);
  const someone = { name: "x", created_at: 0, confirmed_at: null, subject: null };
  const rows = ids.map((id) => ({ id, email: `${id}@example.com`, ...someone }));
  await database.insertInto("people").values(rows).execute();
  const belongs = { account_id: full, role: "viewer", joined_at: 0, seen_at: null } as const;
  const memberships = ids.map((person_id) => ({ ...belongs, person_id }));
  await database.insertInto("memberships").values(memberships).execute();
  for (const each of [full, account]) {
    await invited(service, each, { email: "bea@example.com", role: "viewer" });
  }
  const reply = await cameBack(service, await visit(service, provider, "bea"));
  assert.equal(reply.headers["location"], "/");
  const headers = { ...fromConsole, cookie: sessionOf(reply) };
  const shown = (await service.request("GET", "/console/person", { headers })).json<ShownPerson>();
  assert.deepEqual(
    shown.accounts.map(({ name }) => name),
    ["One"],
  );
});

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { AuditResponse, CreatedLinkResponse, LinksResponse, Role } from "@sightline/contract";
import { fromConsole } from "@sightline/test-kit/console-page.ts";
import { invited, PersonPage } from "@sightline/test-kit/person-page.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { createSignInLink } from "./sign-in-links.ts";

async function opened(t: TestContext) {
  const service = await TestService.start();
  t.after(() => service.close());
  const one = await service.apply({ account: "One", brand: "One" });
  const two = await service.apply({ account: "Two", brand: "Two" });
  const ann = await PersonPage.join(service, one, { email: "ann@example.com", role: "owner" });
  const bea = await PersonPage.join(service, one, { email: "bea@example.com", role: "manager" });
  await bea.accept(await invited(service, two, { email: "bea@example.com", role: "manager" }));
  return { service, one, two, ann, bea };
}

const view = { page: "overview", period: "all" } as const;

async function shared(by: PersonPage, accountId: string, name: string) {
  const reply = await by.request("POST", [accountId, "/v1/links"], { name, kind: "view", view });
  assert.equal(reply.status, 200, reply.body);
  return reply.json<CreatedLinkResponse>();
}

/** The state of each link by its name, as its account lists it. */
async function statesOf(service: TestService, accountId: string) {
  const token = await service.session(accountId, ["manage"]);
  const headers = { authorization: `Bearer ${token}` };
  const { links } = (await service.request("GET", "/v1/links", { headers })).json<LinksResponse>();
  return Object.fromEntries(links.map(({ name, state }) => [name, state]));
}

async function statusOf(service: TestService, { address }: CreatedLinkResponse): Promise<number> {
  return (await service.request("GET", new URL(address).pathname)).status;
}

test("a removed person's links stay revoked when the person comes back", async (t) => {
  const { service, one, two, ann, bea } = await opened(t);
  const link = await shared(bea, one, "bea's");
  await shared(bea, two, "elsewhere");
  await shared(ann, one, "ann's");
  assert.equal(await statusOf(service, link), 200);
  await ann.request("DELETE", [one, `/v1/people/${bea.personId}`]);
  const ended = { "ann's": "valid", "bea's": "revoked" };
  assert.deepEqual(await statesOf(service, one), ended);
  await bea.accept(await invited(service, one, { email: "bea@example.com", role: "owner" }));
  assert.deepEqual(await statesOf(service, one), ended);
  assert.equal(await statusOf(service, link), 404);
  assert.deepEqual(await statesOf(service, two), { elsewhere: "valid" });
});

test("with the right to manage, and no sooner, links end, and the log says so", async (t) => {
  const { service, one, ann, bea } = await opened(t);
  const link = await shared(bea, one, "bea's");
  const role = (to: Role) => ann.request("PUT", [one, `/v1/people/${bea.personId}`], { role: to });
  for (const to of ["owner", "manager"] as const) {
    assert.equal((await role(to)).status, 200);
    assert.deepEqual(await statesOf(service, one), { "bea's": "valid" });
  }
  await role("analyst");
  await role("manager");
  assert.deepEqual(await statesOf(service, one), { "bea's": "revoked" });
  assert.equal(await statusOf(service, link), 404);
  const log = await ann.request("GET", [one, "/v1/audit?limit=20"]);
  const { entries } = log.json<AuditResponse>();
  const [lowered, revoked] = entries
    .filter(({ action }) => ["person.changed", "link.revoked"].includes(action))
    .slice(1);
  const who = { name: "bea", email: "bea@example.com" };
  assert.deepEqual(
    [lowered, revoked].map((entry) => {
      return [entry?.action, entry?.subject, entry?.actor.name, entry?.before, entry?.after];
    }),
    [
      [
        ...["person.changed", bea.personId, "ann", { ...who, role: "manager" }],
        { ...who, role: "analyst", revokedKeys: 0, revokedLinks: 1 },
      ],
      [
        ...["link.revoked", link.linkId, "ann"],
        {
          name: "bea's",
          kind: "view",
          view,
          reportId: null,
          showsEvidence: false,
          hasPassword: false,
          expiresAt: null,
        },
        null,
      ],
    ],
  );
});

test("who proves an address ends the share links of who joined under it", async (t) => {
  const { service, one, two, ann, bea } = await opened(t);
  const link = await shared(bea, one, "bea's");
  await shared(bea, two, "elsewhere");
  await shared(ann, one, "ann's");
  const { control } = service.services;
  const prove = async () => {
    const code = await createSignInLink(control, bea.personId, service.clock.now());
    const path = "/console/person/sessions";
    const signedIn = await service.post(path, { body: { code }, headers: fromConsole });
    assert.equal(signedIn.status, 200);
  };
  await prove();
  assert.deepEqual(await statesOf(service, one), { "ann's": "valid", "bea's": "revoked" });
  assert.deepEqual(await statesOf(service, two), { elsewhere: "revoked" });
  assert.equal(await statusOf(service, link), 404);
});

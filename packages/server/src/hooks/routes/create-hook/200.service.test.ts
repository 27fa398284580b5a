import assert from "node:assert/strict";
import { after, test } from "node:test";
import { type CreatedHookResponse, type HooksResponse, hookEvents } from "@sightline/contract";
import { PersonPage } from "@sightline/test-kit/person-page.ts";
import { ServedSchemas } from "@sightline/test-kit/requests/served-schemas.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";

const service = await TestService.start();
after(() => service.close());
const accountId = await service.apply({ account: "Hooks", brand: "Acme" });
const token = await service.session(accountId, ["manage"]);

test("a webhook has all events unless it is said, and its secret shows once", async () => {
  const asked = [
    { url: "https://Example.com:443/a?b=ü" },
    { url: "https://example.com/", events: ["moved", "digest", "moved"].slice(0, 2), name: "🦊" },
    { url: "https://example.com/", events: ["moved"], name: "" },
  ];
  const listed = [];
  for (const body of asked) {
    service.clock.advance(1_000);
    const reply = await service.post("/v1/hooks", { token, body });
    assert.equal(reply.status, 200, reply.body);
    assert.equal(reply.headers["cache-control"], "no-store");
    (await ServedSchemas.of(service)).assertValid("CreatedHookResponseDto", reply.json());
    const { secret, ...hook } = reply.json<CreatedHookResponse>();
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.equal(hook.createdAt, new Date(service.clock.now()).toISOString());
    listed.push(hook);
  }
  assert.deepEqual(
    listed.map(({ url, events, name, disabledAt }) => ({ url, events, name, disabledAt })),
    [
      { url: "https://example.com/a?b=%C3%BC", events: [...hookEvents], name: "" },
      { url: "https://example.com/", events: ["digest", "moved"], name: "🦊" },
      { url: "https://example.com/", events: ["moved"], name: "" },
    ].map((each) => ({ ...each, disabledAt: null })),
  );
  const headers = { authorization: `Bearer ${token}` };
  const reply = await service.request("GET", "/v1/hooks", { headers });
  (await ServedSchemas.of(service)).assertValid("HooksResponseDto", reply.json());
  assert.deepEqual(reply.json<HooksResponse>().hooks, listed);
  assert.ok(!reply.body.includes("whsec_"));
});

test("a webhook says who created it, unless it is older than that", async () => {
  const account = await service.apply({ account: "Makers", brand: "Acme" });
  const ann = await PersonPage.join(service, account, { email: "ann@example.com", role: "owner" });
  const body = { url: "https://example.com/", events: ["moved"] };
  const ofPerson = await ann.request("POST", [account, "/v1/hooks"], body);
  assert.equal(ofPerson.json<CreatedHookResponse>().createdBy, "ann");
  const key = { name: "programs", scopes: ["read", "manage"] };
  const made = await ann.request("POST", [account, "/v1/keys"], key);
  const exchanged = await service.post("/v1/auth/accesskey/exchange", {
    token: made.json<{ key: string }>().key,
  });
  const { sessionJwt } = exchanged.json<{ sessionJwt: string }>();
  service.clock.advance(1_000);
  const ofKey = await service.post("/v1/hooks", { token: sessionJwt, body });
  assert.equal(ofKey.json<CreatedHookResponse>().createdBy, "programs");
  const makers = async () => {
    const { hooks } = (await ann.request("GET", [account, "/v1/hooks"])).json<HooksResponse>();
    return hooks.map(({ createdBy }) => createdBy);
  };
  assert.deepEqual(await makers(), ["ann", "programs"]);
  const { database } = service.services.control;
  const { id } = ofKey.json<CreatedHookResponse>();
  await database.updateTable("hooks").set({ created_by: null }).where("id", "=", id).execute();
  assert.deepEqual(await makers(), ["ann", null]);
});

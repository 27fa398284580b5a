import assert from "node:assert/strict";
import { test } from "node:test";
import DescopeClient from "@descope/node-sdk";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import { sampleWorkspace } from "@sightline/test-kit/sample-account.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";

const silent = { log() {}, warn() {}, error() {}, debug() {}, info() {} };

async function startListening(t: { after: (hook: () => Promise<void>) => void }) {
  // Descope's client reads the machine's clock.
  const service = await TestService.start({ clock: new HeldClock(Date.now()) });
  t.after(() => service.close());
  const accountId = await service.apply(sampleWorkspace);
  const baseUrl = await service.listen();
  const client = DescopeClient({ projectId: "sightline", baseUrl, logger: silent });
  return { service, accountId, client };
}

test("Descope's own client exchanges a key and validates the session", async (t) => {
  const { service, accountId, client } = await startListening(t);
  const key = await service.key(accountId);
  const exchanged = await client.exchangeAccessKey(key);
  assert.equal(exchanged.token["iss"], "sightline");
  assert.equal(exchanged.token.sub, accountId);
  const validated = await client.validateJwt(exchanged.jwt);
  assert.equal(validated.token.sub, accountId);
});

test("Descope's own client finds a key's refusal in the reply", async (t) => {
  const { client } = await startListening(t);
  await assert.rejects(client.exchangeAccessKey("sl_wrong"), /Send a valid API key/);
});

test("the key set is that of /.well-known/jwks.json; another issuer has none", async (t) => {
  const { service } = await startListening(t);
  const here = await service.request("GET", "/v2/keys/sightline");
  const wellKnown = await service.request("GET", "/.well-known/jwks.json");
  assert.equal(here.body, wellKnown.body);
  assert.equal((await service.request("GET", "/v2/keys/other")).status, 404);
});

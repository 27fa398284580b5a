import assert from "node:assert/strict";
import { after, test } from "node:test";
import { type Scope, scopes } from "@sightline/contract";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { operationsOf } from "../server.ts";

const routes = operationsOf(false);

const service = await TestService.start();
after(() => service.close());
const accountId = await service.apply({ account: { name: "Walls" }, brand: { name: "Acme" } });

async function sessionOf(granted?: readonly Scope[]): Promise<string> {
  const properties = { name: "test", expiresAt: null };
  const scoped = granted === undefined ? properties : { ...properties, scopes: granted };
  const { key } = await service.services.keyRing.create(accountId, scoped);
  const reply = await service.post("/v1/auth/accesskey/exchange", { token: key });
  return reply.json<{ sessionJwt: string }>().sessionJwt;
}

function claimsOf(token: string): { readonly scope?: unknown } {
  return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
}

test("a session says its key's scopes; a key has read unless it is said", async () => {
  assert.equal(claimsOf(await sessionOf()).scope, "read");
  assert.equal(claimsOf(await sessionOf(["manage", "read"])).scope, "read manage");
});

test("every operation refuses every key without its scope, before it reads the body", async () => {
  for (const route of routes) {
    if (!("scope" in route)) continue;
    const token = await sessionOf(scopes.filter((scope) => scope !== route.scope));
    const type = route.kind === "stream" ? "application/x-ndjson" : "application/json";
    const headers = { authorization: `Bearer ${token}`, "content-type": type };
    const reply = await service.request(route.method, route.path, {
      headers,
      ...(["POST", "PUT"].includes(route.method) ? { body: "{" } : {}),
    });
    assert.equal(reply.status, 403, route.path);
    assert.equal(reply.json<{ code: string }>().code, "scope_missing");
  }
});

test("a key with the scope alone is let through", async () => {
  const token = await sessionOf(["read"]);
  const headers = { authorization: `Bearer ${token}` };
  assert.equal((await service.request("GET", "/v1/workspace", { headers })).status, 200);
});

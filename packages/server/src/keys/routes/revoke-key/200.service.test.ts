import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { CreatedKeyResponse, ListedKey } from "@sightline/contract";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { ServedSchemas } from "@sightline/test-kit/requests/served-schemas.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";

const service = await TestService.start();
after(() => service.close());
const accountId = await service.apply({ account: { name: "Keys" }, brand: { name: "Acme" } });
const token = await service.session(accountId, ["read", "manage"]);

function revoke(keyId: string, session = token) {
  const headers = { authorization: `Bearer ${session}` };
  return service.request("DELETE", `/v1/keys/${keyId}`, { headers });
}

test("a revoked key and its sessions end immediately; repeating it changes nothing", async () => {
  const { key, ...created } = (
    await service.post("/v1/keys", { token, body: { name: "short", scopes: ["manage"] } })
  ).json<CreatedKeyResponse>();
  const exchanged = await service.post("/v1/auth/accesskey/exchange", { token: key });
  const session = exchanged.json<{ sessionJwt: string }>().sessionJwt;
  service.clock.advance(5);
  const revokedAt = new Date(service.clock.now()).toISOString();
  const reply = await revoke(created.keyId);
  const { lastUsedAt, ...rest } = reply.json<ListedKey>();
  const { lastUsedAt: before, ...expected } = created;
  assert.deepEqual([reply.status, rest, before], [200, { ...expected, revokedAt }, null]);
  assert.ok(lastUsedAt !== null);
  (await ServedSchemas.of(service)).assertValid("KeyDto", reply.json());
  assertProblem(await revoke(created.keyId, session), "session_invalid");
  const again = await service.post("/v1/auth/accesskey/exchange", { token: key });
  assertProblem(again, "key_invalid");
  service.clock.advance(5);
  assert.equal((await revoke(created.keyId)).json<ListedKey>().revokedAt, revokedAt);
});

test("a key may revoke itself", async () => {
  const { key, keyId } = await service.services.keyRing.create(accountId, {
    name: "",
    expiresAt: null,
    scopes: ["manage"],
  });
  const exchanged = await service.post("/v1/auth/accesskey/exchange", { token: key });
  const session = exchanged.json<{ sessionJwt: string }>().sessionJwt;
  assert.equal((await revoke(keyId, session)).status, 200);
  assertProblem(await revoke(keyId, session), "session_invalid");
});

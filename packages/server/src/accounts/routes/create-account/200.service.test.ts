import assert from "node:assert/strict";
import { test } from "node:test";
import type {
  CreatedAccountResponse,
  DeclaredWorkspaceResponse,
  KeysResponse,
} from "@sightline/contract";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { sampleWorkspace, startSample } from "@sightline/test-kit/sample-account.ts";
import type { TestService } from "@sightline/test-kit/test-service.ts";

const file = {
  account: "Globex",
  brand: { name: "Globex", domains: ["https://www.globex.example/"] },
  competitors: ["Acme"],
};

async function sessionOf(service: TestService, key: string): Promise<string> {
  const reply = await service.post("/v1/auth/accesskey/exchange", { token: key });
  return reply.json<{ sessionJwt: string }>().sessionJwt;
}

async function asked<Reply>(service: TestService, token: string, path: string): Promise<Reply> {
  const headers = { authorization: `Bearer ${token}` };
  const reply = await service.request("GET", path, { headers });
  assert.equal(reply.status, 200, reply.body);
  return reply.json<Reply>();
}

test("an account is created with a key of its own, which has its creator's rights", async (t) => {
  const { service, accountId } = await startSample(t);
  const { keyRing, control } = service.services;
  const scopes = ["read", "accounts"] as const;
  const limited = { name: "agency", expiresAt: null, scopes, ratePerSecond: 9, dailyQuota: 70 };
  const { key } = await keyRing.create(accountId, limited);
  const token = await sessionOf(service, key);
  const reply = await service.post("/v1/accounts", { token, body: file });
  assert.equal(reply.status, 200, reply.body);
  const { account, key: first } = reply.json<CreatedAccountResponse>();
  assert.equal(account.name, "Globex");
  const { scopes: may, rate, quota, expiresAt, name } = first;
  assert.deepEqual(
    [may, rate, quota, expiresAt, name],
    [[...scopes], "9/s", 70, null, "first key"],
  );

  const own = await sessionOf(service, first.key);
  const declared = await asked<DeclaredWorkspaceResponse>(service, own, "/v1/workspace/file");
  assert.deepEqual(declared.account, account);
  assert.deepEqual(declared.brand.domains, ["globex.example"]);
  assert.deepEqual(
    declared.competitors.map((each) => each.name),
    ["Acme"],
  );
  // The creator's key stays in its account.
  const before = await asked<DeclaredWorkspaceResponse>(service, token, "/v1/workspace/file");
  assert.equal(before.account.id, accountId);
  assert.equal((await keyRing.goodKey(first.keyId))?.accountId, account.id);
  const again = await service.post("/v1/accounts", { token, body: file });
  const second = again.json<CreatedAccountResponse>();
  assert.notEqual(second.account.id, account.id);
  const { rows_hash } = await control.database
    .selectFrom("accounts")
    .select("rows_hash")
    .where("id", "=", account.id)
    .executeTakeFirstOrThrow();
  assert.notEqual(rows_hash, null);
});

test("who creates an account learns nothing of others, and changes none", async (t) => {
  const { service, accountId } = await startSample(t);
  const everything = ["read", "import", "manage", "accounts"] as const;
  const token = await service.session(accountId, everything);
  const body = { ...file, account: sampleWorkspace.account.name };
  const same = await service.post("/v1/accounts", { token, body });
  const { account, key } = same.json<CreatedAccountResponse>();
  assert.notEqual(account.id, accountId);
  for (const id of [accountId, account.id, "cccccccc-0000-4000-8000-000000000009"]) {
    const named = { ...file, account: { id, name: "Globex" } };
    const problem = assertProblem(
      await service.post("/v1/accounts", { token, body: named }),
      "invalid_request",
    );
    assert.deepEqual(
      problem.errors?.map(({ path }) => path),
      ["/account/id"],
    );
  }
  const { keys } = await asked<KeysResponse>(service, token, "/v1/keys");
  assert.ok(keys.every(({ keyId }) => keyId !== key.keyId));
  const headers = { authorization: `Bearer ${token}` };
  const foreign = await service.request("DELETE", `/v1/keys/${key.keyId}`, { headers });
  assertProblem(foreign, "not_found");
});

import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { CredentialTest, VendorCredentialsResponse } from "@sightline/contract";
import { standInCredentials, startStandIn } from "@sightline/stand-in";
import { billedBy } from "@sightline/test-kit/collection/collecting.ts";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { spendOf } from "../../store/spend-ledger.ts";

const standIn = await startStandIn();
const service = await TestService.start({ settings: { vendorStandIn: standIn.url } });
after(async () => {
  await service.close();
  await standIn.close();
});
const path = "/v1/collection/credentials";
const file = { brand: "Acme", collection: { caps: { callsPerDay: 1 } } };

async function sessionOf(account: string) {
  const accountId = await service.apply({ account, ...file });
  const token = await service.session(accountId, ["manage"]);
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const call = (method: "GET" | "PUT" | "POST" | "DELETE", address: string, body?: object) => {
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    return service.request(method, `${path}${address}`, { headers, ...content });
  };
  const list = async () =>
    (await call("GET", "")).json<VendorCredentialsResponse>().credentials.map((each) => ({
      ...each,
    }));
  return { accountId, call, list };
}

test("a credential is stored and deleted, never shown, and unknown to other accounts", async () => {
  const [own, other] = [await sessionOf("Own"), await sessionOf("Other")];
  assert.deepEqual(await own.list(), []);
  const secret = "own-secret-1234";
  const stored = await own.call("PUT", "/openai", { credential: secret });
  assert.equal(stored.status, 200, stored.body);
  const storedAt = new Date(service.clock.now()).toISOString();
  const expected = { vendor: "openai", source: "stored", storedAt };
  assert.deepEqual(stored.json(), expected);
  assert.deepEqual(await own.list(), [expected]);
  assert.deepEqual(await other.list(), []);
  for (const reply of [
    await other.call("DELETE", "/openai"),
    await other.call("POST", "/openai/test", {}),
    await own.call("DELETE", "/cloro"),
    await own.call("PUT", "/nobody", { credential: secret }),
  ]) {
    assertProblem(reply, "not_found");
    assert.doesNotMatch(reply.body, /1234/);
  }
  assert.deepEqual((await own.call("DELETE", "/openai")).json(), expected);
  assert.deepEqual(await own.list(), []);
});

test("a faulty credential is refused without being quoted", async () => {
  const { call, list } = await sessionOf("Faulty");
  const faulty: readonly (readonly [string, unknown])[] = [
    ["openai", "short"],
    ["openai", "has spaces 1234"],
    ["openai", "x".repeat(4_097)],
    ["dataforseo", "without-a-password"],
    ["openai", 12_345_678],
    ["openai", ["an-array-1234"]],
  ];
  for (const [vendor, credential] of faulty) {
    const reply = await call("PUT", `/${vendor}`, { credential });
    const { errors } = assertProblem(reply, "invalid_request");
    assert.equal(errors?.[0]?.path, "/credential");
    assert.doesNotMatch(reply.body, /short|spaces 1|xxxx|password"|5678|array/);
  }
  assert.deepEqual(await list(), []);
});

test("a test asks the vendor for free, and one paid question within the caps", async () => {
  const { call, accountId } = await sessionOf("Tested");
  const tested = async (body: object) => {
    const reply = await call("POST", "/openai/test", body);
    assert.equal(reply.status, 200, reply.body);
    return reply.json<CredentialTest>();
  };
  await call("PUT", "/openai", { credential: "wrong-secret-9876" });
  const refused = await tested({ paid: true });
  assert.deepEqual([refused.isValid, refused.citations], [false, null]);
  assert.equal(refused.fault, "The vendor refuses the credential (HTTP 401).");
  assert.equal(billedBy(standIn).billed, 0);
  await call("PUT", "/openai", { credential: standInCredentials.openai });
  const free = await tested({});
  assert.deepEqual([free.isValid, free.isListed, free.fault], [true, true, null]);
  assert.equal(free.citations, null);
  assert.ok(free.question.expectedDollars > 0);
  assert.ok(free.question.expectedDollars <= free.question.mostDollars);
  const spent = () => spendOf(service.services.control, accountId, 0, 100_000);
  assert.deepEqual(await spent(), []);
  const paid = await tested({ paid: true });
  assert.deepEqual([paid.isValid, paid.fault], [true, null]);
  assert.ok((paid.citations ?? 0) > 0);
  const [row] = await spent();
  assert.deepEqual([row?.calls, row?.unsettledMicros], [1, 0]);
  assert.ok((row?.spentMicros ?? 0) > 0);
  const over = await call("POST", "/openai/test", { paid: true });
  const { detail } = assertProblem(over, "invalid_request");
  assert.match(detail, /a cap of the account does not allow the question today/);
});

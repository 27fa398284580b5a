import assert from "node:assert/strict";
import { test } from "node:test";
import type { CollectionsResponse } from "@sightline/contract";
import { standInCredentials } from "@sightline/stand-in";
import {
  askNow,
  billedBy,
  catchUp,
  startCollecting,
  sweepToEnd,
} from "@sightline/test-kit/collection/collecting.ts";
import { credentialOwner, saveCredential } from "../../src/collection/store/credential-store.ts";
import { SecretBox } from "../../src/keys/secret-box.ts";

const workspace = {
  account: "Own",
  brand: "Acme",
  prompts: ["best anvil", "worst anvil"],
  collection: { providers: ["OPENAI"] },
};

test("an account's credential asks for it alone, and its refusal is told to it", async (t) => {
  const collecting = await startCollecting(t, { workspace, secrets: {} });
  const { service, accountId, clock, collection, standIn } = collecting;
  const { control } = service.services;
  const wrongId = await service.apply({ ...workspace, account: "Wrong" });
  const noneId = await service.apply({ ...workspace, account: "None" });
  catchUp(clock);
  const tokens = new Map<string, string>();
  for (const id of [accountId, wrongId, noneId]) {
    tokens.set(id, await service.session(id, ["manage"]));
  }
  const call = (id: string, method: "GET" | "POST" | "PUT", path: string, body?: object) => {
    const token = tokens.get(id) ?? "";
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    return service.request(method, path, { headers, ...content });
  };
  const store = (id: string, credential: string) =>
    call(id, "PUT", "/v1/collection/credentials/openai", { credential });
  await store(accountId, standInCredentials.openai);
  await store(wrongId, "wrong-secret-9876");
  assert.equal((await call(noneId, "POST", "/v1/collections", {})).status, 409);
  for (const id of [accountId, wrongId]) {
    const started = await call(id, "POST", "/v1/collections", {});
    assert.equal(started.status, 202, started.body);
  }
  catchUp(clock);
  const [sweep] = await sweepToEnd(collecting);
  assert.deepEqual(
    sweep?.parts.map(({ done, failed }) => [done, failed]),
    [[2, []]],
  );
  assert.equal(billedBy(standIn).billed, 2);

  const stateOf = async (id: string) => {
    const reply = await call(id, "GET", "/v1/collections");
    assert.doesNotMatch(reply.body, /9876/);
    const { vendors } = reply.json<CollectionsResponse>();
    const { state, lastError, requests } = vendors.find((each) => each.vendor === "openai") ?? {};
    return [state, lastError, requests];
  };
  await collection.reportHealth();
  assert.deepEqual(await stateOf(accountId), ["ready", null, 0]);
  assert.deepEqual(await stateOf(wrongId), ["stopped", null, 0]);
  assert.deepEqual(await stateOf(noneId), ["no-credential", null, 0]);

  // Another credential begins without the state of the one before.
  await store(wrongId, standInCredentials.openai);
  assert.deepEqual(await stateOf(wrongId), ["ready", null, 0]);
  for (let step = 0; step < 600 && billedBy(standIn).billed < 4; step++) {
    clock.advance(1_000);
    await askNow({ collection });
  }
  assert.equal(billedBy(standIn).billed, 4);
  assert.equal(
    await control.database
      .selectFrom("jobs")
      .select("id")
      .where("account_id", "=", noneId)
      .executeTakeFirst(),
    undefined,
  );
});

test("a credential of another pepper is stopped, and says what to do", async (t) => {
  const collecting = await startCollecting(t, { workspace, secrets: {} });
  const { service, accountId, clock, collection } = collecting;
  catchUp(clock);
  const key = { accountId, vendor: "openai" } as const;
  const sealed = SecretBox.of(new Uint8Array(32)).seal("another-1234", credentialOwner(key));
  await saveCredential(service.services.control, { ...key, sealed, storedAt: clock.now() });
  const token = await service.session(accountId, ["manage"]);
  const started = await service.post("/v1/collections", { token, body: {} });
  assert.equal(started.status, 202, started.body);
  catchUp(clock);
  await askNow({ collection });
  const headers = { authorization: `Bearer ${token}` };
  const reply = await service.request("GET", "/v1/collections", { headers });
  const { vendors } = reply.json<CollectionsResponse>();
  const openai = vendors.find(({ vendor }) => vendor === "openai");
  assert.equal(openai?.state, "stopped");
  assert.match(openai?.reason ?? "", /another pepper\. Store it again\./);
});

import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { AuditResponse } from "@sightline/contract";
import { ConsolePage, type SignedIn } from "@sightline/test-kit/console-page.ts";
import { filledUp, smallDisk } from "@sightline/test-kit/engines/small-disk.ts";
import { invited, PersonPage, type ShownPerson } from "@sightline/test-kit/person-page.ts";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { sampleAnswers, sampleRange, sampleWorkspace } from "@sightline/test-kit/sample-account.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { until } from "@sightline/test-kit/until.ts";
import { decodeJwt } from "jose";
import { keyById } from "../src/keys/key-store.ts";
import { memberOf } from "../src/people/person-store.ts";

const path = "/v1/analytics/brands/mentions";
const body = { interval: "daily", filters: { timeRange: sampleRange } };

/** Answers of the sample, each another one, 2 KB of text. */
function manyAnswers(from: number, count: number): readonly object[] {
  const text = `Take Globex, then Acme. ${"Both are good at storage. ".repeat(75)}`;
  return Array.from({ length: count }, (_, index) => ({
    ...sampleAnswers[0],
    text,
    sample: from + index,
  }));
}

test("a full disk: import says so, reads go on, nothing is lost, no restart", async (t) => {
  const disk = smallDisk(t);
  if (disk === null) return;
  const dataDir = join(disk, "data");
  mkdirSync(dataDir);
  const service = await TestService.start({ dataDir });
  t.after(() => service.close());
  const accountId = await service.apply(sampleWorkspace);
  await service.import(accountId, sampleAnswers);
  const token = await service.session(accountId);
  const ballast = join(disk, "ballast");
  writeFileSync(ballast, Buffer.alloc(8 * 1024 * 1024));

  let accepted: number = sampleAnswers.length;
  const fill = async () => {
    for (let round = 0; round < 200; round++) {
      const { accepted: more } = await service.record(accountId, manyAnswers(accepted, 200));
      accepted += more;
    }
  };
  await assert.rejects(fill(), /full/);

  const readable = async () => {
    const reply = await service.post(path, { token, body });
    return reply.status === 200 ? reply : null;
  };
  await until("reads are back", readable, 2_000);

  rmSync(ballast);
  const countsAll = () => {
    service.clock.advance(30_000); // the longest pause between two attempts
    return service.settle(accountId).then(
      () => true,
      () => null,
    );
  };
  await until("everything recorded counts", countsAll, 30_000);
  const again = await service.record(accountId, manyAnswers(sampleAnswers.length, accepted));
  assert.ok(again.duplicates >= accepted - sampleAnswers.length, "what was accepted is there");
});

test("a full disk: keys are revoked and people sign out, and that is written later", async (t) => {
  const disk = smallDisk(t);
  if (disk === null) return;
  const service = await TestService.start({ dataDir: join(disk, "data") });
  t.after(() => service.close());
  const accountId = await service.apply(sampleWorkspace);
  const manager = await service.session(accountId, ["manage"]);
  const token = await service.session(accountId);
  const [renewing, leaving] = [
    await ConsolePage.open(service, accountId),
    await ConsolePage.open(service, accountId),
  ];
  const { keyRing, control } = service.services;
  const keyId = String(decodeJwt(token)["keyId"]);
  const ballast = filledUp(disk);

  service.clock.advance(1_000);
  assert.deepEqual(
    (await renewing.request("POST", "/session")).json<SignedIn>().expiresAt,
    renewing.signedIn.json<SignedIn>().expiresAt,
  );
  assert.equal((await leaving.request("DELETE", "/session")).status, 200);
  assertProblem(await leaving.request("GET", "/session"), "session_invalid");
  const headers = { authorization: `Bearer ${manager}` };
  const revoked = await service.request("DELETE", `/v1/keys/${keyId}`, { headers });
  assert.match(assertProblem(revoked, "storage_full").detail, /refuses the key from now on/);
  assertProblem(await service.post(path, { token, body }), "session_invalid");
  assert.equal(await keyRing.goodKey(keyId), null);

  rmSync(ballast);
  const written = async () => (await keyById(control, keyId))?.revokedAt ?? null;
  await until("the revocation is written", written);
});

test("a full disk: people are removed, and that is written later", async (t) => {
  const disk = smallDisk(t);
  if (disk === null) return;
  const service = await TestService.start({ dataDir: join(disk, "data") });
  t.after(() => service.close());
  const accountId = await service.apply(sampleWorkspace);
  const other = await service.apply({ account: "Other", brand: "Other" });
  const ann = await PersonPage.join(service, accountId, { email: "ann@a.example", role: "owner" });
  const bea = await PersonPage.join(service, accountId, {
    email: "bea@a.example",
    role: "manager",
  });
  await bea.accept(await invited(service, other, { email: "bea@a.example", role: "viewer" }));
  const made = (path: string, body: object) => bea.request("POST", [accountId, path], body);
  const { key } = (await made("/v1/keys", { scopes: ["read"] })).json<{ key: string }>();
  const view = { page: "overview", period: "all" };
  const link = (await made("/v1/links", { name: "board", kind: "view", view })).json<{
    address: string;
  }>();
  const { pathname } = new URL(link.address);
  const ballast = filledUp(disk);

  const asked = [accountId, `/v1/people/${bea.personId}`] as const;
  const removed = await ann.request("DELETE", asked);
  assert.match(assertProblem(removed, "storage_full").detail, /refuses the person from now on/);
  assertProblem(await bea.request("GET", [accountId, "/v1/workspace"]), "session_required");
  assertProblem(await service.post("/v1/auth/accesskey/exchange", { token: key }), "key_invalid");
  assert.equal((await service.request("GET", pathname)).status, 404);
  const { accounts } = (await bea.ask("GET", "/console/person")).json<ShownPerson>();
  assert.deepEqual(
    accounts.map(({ name }) => name),
    ["Other"],
  );
  assert.equal((await bea.request("GET", [other, "/v1/workspace"])).status, 200);
  const last = await ann.request("DELETE", [accountId, `/v1/people/${ann.personId}`]);
  assertProblem(last, "invalid_request");

  rmSync(ballast);
  const { control } = service.services;
  const written = async () => ((await memberOf(control, accountId, bea.personId)) ? null : true);
  await until("the removal is written", written);
  const { entries } = (
    await ann.request("GET", [accountId, "/v1/audit?action=person.removed"])
  ).json<AuditResponse>();
  assert.deepEqual(
    entries.map(({ actor, subject }) => [actor.name, subject]),
    [["ann", bea.personId]],
  );
});

test("a full disk: apply names it as the cause", async (t) => {
  const disk = smallDisk(t);
  if (disk === null) return;
  const service = await TestService.start({ dataDir: join(disk, "data") });
  t.after(() => service.close());
  writeFileSync(join(disk, "ballast"), Buffer.alloc(58 * 1024 * 1024));
  const text = "Which storage is good? ".repeat(800);
  const prompts = Array.from({ length: 500 }, (_, index) => ({ text: `${index} ${text}` }));
  await assert.rejects(service.apply({ ...sampleWorkspace, prompts }), /disk is full/);
});

import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { deleteAnswersPath, importsPath } from "@sightline/contract";
import { correctableAccount, everything } from "@sightline/test-kit/correctable-account.ts";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { type TestReply, TestService, temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { until } from "@sightline/test-kit/until.ts";
import { decodeJwt } from "jose";
import { retryWhileLocked } from "../../../platform/retry-while-locked.ts";
import { openSqlite } from "../../../platform/sqlite.ts";

const body = { filters: everything, dryRun: false };

/**
 * A service whose thread of corrections is held up: it waits to write into the record of `first`,
 * whose removal has begun.
 */
async function heldUp(t: TestContext) {
  const dataDir = temporaryFolder();
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const service = await TestService.start({ dataDir });
  t.after(() => service.close());
  const { corrections, control, folder, keyRing } = service.services;
  const first = await correctableAccount(service, "First", 3);
  const second = await correctableAccount(service, "Second", 3);
  const writer = openSqlite(folder.account(first.accountId).answers);
  writer.exec("begin immediate");
  const { mock } = t.mock.method(corrections, "with");
  /** Asks with a key of its own. Resolves when the thread was asked. */
  const ask = async (accountId: string, send: (token: string) => Promise<TestReply>) => {
    const token = await service.session(accountId, ["manage"]);
    const calls = mock.callCount();
    const reply = send(token);
    await until("the thread is asked", () => (mock.callCount() > calls ? true : null));
    const keyId = String(decodeJwt(token)["keyId"]);
    return { accountId, reply, revoke: () => retryWhileLocked(() => keyRing.revoke(keyId)) };
  };
  const remove = (accountId: string) =>
    ask(accountId, (token) => service.post(deleteAnswersPath, { token, body }));
  const undo = (accountId: string, importId: string) =>
    ask(accountId, (token) => {
      const headers = { authorization: `Bearer ${token}` };
      return service.request("DELETE", `${importsPath}/${importId}`, { headers });
    });
  const removing = await remove(first.accountId);
  await until("it has begun", async () => {
    const entries = await control.database
      .selectFrom("audit")
      .select("sequence")
      .where("action", "=", "answers.removed")
      .execute();
    return entries.length > 0 ? true : null;
  });
  return { service, second, removing, remove, undo, letGo: () => void writer.close() };
}

test("what waits when its key is revoked removes nothing", async (t) => {
  const { second, removing, remove, undo, letGo } = await heldUp(t);
  const [imported] = await second.list();
  const waiting = [
    await remove(second.accountId),
    await undo(second.accountId, imported?.id ?? ""),
  ];
  for (const { revoke } of waiting) await revoke();
  for (const { reply } of waiting) assertProblem(await reply, "session_invalid");
  letGo();
  const removed = await removing.reply;
  assert.deepEqual(removed.json(), { matched: 3, deleted: 3, factsCurrent: true });
  // The thread does one call after another: this one comes behind those.
  const counted = await second.remove({ ...body, dryRun: true });
  assert.deepEqual(counted.json(), { matched: 3, deleted: 0, factsCurrent: true });
  assert.deepEqual(await second.list(), [imported]);
});

test("a removal that has begun when its key is revoked is completed", async (t) => {
  const { service, second, removing, letGo } = await heldUp(t);
  await removing.revoke();
  assertProblem(await removing.reply, "session_invalid");
  letGo();
  await second.remove({ ...body, dryRun: true }); // behind it, in the thread
  const left = await service.services.answers.read(removing.accountId, { after: 0, limit: 9 });
  assert.deepEqual(left, []);
});

test("a removal that fails when its caller has left is logged", async (t) => {
  const { service, removing, letGo } = await heldUp(t);
  const { logger, corrections } = service.services;
  const { mock } = t.mock.method(logger, "error");
  await removing.revoke();
  assertProblem(await removing.reply, "session_invalid");
  const closed = corrections.close();
  letGo();
  await closed;
  const logged = mock.calls.map(({ arguments: [fields, message] }) => [fields, message]);
  const fields = { action: "remove", error: "Error: the thread ended" };
  assert.deepEqual(logged, [[{ accountId: removing.accountId, ...fields }, "a correction failed"]]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { startSample } from "@sightline/test-kit/sample-account.ts";
import { openSqlite } from "../../../platform/sqlite.ts";
import { keysOf } from "../../key-store.ts";

test("while another process writes for long, keys are neither made nor revoked", async (t) => {
  const { service, accountId } = await startSample(t);
  const token = await service.session(accountId, ["read", "manage"]);
  const { control, folder } = service.services;
  const before = await keysOf(control, accountId);
  const other = openSqlite(folder.control);
  other.exec("begin immediate");
  const headers = { authorization: `Bearer ${token}` };
  const [key] = before;
  for (const refused of [
    await service.post("/v1/keys", { token, body: {} }),
    await service.request("DELETE", `/v1/keys/${key?.id}`, { headers }),
  ]) {
    assert.match(assertProblem(refused, "overloaded").detail, /Nothing was changed; retry/);
    assert.equal(refused.headers["retry-after"], "1");
  }
  other.exec("rollback");
  other.close();
  assert.deepEqual(await keysOf(control, accountId), before);
  assert.equal((await service.post("/v1/keys", { token, body: {} })).status, 200);
});

test("what another process writes for a moment is waited for", async (t) => {
  const { service, accountId } = await startSample(t);
  const token = await service.session(accountId, ["read", "manage"]);
  const { folder } = service.services;
  const other = openSqlite(folder.control);
  t.after(() => other.close());
  other.exec("begin immediate");
  const made = service.post("/v1/keys", { token, body: {} });
  setTimeout(() => other.exec("rollback"), 50); // SQLite alone gives up after 20 ms
  assert.equal((await made).status, 200);
});

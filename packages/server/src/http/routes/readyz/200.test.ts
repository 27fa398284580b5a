import assert from "node:assert/strict";
import { test } from "node:test";
import { startSample } from "../../../../test/sample-account.ts";

test("ready when every account's facts are caught up", async (t) => {
  const { service } = await startSample(t);
  const reply = await service.request("GET", "/readyz");
  assert.equal(reply.status, 200);
  assert.deepEqual(reply.json(), { status: "ready" });
});

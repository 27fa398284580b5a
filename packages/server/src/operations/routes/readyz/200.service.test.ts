import assert from "node:assert/strict";
import { mkdirSync, rmSync } from "node:fs";
import { test } from "node:test";
import { sharedSample } from "@sightline/test-kit/shared-sample.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import {
  assertDegraded,
  failing,
  failingFiles,
  folderOfTwo,
  mentionsOf,
} from "@sightline/test-kit/two-accounts.ts";

test("ready when every account's facts are caught up", async () => {
  const { service } = await sharedSample();
  const reply = await service.request("GET", "/readyz");
  assert.equal(reply.status, 200);
  assert.deepEqual(reply.json(), { status: "ready" });
});

test("ready, and degraded, when only accounts that fail are behind", async (t) => {
  const dataDir = await folderOfTwo(t);
  const { answers, facts } = failingFiles(dataDir);
  rmSync(answers);
  mkdirSync(answers);
  rmSync(facts);
  const service = await TestService.start({ dataDir });
  t.after(() => service.close());
  await assertDegraded(service, "record_unreadable");
  assert.match(await mentionsOf(service, failing), /^503 .*facts_not_ready/);
});
